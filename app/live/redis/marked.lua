-- The tables that hold marks of processes: `process NUL table`….
-- KEYS: marks of each shard. ARGV: the processes.
local answer = {}
for _, key in ipairs(KEYS) do
  for _, process in ipairs(ARGV) do
    local from, to = '[' .. process .. '\0', '(' .. process .. '\1'
    for _, member in ipairs(redis.call('ZRANGEBYLEX', key, from, to)) do
      answer[#answer + 1] = member
    end
  end
end
return answer
