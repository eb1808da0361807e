#!/usr/bin/env bash
# Runs the tests of all packages but the real clients, with the race detector.
# Fuzz targets run with their seeds, as tests.
#
# Some tests kill servers and wait for others to notice, on machines whose cores
# are shared. A package that fails is therefore run once more, alone, and named in
# the last line, whether it passes then or not: what fails twice fails.
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
out=$(mktemp)
trap 'rm -f "$out"' EXIT
if "$go" list ./... | grep -v '/test/clients$' | xargs "$go" test $race -timeout 25m | tee "$out"; then
	exit 0
fi
failed=$(awk '$1 == "FAIL" && $2 != "" {print $2}' "$out" | sort -u)
case "$failed" in
"") exit 1 ;; # it did not build, or was stopped
esac
echo "-- once more, alone: $failed"
# shellcheck disable=SC2086 # names of packages, one a word
if "$go" test $race -count=1 -p 1 -timeout 25m $failed; then
	echo "-- passed the second time, so look at why not the first:" $failed
	exit 0
fi
echo "-- failed twice:" $failed
exit 1
