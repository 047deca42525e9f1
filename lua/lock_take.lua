-- lock_take.lua: takes a re-entrant lock.
-- KEYS[1] the lock. ARGV[1] lease in ms, ARGV[2] owner.
-- nil: it is ours. A number: ms until it may come free; -1: it has no lease.
local free = redis.call('EXISTS', KEYS[1]) == 0
if free or redis.call('HEXISTS', KEYS[1], ARGV[2]) == 1 then
    redis.call('HINCRBY', KEYS[1], ARGV[2], 1)
    redis.call('PEXPIRE', KEYS[1], ARGV[1])
    return nil
end
return redis.call('PTTL', KEYS[1])
