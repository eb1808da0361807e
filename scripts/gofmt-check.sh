#!/usr/bin/env bash
# Fails with a list of files that gofmt would change.
set -euo pipefail
cd "$(dirname "$0")/.."
bad=$(find . \( -name node_modules -o -name '.?*' \) -prune -o -name '*.go' -print0 | xargs -0 gofmt -l)
if [ -n "$bad" ]; then
	printf 'not formatted:\n%s\n' "$bad"
	exit 1
fi
