-- The first of the lobby: {place, table, listing}…, in order.
-- KEYS: lobby, listings of each shard. ARGV: 1 how many  2 how many of a shard at the first look.
local limit, first = tonumber(ARGV[1]), tonumber(ARGV[2])
local found, full = {}, {}

local function look(i, from, to)
  local rows = redis.call('ZRANGE', KEYS[i], from, to, 'WITHSCORES')
  for j = 1, #rows, 2 do
    found[#found + 1] = {tonumber(rows[j + 1]), rows[j], rows[j + 1], i}
  end
  return found[#found], #rows == 2 * (to - from + 1)
end

local function before(a, b)
  if a[1] ~= b[1] then
    return a[1] < b[1]
  end
  return a[2] < b[2]
end

for i = 1, #KEYS, 2 do
  local last, more = look(i, 0, first - 1)
  if more then
    full[#full + 1] = {i, last}
  end
end
table.sort(found, before)
local edge = found[limit]
-- A shard whose last one so far is still among the first may have more of them.
for _, each in ipairs(full) do
  if first < limit and (not edge or before(each[2], edge)) then
    look(each[1], first, limit - 1)
  end
end
table.sort(found, before)

local answer = {}
for n = 1, math.min(limit, #found) do
  local id, i = found[n][2], found[n][4]
  answer[n] = {found[n][3], id, redis.call('HGET', KEYS[i + 1], id)}
end
return answer
