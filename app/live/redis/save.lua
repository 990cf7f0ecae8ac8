-- A whole save, or nothing (see Save): 1 if it stands, 0 if the version was another.
--
-- KEYS  1 table  2 log  3 lines  4 watchers  5 due  6 leases  7 lobby  8 listings  9 seats
--       10 marks
-- ARGV  1 version expected, 0: no table  2 new version, empty: the table goes  3 state
--       4 number of the last new event or empty  5 due time or empty
--       6 place in the lobby or empty  7 listing  8 seats and marks, packed, or empty
--       9 match  10 lines or empty  11 what watchers are told  12 the saver
--       13 what channels begin with  14 entries kept  15 table id  16… entries

local id = ARGV[15]
local was = redis.call('HMGET', KEYS[1], 'v', 'n', 'y')
if (was[1] or '0') ~= ARGV[1] then
  return 0
end
local gone = ARGV[2] == ''
local number = ARGV[4]
if number == '' then
  number = was[2] or '0'
end

-- The first write: where Redis may not write, it refuses here, and nothing has been done.
if gone then
  redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
else
  redis.call('HSET', KEYS[1], 'v', ARGV[2], 'n', number, 's', ARGV[3])
end

if #ARGV > 15 then
  local length = redis.call('RPUSH', KEYS[2], unpack(ARGV, 16))
  if length > tonumber(ARGV[14]) then
    redis.call('LTRIM', KEYS[2], -tonumber(ARGV[14]), -1)
  end
end
if ARGV[10] ~= '' then
  local piece = redis.call('HINCRBY', KEYS[3], ARGV[9], 1)
  redis.call('HSET', KEYS[3], ARGV[9] .. '\0' .. piece, ARGV[10])
end

if ARGV[5] == '' then
  redis.call('ZREM', KEYS[5], id)
else
  redis.call('ZADD', KEYS[5], ARGV[5], id)
end
redis.call('ZREM', KEYS[6], id)

-- What seldom changes is written only when it does.
if ARGV[6] == '' then
  if redis.call('HDEL', KEYS[8], id) == 1 then
    redis.call('ZREM', KEYS[7], id)
  end
elseif redis.call('HGET', KEYS[8], id) ~= ARGV[7] then
  redis.call('HSET', KEYS[8], id, ARGV[7])
  redis.call('ZADD', KEYS[7], ARGV[6], id)
end
local indexed = was[3] or ''
if indexed ~= ARGV[8] then
  if indexed ~= '' then
    for i, members in ipairs(cmsgpack.unpack(indexed)) do
      if #members > 0 then
        redis.call('ZREM', KEYS[8 + i], unpack(members))
      end
    end
  end
  if ARGV[8] ~= '' then
    for i, members in ipairs(cmsgpack.unpack(ARGV[8])) do
      for _, member in ipairs(members) do
        redis.call('ZADD', KEYS[8 + i], 0, member)
      end
    end
  end
  if not gone then
    redis.call('HSET', KEYS[1], 'y', ARGV[8])
  end
end

local watchers = redis.call('SMEMBERS', KEYS[4])
if #watchers > 0 then
  local told = number .. ' ' .. ARGV[11]
  for _, process in ipairs(watchers) do
    if process ~= ARGV[12] and redis.call('SPUBLISH', ARGV[13] .. process, told) == 0 then
      -- It hears nothing. If it lives, it comes back and asks for numbers.
      redis.call('SREM', KEYS[4], process)
    end
  end
  if gone then
    redis.call('DEL', KEYS[4])
  elseif ARGV[1] == '0' then
    redis.call('PERSIST', KEYS[4])
  end
end
return 1
