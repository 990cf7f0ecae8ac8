-- The number of the last event of each table, nothing where there is none, and the process
-- watches those that there are. KEYS: table, watchers of each. ARGV: 1 process.
local answer = {}
for i = 1, #KEYS, 2 do
  local number = redis.call('HGET', KEYS[i], 'n')
  if number then
    redis.call('SADD', KEYS[i + 1], ARGV[1])
  end
  answer[#answer + 1] = number
end
return answer
