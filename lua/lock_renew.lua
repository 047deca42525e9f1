-- lock_renew.lua: lengthens the lease of a lock that still is ours.
-- KEYS[1] the lock. ARGV[1] lease in ms, ARGV[2] owner. 1: done. 0: it is not ours any more.
if redis.call('HEXISTS', KEYS[1], ARGV[2]) == 0 then
    return 0
end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1
