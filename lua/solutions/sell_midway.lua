-- sell_midway.lua: looks first, writes last.
-- KEYS[1] the stock, KEYS[2] the buyers, ARGV[1] the user.
-- Returns what is left; -1: nothing was sold.
local stock = tonumber(redis.call('GET', KEYS[1]) or '0')
if stock < 1 then return -1 end
if redis.call('SISMEMBER', KEYS[2], ARGV[1]) == 1 then
    return -1
end
redis.call('SADD', KEYS[2], ARGV[1])
return redis.call('DECR', KEYS[1])
