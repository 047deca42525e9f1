-- eligible_as_written.lua: may this user buy?
-- KEYS[1] the stock, a string: seckill:stock:{id}
-- KEYS[2] the buyers, a set:   seckill:order:{id}
-- ARGV[1] the user
-- 0: yes, and one was taken. 1: sold out. 2: bought already.
if (tonumber(redis.call('get', KEYS[1]) <= 0)) then
    return 1
end
if (redis.call('sismember', KEYS[2], ARGV[1]) == 1) then
    return 2
end
redis.call('incyby', KEYS[1], -1)
redis.call('sadd', KEYS[2], ARGV[1])
return 0
