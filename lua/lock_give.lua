-- lock_give.lua: gives a re-entrant lock back, once.
-- KEYS[1] the lock, KEYS[2] its channel, KEYS[3] the latch of this request.
-- ARGV[1] lease in ms, ARGV[2] owner, ARGV[3] life of the latch in ms.
-- 1: free now, and told. 0: still ours, one level less. nil: it was not ours.
local done = redis.call('GET', KEYS[3])
if done then
    return tonumber(done) -- the same request again: it was carried out
end
if redis.call('HEXISTS', KEYS[1], ARGV[2]) == 0 then
    return nil
end
if redis.call('HINCRBY', KEYS[1], ARGV[2], -1) > 0 then
    redis.call('PEXPIRE', KEYS[1], ARGV[1])
    redis.call('SET', KEYS[3], 0, 'PX', ARGV[3])
    return 0
end
redis.call('DEL', KEYS[1])
redis.call('PUBLISH', KEYS[2], 0)
redis.call('SET', KEYS[3], 1, 'PX', ARGV[3])
return 1
