#!/usr/bin/env bash
# Runs all fuzz targets, one after the other.
# usage: scripts/fuzz.sh [TIME]
set -euo pipefail
cd "$(dirname "$0")/.."
go=${GO:-go}
time=${1:-30s}
for dir in $(scripts/modules.sh "$go" list -f '{{.Dir}}' ./...); do
	for target in $(cat "$dir"/*_test.go 2>/dev/null | sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p'); do
		scripts/phase "${dir#"$PWD"/} $target" "$go" test -C "$dir" -run '^$' -fuzz "^$target\$" -fuzztime "$time" .
	done
done
