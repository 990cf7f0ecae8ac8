-- The processes that any table holds marks of. KEYS: marks of each shard.
local answer, known = {}, {}
for _, key in ipairs(KEYS) do
  local from = '-'
  while true do
    local member = redis.call('ZRANGEBYLEX', key, from, '+', 'LIMIT', 0, 1)[1]
    if not member then
      break
    end
    local process = string.match(member, '^%Z*')
    if not known[process] then
      known[process] = true
      answer[#answer + 1] = process
    end
    from = '(' .. process .. '\1'
  end
end
return answer
