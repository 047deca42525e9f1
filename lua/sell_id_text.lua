-- sell_id_text.lua: the id stays the text that it came as.
-- KEYS[1] the stock, KEYS[2] the buyers,
-- ARGV[1] the user, ARGV[2] the id of the order to be.
-- The id: yes. '0': no.
local id = ARGV[2]
local stock = redis.call('GET', KEYS[1])
if not stock or tonumber(stock) <= 0 then
    return '0'
end
if redis.call('SADD', KEYS[2], ARGV[1]) == 0 then
    return '0'
end
redis.call('DECR', KEYS[1])
return id
