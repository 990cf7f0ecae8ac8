-- Tables with a due time: due time, table, …, the earliest first of each shard.
-- KEYS: due of each shard. ARGV: 1 how many of a shard
local answer = {}
for _, key in ipairs(KEYS) do
  local rows = redis.call('ZRANGE', key, 0, ARGV[1] - 1, 'WITHSCORES')
  for n = 1, #rows, 2 do
    answer[#answer + 1] = rows[n + 1]
    answer[#answer + 1] = rows[n]
  end
end
return answer
