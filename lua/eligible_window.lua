-- eligible_window.lua: also keeps the opening hours.
-- KEYS[1] the stock, KEYS[2] the buyers,
-- KEYS[3] the begin, KEYS[4] the end: seconds since 1970,
-- ARGV[1] the user.
-- 0: yes. 1: sold out. 2: bought already. 3: not begun. 4: ended.
local now = tonumber(redis.call('TIME')[1])
local begins = redis.call('GET', KEYS[3])
local ends = redis.call('GET', KEYS[4])
if not begins or now < tonumber(begins) then
    return 3
end
if not ends or now >= tonumber(ends) then
    return 4
end
local stock = redis.call('GET', KEYS[1])
if not stock or tonumber(stock) <= 0 then
    return 1
end
if redis.call('SISMEMBER', KEYS[2], ARGV[1]) == 1 then
    return 2
end
redis.call('INCRBY', KEYS[1], -1)
redis.call('SADD', KEYS[2], ARGV[1])
return 0
