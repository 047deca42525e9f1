-- take_back.lua: undoes a yes, all of it.
-- KEYS[1] the stock, KEYS[2] the buyers, ARGV[1] the user.
redis.call('INCRBY', KEYS[1], 1)
redis.call('SREM', KEYS[2], ARGV[1])
return 1
