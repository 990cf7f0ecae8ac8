-- {processes that live, processes whose lease is over}; nothing while nobody has beaten for
-- long: that is an outage, which ends no connection (T9).
-- KEYS: 1 clock  2 processes. ARGV: 1 stall.
local time = redis.call('TIME')
local wall = time[1] * 1000 + math.floor(time[2] / 1000)
local seen = redis.call('HGET', KEYS[1], 'seen')
if seen and wall - seen > tonumber(ARGV[1]) then
  return false
end
local now = string.format('%.0f', wall)
return {redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. now, '+inf'),
  redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now)}
