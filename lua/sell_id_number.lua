-- sell_id_number.lua: hands the order's id on as a number.
-- KEYS[1] the stock, KEYS[2] the buyers,
-- ARGV[1] the user, ARGV[2] the id of the order to be.
-- The id: yes. 0: no.
local id = tonumber(ARGV[2]) -- above 2^53: rounded, silently
local stock = redis.call('GET', KEYS[1])
if not stock or tonumber(stock) <= 0 then
    return 0
end
if redis.call('SADD', KEYS[2], ARGV[1]) == 0 then
    return 0
end
redis.call('DECR', KEYS[1])
return id
