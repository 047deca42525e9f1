-- sell_midway.lua: takes one, then fails.
-- KEYS[1] the stock, KEYS[2] the buyers, ARGV[1] the user.
local left = redis.call('DECR', KEYS[1])
redis.call('SADD', KEYS[2]) -- the member is missing: an error
return left
