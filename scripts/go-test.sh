#!/usr/bin/env bash
# Runs tests and prints the ten slowest ones. Fuzz targets only run with their seeds.
#
#   scripts/go-test.sh quick   each package with -short: samples of repetitive tests, few
#                              in a browser, and one engine if the suites show that
#                              engines are alike
#   scripts/go-test.sh race    all tests with the race detector, except tests in a
#                              browser, which shares no memory with the program, and
#                              repetitive tests in one goroutine: faults at each write,
#                              models, counts of reads, budgets; one engine for the API
#   scripts/go-test.sh rest    the tests that "race" excludes, without the detector
#   scripts/go-test.sh budgets the budgets of pages, some of which are times in a browser,
#                              so nothing else may run at that time
#   scripts/go-test.sh system  several servers on a Cluster, servers that crash, and a
#                              release that is installed and built again
set -euo pipefail
cd "$(dirname "$0")/.."
go=${GO:-go}
# The slowest packages begin first, so that no core waits for them at the end.
packages="$("$go" list ./internal/{app,web,mastodon,posting,social,identity} ./internal/kv/{diskkv,rediskv})"
packages+=" $("$go" list ./... | grep -vF -f <(tr ' ' '\n' <<<"$packages") || true)"
modules=(. tools)
# Many tests wait, for a browser, a lease or a child process, so two packages run per core.
options=(-timeout 25m -p $((2 * $(getconf _NPROCESSORS_ONLN))))
apart='TestStrangeParameters|TestTree|TestAcceptance|TestGroupsWithoutScripts'
apart+='|TestEachWriteOf.*|TestNoReplicaHears|TestHomeIsNeverStale|TestTopForTenAccountsMore|TestTopIsTheBestTenth|TestRequestsInEveryOrder|TestHomePastTheFloor.*|TestManyWhoAreLimited|TestImportLimits|TestPostsImportLarge'
apart+='|TestPageBudgets|Test.*EqualTheModel|Test.*EqualsTheModel|Test.*Cost|TestCommandsOf.*|TestBoundsOf.*|TestGrowthOf.*'
apart+='|TestPowerLoss|TestFlippedBit|TestTornLog|TestAgingIsBounded|TestHugeTxn|TestCheckIsLinear|TestBreachesAreFound|TestDamage.*|TestSizes|TestShapes|TestFilms'
# The suite of the API runs on each engine, but only on one with the race detector.
suites='^TestBehaviour$/^(disk|redis)$'
budgets='^TestAcceptance$/^36_'
case ${1:-} in
quick) options+=(-short) ;;
rest)
	apart+='|TestBudgets' # skipped with the race detector, which allocates
	options+=(-run "^($apart)\$|$suites" -skip "$budgets")
	packages="./internal/web ./internal/app "
	packages+=$(grep -rlE --include='*_test.go' "^func ($apart)\(" cmd internal | xargs -n1 dirname | sort -u | grep -vxE 'internal/(web|app)' | sed 's|^|./|')
	modules=(.)
	;;
budgets)
	options+=(-run "$budgets")
	packages=./internal/web
	modules=(.)
	;;
race)
	options+=(-race -skip "^($apart)\$|$suites")
	export CGO_ENABLED=1 # the race detector is written in C
	if ! command -v "$("$go" env CC)" >/dev/null 2>&1; then
		echo "the race detector needs a C compiler"
		[ -z "${CI:-}" ] || exit 1
		exit 0
	fi
	;;
system)
	export CGO_ENABLED=1
	options+=(-race -count=1) # the cache of results does not detect changes of the program they start
	modules=(test packaging)
	command -v "$("$go" env CC)" >/dev/null 2>&1 || options=(-timeout 25m -count=1)
	;;
*)
	sed -n 's/^# \{0,1\}//;2,15p' "$0"
	exit 2
	;;
esac
tool=$PWD/scripts/tool.sh
events=$(mktemp -d)
trap 'rm -rf "$events"' EXIT
code=0
for module in "${modules[@]}"; do
	case $module in
	tools) packages=./... ;;
	test) packages="./cluster ./torture" ;;
	packaging)
		packages=./...
		options=(-timeout 25m -count=1) # it starts programs and has no goroutines
		;;
	esac
	# shellcheck disable=SC2086 # packages are words
	(cd "$module" && "$tool" gotestsum --format pkgname --hide-summary skipped --jsonfile "$events/$(basename "$PWD").json" -- "${options[@]}" $packages) || code=$?
done
cat "$events"/*.json >"$events/all"
echo "The slowest tests, which wait for their turn on a busy machine too:"
"$tool" gotestsum tool slowest --num 10 --jsonfile "$events/all"
exit $code
