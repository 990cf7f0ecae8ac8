-- The pieces of a match's record, in order. KEYS: 1 lines. ARGV: 1 match.
local pieces = {}
for piece = 1, tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or 0) do
  pieces[piece] = redis.call('HGET', KEYS[1], ARGV[1] .. '\0' .. piece)
end
return pieces
