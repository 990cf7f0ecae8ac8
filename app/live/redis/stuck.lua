-- Tables leased more often than so: table, how often, …. KEYS: leases of each shard. ARGV: 1 so.
local answer = {}
for _, key in ipairs(KEYS) do
  for _, each in ipairs(redis.call('ZRANGEBYSCORE', key, '(' .. ARGV[1], '+inf', 'WITHSCORES')) do
    answer[#answer + 1] = each
  end
end
return answer
