-- unlock.lua: deletes the lock if it still is ours.
-- KEYS[1] the lock, ARGV[1] what we wrote into it.
-- 1: it was ours and is gone. 0: it is another's, or nobody's.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
    return 0
end
return redis.call('DEL', KEYS[1])
