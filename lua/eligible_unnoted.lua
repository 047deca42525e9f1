-- eligible_unnoted.lua: looks for the buyer, and leaves it to
-- whoever stores the order to note him.
-- KEYS[1] the stock, KEYS[2] the buyers, ARGV[1] the user.
-- 0: yes. 1: sold out. 2: bought already.
local stock = redis.call('GET', KEYS[1])
if not stock or tonumber(stock) <= 0 then
    return 1
end
if redis.call('SISMEMBER', KEYS[2], ARGV[1]) == 1 then
    return 2
end
redis.call('INCRBY', KEYS[1], -1)
return 0
