-- sell.lua: looks and takes, in one.
-- KEYS[1] the stock, KEYS[2] the buyers, ARGV[1] the user.
-- 0: yes. 1: sold out. 2: this user has bought already.
local stock = redis.call('GET', KEYS[1])
if tonumber(stock) < 1 then
    return 1
end
if redis.call('SISMEMBER', KEYS[2], ARGV[1]) == 1 then
    return 2
end
redis.call('DECR', KEYS[1])
redis.call('SADD', KEYS[2], ARGV[1])
return 0
