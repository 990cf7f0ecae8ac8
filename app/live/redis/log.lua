-- The entries after a number. KEYS: 1 table  2 log. ARGV: 1 the number.
local number = redis.call('HGET', KEYS[1], 'n')
if not number or tonumber(number) <= tonumber(ARGV[1]) then
  return {}
end
return redis.call('LRANGE', KEYS[2], tonumber(ARGV[1]) - tonumber(number), -1)
