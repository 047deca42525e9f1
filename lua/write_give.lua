-- write_give.lua: gives the write side back.
-- KEYS[1] the lock, KEYS[2] its channel, KEYS[3] the latch of this request.
-- ARGV[1] lease in ms, ARGV[2] the writer's field, ARGV[3] life of the latch in ms.
-- 1: given back. 0: one level less. nil: it was not ours.
local done = redis.call('GET', KEYS[3])
if done then
    return tonumber(done)
end
if redis.call('HGET', KEYS[1], 'mode') ~= 'write' or redis.call('HEXISTS', KEYS[1], ARGV[2]) == 0 then
    return nil
end
if redis.call('HINCRBY', KEYS[1], ARGV[2], -1) > 0 then
    redis.call('PEXPIRE', KEYS[1], ARGV[1])
    redis.call('SET', KEYS[3], 0, 'PX', ARGV[3])
    return 0
end
redis.call('HDEL', KEYS[1], ARGV[2])
if redis.call('HLEN', KEYS[1]) == 1 then -- only `mode` is left
    redis.call('DEL', KEYS[1])
    redis.call('PUBLISH', KEYS[2], 0)
else
    redis.call('HSET', KEYS[1], 'mode', 'read') -- we still read: a downgrade, and nobody is told
end
redis.call('SET', KEYS[3], 1, 'PX', ARGV[3])
return 1
