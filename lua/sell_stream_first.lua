-- sell_stream_first.lua: the order goes into the stream, and
-- then comes the question whether there is one.
-- KEYS[1] the stock, KEYS[2] the buyers, KEYS[3] the stream,
-- ARGV[1] the user, ARGV[2] the voucher, ARGV[3] the order's id.
-- 0: yes. 1: sold out, or not for sale. 2: bought already.
redis.call('XADD', KEYS[3], '*',
    'user', ARGV[1], 'voucher', ARGV[2], 'id', ARGV[3])
if redis.call('SADD', KEYS[2], ARGV[1]) == 0 then
    return 2
end
local stock = redis.call('GET', KEYS[1])
if not stock or tonumber(stock) <= 0 then
    return 1
end
redis.call('INCRBY', KEYS[1], -1)
return 0
