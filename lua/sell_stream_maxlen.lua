-- sell_stream_maxlen.lua: the same, into a stream that is kept
-- short: of more than one entry, the oldest goes.
-- KEYS[1] the stock, KEYS[2] the buyers, KEYS[3] the stream,
-- ARGV[1] the user, ARGV[2] the voucher, ARGV[3] the order's id.
-- 0: yes. 1: sold out, or not for sale. 2: bought already.
local stock = redis.call('GET', KEYS[1]) -- false: no such key
if not stock or tonumber(stock) <= 0 then
    return 1
end
if redis.call('SISMEMBER', KEYS[2], ARGV[1]) == 1 then
    return 2
end
redis.call('INCRBY', KEYS[1], -1)
redis.call('SADD', KEYS[2], ARGV[1])
redis.call('XADD', KEYS[3], 'MAXLEN', '=', '1', '*',
    'user', ARGV[1], 'voucher', ARGV[2], 'id', ARGV[3])
return 0
