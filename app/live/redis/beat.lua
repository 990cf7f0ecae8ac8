-- The site serves, and a process lives: `advance` and `beat_of`, in the store's own time (T9).
-- Answers: clock, site time, how long it stands still yet, the last outage (length, end) or
-- (-1, 0), and which life of the process this is.
--
-- KEYS: 1 clock  2 processes  3 lives.
-- ARGV: 1 process  2 `1` if nobody has served since the last beat  3 lease  4 stall  5 grace
--       6 the most that passes between two beats.
local time = redis.call('TIME')
local wall = time[1] * 1000 + math.floor(time[2] / 1000)
local lease = tonumber(ARGV[3])

local function text(number)
  return string.format('%.0f', number)
end

local kept = redis.call('HMGET', KEYS[1], 'seen', 'since', 'site', 'outage', 'ended')
local seen, since, site = tonumber(kept[1]), tonumber(kept[2]), tonumber(kept[3])
local outage, ended = tonumber(kept[4] or -1), tonumber(kept[5] or 0)
if not seen then
  since, site = wall, wall
else
  local gap = wall - seen
  if gap < 0 then
    -- The clock was set back: no time has passed, for leases neither.
    since = since + gap
    local all = redis.call('ZRANGE', KEYS[2], 0, -1, 'WITHSCORES')
    for i = 1, #all, 2 do
      local ends = tonumber(all[i + 1])
      if ends > 0 then
        redis.call('ZADD', KEYS[2], text(math.max(1, ends + gap)), all[i])
      end
    end
  elseif ARGV[2] == '1' or gap > tonumber(ARGV[4]) then
    site = site + math.max(0, seen - since)
    since = wall + tonumber(ARGV[5])
    outage, ended = gap, site
    -- Who was alive before it is taken for alive.
    for _, process in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. text(seen), '+inf')) do
      redis.call('ZADD', KEYS[2], text(wall + lease), process)
    end
  else
    since = since + math.max(0, gap - tonumber(ARGV[6]))
  end
end
redis.call('HSET', KEYS[1], 'seen', text(wall), 'since', text(since), 'site', text(site),
  'outage', text(outage), 'ended', text(ended))

local life = redis.call('HGET', KEYS[3], ARGV[1])
local ends = tonumber(redis.call('ZSCORE', KEYS[2], ARGV[1]) or 0)
if not life or ends <= wall then
  life = time[1] .. '.' .. time[2]
  redis.call('HSET', KEYS[3], ARGV[1], life)
end
redis.call('ZADD', KEYS[2], text(wall + lease), ARGV[1])
return {text(wall), text(site + math.max(0, wall - since)), text(math.max(0, since - wall)),
  text(outage), text(ended), life}
