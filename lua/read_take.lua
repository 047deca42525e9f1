-- read_take.lua: takes the read side of a read-write lock.
-- KEYS[1] the lock, KEYS[2] the beginning of this reader's hold keys, to which a number is added.
-- ARGV[1] lease in ms, ARGV[2] owner, ARGV[3] the writer's field of the same owner.
-- nil: ours. A number: ms until it may come free.
local mode = redis.call('HGET', KEYS[1], 'mode')
if not mode then
    redis.call('HSET', KEYS[1], 'mode', 'read', ARGV[2], 1)
    redis.call('SET', KEYS[2] .. ':1', 1, 'PX', ARGV[1])
    redis.call('PEXPIRE', KEYS[1], ARGV[1])
    return nil
end
if mode == 'read' or redis.call('HEXISTS', KEYS[1], ARGV[3]) == 1 then
    local hold = redis.call('HINCRBY', KEYS[1], ARGV[2], 1)
    redis.call('SET', KEYS[2] .. ':' .. hold, 1, 'PX', ARGV[1])
    redis.call('PEXPIRE', KEYS[1], math.max(redis.call('PTTL', KEYS[1]), tonumber(ARGV[1])))
    return nil
end
return redis.call('PTTL', KEYS[1])
