-- fair_take.lua: takes a fair lock, or queues for it.
-- KEYS[1] the lock, KEYS[2] the queue (a list of owners), KEYS[3] their deadlines (a sorted set).
-- ARGV[1] lease, ARGV[2] owner, ARGV[3] wait, ARGV[4] now, in ms; ARGV[5] '1': queue when it is taken.
-- nil: ours. A number: ms until our turn may come.
local name, queue, deadlines = KEYS[1], KEYS[2], KEYS[3]
local owner, wait, now = ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])

-- Heads that are not waited for any more.
local head = redis.call('LINDEX', queue, 0)
while head do
    local deadline = redis.call('ZSCORE', deadlines, head)
    if deadline and tonumber(deadline) > now then
        break
    end
    redis.call('ZREM', deadlines, head)
    redis.call('LPOP', queue)
    head = redis.call('LINDEX', queue, 0)
end

if redis.call('EXISTS', name) == 0 and (not head or head == owner) then
    if head then
        redis.call('LPOP', queue)
        redis.call('ZREM', deadlines, owner)
    end
    -- Everybody behind moves up by one turn.
    for _, other in ipairs(redis.call('ZRANGE', deadlines, 0, -1)) do
        redis.call('ZINCRBY', deadlines, -wait, other)
    end
    redis.call('HSET', name, owner, 1)
    redis.call('PEXPIRE', name, ARGV[1])
    return nil
end
if redis.call('HEXISTS', name, owner) == 1 then
    redis.call('HINCRBY', name, owner, 1)
    redis.call('PEXPIRE', name, ARGV[1])
    return nil
end
local left = redis.call('PTTL', name)
if redis.call('ZSCORE', deadlines, owner) then
    return math.max(0, left)
end
local last = redis.call('LINDEX', queue, -1)
if last then
    left = tonumber(redis.call('ZSCORE', deadlines, last)) - now
end
if ARGV[5] == '1' then
    redis.call('ZADD', deadlines, left + wait + now, owner)
    redis.call('RPUSH', queue, owner)
end
return left
