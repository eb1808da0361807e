#!/usr/bin/env bash
# usage: scripts/first-answer.sh USERS [TIMES]
# Fills a new data directory, starts a server on it several times (5) and prints the
# milliseconds from each start to the first response.
set -euo pipefail
cd "$(dirname "$0")/.."
users=${1:?how many users}
dir=$(mktemp -d)
server=
trap '[ -z "$server" ] || { kill $server; wait $server || true; }; rm -rf "$dir"' EXIT
go build -o "$dir/linnet" ./cmd/linnet
go build -C tools -o "$dir/linnet-seed" ./cmd/linnet-seed
"$dir/linnet-seed" --users "$users" --posts-per-user 1 --data "$dir/data" >&2
for _ in $(seq "${2:-5}"); do
	begin=$(date +%s%N)
	: >"$dir/log"
	"$dir/linnet" --data "$dir/data" --addr 127.0.0.1:0 --metrics-addr 127.0.0.1:0 >"$dir/log" 2>&1 &
	server=$!
	url=
	until [ -n "$url" ] && curl -sf -o "$dir/answer" "$url/api/v2/instance"; do
		kill -0 $server || { cat "$dir/log" >&2; exit 1; }
		url=$(sed -n 's/^Web *//p' "$dir/log")
	done
	echo $((($(date +%s%N) - begin) / 1000000))
	kill $server
	wait $server || true
	server=
done
