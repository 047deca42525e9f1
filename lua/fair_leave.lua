-- fair_leave.lua: gives up queueing for a fair lock.
-- KEYS[1] the queue, KEYS[2] the deadlines. ARGV[1] owner, ARGV[2] wait in ms.
-- Those behind move up by one turn. 1: was in the queue. 0: was not.
local waiting = redis.call('LRANGE', KEYS[1], 0, -1)
local found = false
for _, other in ipairs(waiting) do
    if found then
        redis.call('ZINCRBY', KEYS[2], -tonumber(ARGV[2]), other)
    elseif other == ARGV[1] then
        found = true
    end
end
redis.call('ZREM', KEYS[2], ARGV[1])
return redis.call('LREM', KEYS[1], 0, ARGV[1])
