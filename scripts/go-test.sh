#!/usr/bin/env bash
# Runs tests and prints the ten slowest of them. Fuzz targets run with their seeds,
# as tests.
#
#   scripts/go-test.sh quick   each package by itself, without the race detector
#   scripts/go-test.sh race    the same with it, but not again what a browser does,
#                              which shares no memory with the program, and what
#                              one goroutine does a hundred thousand times
#   scripts/go-test.sh system  several servers over a Cluster, and servers that break
set -euo pipefail
cd "$(dirname "$0")/.."
go=${GO:-go}
# Those that take longest begin first, so that no core waits for them in the end.
packages="$("$go" list ./internal/{web,social,mastodon} ./internal/kv/rediskv)"
packages+=" $("$go" list ./... | grep -vF -e /test/ -f <(tr ' ' '\n' <<<"$packages") || true)"
options=(-timeout 25m)
case ${1:-} in
quick) ;;
race)
	options+=(-race -skip '^(TestStrangeParameters|TestTree|TestAcceptance|TestOlderBrowsers|TestFrames|TestGroups(AccessibleInBrowser|WithoutScripts))$')
	if ! command -v "$("$go" env CC)" >/dev/null 2>&1; then
		echo "the race detector needs a C compiler"
		[ -z "${CI:-}" ] || exit 1
		exit 0
	fi
	;;
system)
	options+=(-race)
	packages=$("$go" list ./test/cluster ./test/torture)
	command -v "$("$go" env CC)" >/dev/null 2>&1 || options=(-timeout 25m)
	;;
*)
	sed -n 's/^# \{0,1\}//;2,9p' "$0"
	exit 2
	;;
esac
events=$(mktemp)
trap 'rm -f "$events"' EXIT
code=0
# shellcheck disable=SC2086 # packages are words
scripts/tool.sh gotestsum --format pkgname --hide-summary skipped --jsonfile "$events" -- "${options[@]}" $packages || code=$?
echo "The slowest tests, which wait for their turn on a busy machine too:"
scripts/tool.sh gotestsum tool slowest --num 10 --jsonfile "$events"
exit $code
