-- lock_take_fenced.lua: takes a re-entrant lock and draws the next token.
-- KEYS[1] the lock, KEYS[2] its token counter. ARGV[1] lease in ms, ARGV[2] owner.
-- {-1, token}: ours. {ms, -1}: another's, for so long.
local free = redis.call('EXISTS', KEYS[1]) == 0
if free or redis.call('HEXISTS', KEYS[1], ARGV[2]) == 1 then
    local token = redis.call('INCR', KEYS[2])
    redis.call('HINCRBY', KEYS[1], ARGV[2], 1)
    redis.call('PEXPIRE', KEYS[1], ARGV[1])
    return {-1, token}
end
return {redis.call('PTTL', KEYS[1]), -1}
