#!/usr/bin/env bash
# usage: scripts/redis-memory.sh USERS [SETTING VALUE]...
# Fills a private Redis, with these settings of redis-server in addition to the defaults,
# and prints the memory of each kind of record. For example:
#
#	scripts/redis-memory.sh 20000 --zset-max-listpack-entries 700
set -euo pipefail
cd "$(dirname "$0")/.."
users=${1:?how many users}
shift
dir=$(mktemp -d)
go build -C tools -o "$dir/linnet-seed" ./cmd/linnet-seed
redis-server --port 0 --unixsocket "$dir/socket" --dir "$dir" --save '' --appendonly no "$@" >"$dir/log" &
redis=$!
trap 'kill $redis; wait $redis || true; rm -rf "$dir"' EXIT
until redis-cli -s "$dir/socket" ping >/dev/null 2>&1; do
	kill -0 $redis
	sleep 0.1
done
"$dir/linnet-seed" --users "$users" --posts-per-user 1 --data "$dir/data" --store "unix://$dir/socket" 2>/dev/null
cat >"$dir/look.lua" <<'LUA'
local cursor, kinds, lines = '0', {}, {}
repeat
  local page = redis.call('SCAN', cursor, 'COUNT', 1000)
  cursor = page[1]
  for _, key in ipairs(page[2]) do
    local name = string.match(key, '^[^:]+')
    local k = kinds[name] or {keys = 0, bytes = 0, members = 0}
    kinds[name] = k
    k.keys = k.keys + 1
    k.bytes = k.bytes + redis.call('MEMORY', 'USAGE', key, 'SAMPLES', '0')
    if redis.call('TYPE', key).ok == 'zset' then k.members = k.members + redis.call('ZCARD', key) end
  end
until cursor == '0'
for name, k in pairs(kinds) do
  local each = k.members > 0 and string.format(', %.1f a member', k.bytes / k.members) or ''
  lines[#lines + 1] = string.format('%-12s %8d keys, %10d bytes, %8.1f a key%s', name, k.keys, k.bytes, k.bytes / k.keys, each)
end
table.sort(lines)
return lines
LUA
redis-cli -s "$dir/socket" --eval "$dir/look.lua"
redis-cli -s "$dir/socket" info memory | grep used_memory_dataset:
