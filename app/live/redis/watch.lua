-- A process watches a table, for a while only if there is no such table.
-- KEYS: 1 table  2 watchers. ARGV: 1 process  2 that while in ms.
redis.call('SADD', KEYS[2], ARGV[1])
if redis.call('EXISTS', KEYS[1]) == 0 then
  redis.call('PEXPIRE', KEYS[2], ARGV[2])
end
return 1
