-- sell_take_first.lua: takes the basket, and gives it back
-- before anybody else can look.
-- KEYS[1] the stock, KEYS[2] the buyers,
-- ARGV[1] the user, ARGV[2] how many he wants.
-- 0: yes. 1: not enough left. 2: this user has bought already.
if redis.call('SISMEMBER', KEYS[2], ARGV[1]) == 1 then
    return 2
end
local left = redis.call('DECRBY', KEYS[1], ARGV[2])
if left < 0 then
    redis.call('INCRBY', KEYS[1], ARGV[2])
    return 1
end
redis.call('SADD', KEYS[2], ARGV[1])
return 0
