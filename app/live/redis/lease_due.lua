-- Tables that are due, left to the caller for a while: due time, table, …, the earliest first.
-- KEYS: due, leases of each shard.
-- ARGV: 1 site time  2 how many  3 lease  4 failures  5 the longest that one is left alone
local limit = tonumber(ARGV[2])
local found = {}
for i = 1, #KEYS, 2 do
  local rows = redis.call('ZRANGEBYSCORE', KEYS[i], '-inf', ARGV[1], 'LIMIT', 0, limit,
    'WITHSCORES')
  for j = 1, #rows, 2 do
    found[#found + 1] = {tonumber(rows[j + 1]), rows[j], rows[j + 1], i}
  end
end
table.sort(found, function(a, b)
  if a[1] ~= b[1] then
    return a[1] < b[1]
  end
  return a[2] < b[2]
end)

local answer = {}
for n = 1, math.min(limit, #found) do
  local id, i = found[n][2], found[n][4]
  local leases = tonumber(redis.call('ZINCRBY', KEYS[i + 1], 1, id))
  local doubled = math.min(math.max(0, leases - tonumber(ARGV[4])), 16)
  local alone = math.min(tonumber(ARGV[3]) * 2 ^ doubled, tonumber(ARGV[5]))
  redis.call('ZADD', KEYS[i], string.format('%.0f', ARGV[1] + alone), id)
  answer[2 * n - 1] = found[n][3]
  answer[2 * n] = id
end
return answer
