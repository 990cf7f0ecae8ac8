-- Where a player sits: `table NUL state`…. KEYS: seats of each shard. ARGV: 1 player.
local answer = {}
local from, to = '[' .. ARGV[1] .. '\0', '(' .. ARGV[1] .. '\1'
for _, key in ipairs(KEYS) do
  for _, member in ipairs(redis.call('ZRANGEBYLEX', key, from, to)) do
    answer[#answer + 1] = string.sub(member, #ARGV[1] + 2)
  end
end
return answer
