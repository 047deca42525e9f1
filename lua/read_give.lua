-- read_give.lua: gives one hold of the read side back.
-- KEYS[1] the lock, KEYS[2] its channel, KEYS[3] the latch of this request, KEYS[4] the beginning of
-- this reader's hold keys, KEYS[5] the beginning of all readers' hold keys.
-- ARGV[1] owner, ARGV[2] life of the latch in ms.
-- 1: free now, and told. 0: others hold it, or we still do. nil: it was not ours.
local done = redis.call('GET', KEYS[3])
if done then
    return tonumber(done)
end
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then
    return nil
end
local left = redis.call('HINCRBY', KEYS[1], ARGV[1], -1)
if left == 0 then
    redis.call('HDEL', KEYS[1], ARGV[1])
end
redis.call('DEL', KEYS[4] .. ':' .. (left + 1))

if redis.call('HLEN', KEYS[1]) == 1 then -- only `mode` is left
    redis.call('DEL', KEYS[1])
    redis.call('PUBLISH', KEYS[2], 0)
    redis.call('SET', KEYS[3], 1, 'PX', ARGV[2])
    return 1
end
-- The lock lives as long as the longest hold that is left.
local longest, fields = -3, redis.call('HGETALL', KEYS[1])
for i = 1, #fields, 2 do
    for hold = tonumber(fields[i + 1]) or 0, 1, -1 do
        local key = KEYS[5] .. ':' .. fields[i] .. ':rwlock_timeout:' .. hold
        longest = math.max(longest, redis.call('PTTL', key))
    end
end
if longest > 0 and redis.call('HGET', KEYS[1], 'mode') == 'read' then
    redis.call('PEXPIRE', KEYS[1], longest)
end
redis.call('SET', KEYS[3], 0, 'PX', ARGV[2])
return 0
