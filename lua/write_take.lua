-- write_take.lua: takes the write side of a read-write lock.
-- KEYS[1] the lock. ARGV[1] lease in ms, ARGV[2] the writer's field.
-- nil: ours. A number: ms until it may come free. One's own read lock keeps one out: no upgrade.
local mode = redis.call('HGET', KEYS[1], 'mode')
if not mode then
    redis.call('HSET', KEYS[1], 'mode', 'write', ARGV[2], 1)
    redis.call('PEXPIRE', KEYS[1], ARGV[1])
    return nil
end
if mode == 'write' and redis.call('HEXISTS', KEYS[1], ARGV[2]) == 1 then
    redis.call('HINCRBY', KEYS[1], ARGV[2], 1)
    redis.call('PEXPIRE', KEYS[1], redis.call('PTTL', KEYS[1]) + tonumber(ARGV[1]))
    return nil
end
return redis.call('PTTL', KEYS[1])
