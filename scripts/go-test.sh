#!/usr/bin/env bash
# Runs the tests of all packages but the real clients, with the race detector.
# Fuzz targets run with their seeds, as tests.
set -euo pipefail
cd "$(dirname "$0")/.."
go=${GO:-go}
race=-race
if ! command -v "$("$go" env CC)" >/dev/null 2>&1; then
	if [ -n "${CI:-}" ]; then
		echo "the race detector needs a C compiler"
		exit 1
	fi
	race=
	echo "no C compiler: the tests run without the race detector"
fi
"$go" list ./... | grep -v '/test/clients$' | xargs "$go" test $race -timeout 25m
