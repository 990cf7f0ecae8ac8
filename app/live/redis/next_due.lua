-- The earliest due time, or nothing. KEYS: due of each shard.
local earliest = false
for _, key in ipairs(KEYS) do
  local due = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')[2]
  if due and (not earliest or tonumber(due) < tonumber(earliest)) then
    earliest = due
  end
end
return earliest
