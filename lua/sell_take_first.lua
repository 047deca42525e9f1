-- sell_take_first.lua: takes the basket, then looks.
-- KEYS[1] the stock, KEYS[2] the buyers,
-- ARGV[1] the user, ARGV[2] how many he wants.
-- 0: yes. 1: not enough left. 2: this user has bought already.
local left = redis.call('DECRBY', KEYS[1], ARGV[2])
if left < 0 then
    return 1
end
if redis.call('SADD', KEYS[2], ARGV[1]) == 0 then
    return 2
end
return 0
