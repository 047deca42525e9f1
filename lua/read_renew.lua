-- read_renew.lua: lengthens the leases of a reader's holds.
-- KEYS[1] the lock, KEYS[2] the beginning of this reader's hold keys. ARGV[1] lease in ms, ARGV[2] owner.
-- 1: done. 0: it is not ours any more.
local holds = redis.call('HGET', KEYS[1], ARGV[2])
if not holds then
    return 0
end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
for hold = 1, tonumber(holds) do
    redis.call('PEXPIRE', KEYS[2] .. ':' .. hold, ARGV[1])
end
return 1
