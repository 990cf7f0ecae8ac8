-- Who seeks an opponent (see Seeking). Every step looks at all that it needs and changes all, or
-- nothing.
--
-- KEYS  1 seekers  2 until  3 waiting
-- ARGV  1 the step  2 lease  3 how long an end can be learned  4… of the step:
--   seek     player token pool since rest past most   {`waiting`, since}, {`paired`, table}, {`full`}
--   beat     player token …                           state, detail of each
--   seekers  pool how-many                            player, token, since, rest of each
--   pair     table player token …                     1 or 0
--   part     table player token code …                code empty: waits again
--   unseek   player token

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local lease, learned = tonumber(ARGV[2]), tonumber(ARGV[3])

local function text(number)
  return string.format('%.0f', number)
end

-- A seeker: token, state, detail, pool, since, rest.
local TOKEN, STATE, DETAIL, POOL, SINCE, REST = 1, 2, 3, 4, 5, 6

local function place(player, one)
  return one[POOL] .. '\0' .. string.format('%016.0f', one[SINCE]) .. '\0' .. player
end

local function drop(player)
  local packed = redis.call('HGET', KEYS[1], player)
  if packed then
    redis.call('ZREM', KEYS[3], place(player, cmsgpack.unpack(packed)))
    redis.call('HDEL', KEYS[1], player)
  end
  redis.call('ZREM', KEYS[2], player)
end

local function find(player)
  local ends = redis.call('ZSCORE', KEYS[2], player)
  local packed = ends and tonumber(ends) > now and redis.call('HGET', KEYS[1], player)
  return packed and cmsgpack.unpack(packed) or nil
end

local function keep(player, one, span)
  redis.call('HSET', KEYS[1], player, cmsgpack.pack(one))
  if span then
    redis.call('ZADD', KEYS[2], text(now + span), player)
  end
  if one[STATE] == 'waiting' then
    redis.call('ZADD', KEYS[3], 0, place(player, one))
  else
    redis.call('ZREM', KEYS[3], place(player, one))
  end
end

for _, player in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', text(now), 'LIMIT', 0, 100)) do
  drop(player)
end

local step = {}

function step.seek(player, token, pool, since, rest, past, most)
  local one = find(player)
  if one and one[STATE] == 'paired' and one[DETAIL] ~= past then
    one[TOKEN] = token
    keep(player, one)
    return {'paired', one[DETAIL]}
  end
  if not one and redis.call('ZCARD', KEYS[2]) >= tonumber(most) then
    return {'full', ''}
  end
  if one and (one[STATE] == 'waiting' or one[STATE] == 'left') and one[POOL] == pool then
    since = text(math.min(tonumber(since), tonumber(one[SINCE])))
  end
  drop(player)
  keep(player, {token, 'waiting', '', pool, since, rest}, lease)
  return {'waiting', since}
end

function step.beat(...)
  local asked, answer = {...}, {}
  for i = 1, #asked, 2 do
    local player, token = asked[i], asked[i + 1]
    local one = find(player)
    local state, detail = 'lapsed', ''
    if one and one[TOKEN] ~= token then
      state = 'elsewhere'
    elseif one then
      state, detail = one[STATE], one[DETAIL]
      if state == 'waiting' then
        redis.call('ZADD', KEYS[2], text(now + lease), player)
        detail = one[SINCE]
      end
    end
    answer[i], answer[i + 1] = state, detail
  end
  return answer
end

function step.seekers(pool, most)
  local answer = {}
  local from, to = '[' .. pool .. '\0', '(' .. pool .. '\1'
  for _, member in ipairs(redis.call('ZRANGEBYLEX', KEYS[3], from, to, 'LIMIT', 0, most)) do
    local player = string.sub(member, #pool + 19)
    local one = find(player)
    if one then
      for _, each in ipairs({player, one[TOKEN], one[SINCE], one[REST]}) do
        answer[#answer + 1] = each
      end
    end
  end
  return answer
end

function step.pair(to, ...)
  local asked, found, again = {...}, {}, true
  for i = 1, #asked, 2 do
    local one = find(asked[i])
    if not one or one[TOKEN] ~= asked[i + 1] then
      return 0
    end
    found[#found + 1] = {asked[i], one}
    again = again and one[STATE] == 'paired' and one[DETAIL] == to
  end
  if again then
    return 1
  end
  for _, each in ipairs(found) do
    if each[2][STATE] ~= 'waiting' then
      return 0
    end
  end
  for _, each in ipairs(found) do
    each[2][STATE], each[2][DETAIL] = 'paired', to
    keep(each[1], each[2], learned)
  end
  return 1
end

function step.part(from, ...)
  local asked = {...}
  for i = 1, #asked, 3 do
    local player, code = asked[i], asked[i + 2]
    local one = find(player)
    if one and one[TOKEN] == asked[i + 1] and one[STATE] == 'paired' and one[DETAIL] == from then
      one[STATE], one[DETAIL] = code == '' and 'waiting' or 'turned', code
      keep(player, one, code == '' and lease or learned)
    end
  end
  return 1
end

function step.unseek(player, token)
  local one = find(player)
  if one and one[TOKEN] == token then
    -- Without its token nobody can speak for it any more; who has been paired stays so.
    one[TOKEN] = ''
    local waited = one[STATE] == 'waiting'
    if waited then
      one[STATE] = 'left'
    end
    keep(player, one, waited and lease or nil)
  end
  return 1
end

return step[ARGV[1]](unpack(ARGV, 4))
