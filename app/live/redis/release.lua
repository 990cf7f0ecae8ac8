-- Let go of a player, if it is still held with this token. KEYS: 1 player. ARGV: 1 token.
if redis.call('GET', KEYS[1]) == ARGV[1] then
  return redis.call('DEL', KEYS[1])
end
return 0
