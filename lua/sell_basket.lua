-- sell_basket.lua: takes a whole basket, or nothing of it.
-- KEYS[1] the stock, KEYS[2] the buyers,
-- ARGV[1] the user, ARGV[2] how many he wants.
-- 0: yes. 1: not enough left. 2: this user has bought already.
local stock = tonumber(redis.call('GET', KEYS[1]))
local many = tonumber(ARGV[2])
if stock < many then
    return 1
end
if redis.call('SISMEMBER', KEYS[2], ARGV[1]) == 1 then
    return 2
end
redis.call('DECRBY', KEYS[1], many)
redis.call('SADD', KEYS[2], ARGV[1])
return 0
