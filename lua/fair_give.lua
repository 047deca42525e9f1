-- fair_give.lua: gives a fair lock back, and wakes the head of its queue.
-- KEYS[1] the lock, KEYS[2] the queue, KEYS[3] the deadlines, KEYS[4] the channel, to which the
-- head's name is added, KEYS[5] the latch of this request.
-- ARGV[1] lease, ARGV[2] owner, ARGV[3] now, ARGV[4] life of the latch, in ms.
-- 1: free now. 0: still ours, one level less. nil: it was not ours.
local name, queue, deadlines, latch = KEYS[1], KEYS[2], KEYS[3], KEYS[5]
local done = redis.call('GET', latch)
if done then
    return tonumber(done)
end
local now = tonumber(ARGV[3])
local head = redis.call('LINDEX', queue, 0)
while head do
    local deadline = redis.call('ZSCORE', deadlines, head)
    if deadline and tonumber(deadline) > now then
        break
    end
    redis.call('ZREM', deadlines, head)
    redis.call('LPOP', queue)
    head = redis.call('LINDEX', queue, 0)
end
if redis.call('EXISTS', name) == 0 then
    if head then
        redis.call('PUBLISH', KEYS[4] .. ':' .. head, 0)
    end
    return nil -- it ran out before: nobody's to give, but the head may have it
end
if redis.call('HEXISTS', name, ARGV[2]) == 0 then
    return nil
end
if redis.call('HINCRBY', name, ARGV[2], -1) > 0 then
    redis.call('PEXPIRE', name, ARGV[1])
    redis.call('SET', latch, 0, 'PX', ARGV[4])
    return 0
end
redis.call('DEL', name)
redis.call('SET', latch, 1, 'PX', ARGV[4])
if head then
    redis.call('PUBLISH', KEYS[4] .. ':' .. head, 0)
end
return 1
