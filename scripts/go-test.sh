#!/usr/bin/env bash
# Runs tests and prints the ten slowest ones. Fuzz targets only run with their seeds.
#
#   scripts/go-test.sh quick   each package with -short: samples of repetitive tests, few
#                              in a browser, and one engine if the suites show that
#                              engines are alike
#   scripts/go-test.sh race    tests with the race detector, except tests in a browser,
#                              which shares no memory with the program, and repetitive
#                              tests in one goroutine: faults at each write, models,
#                              counts of reads, budgets; services only over one engine
#   scripts/go-test.sh rest    the tests that "race" leaves out, without the detector, and
#                              all others of their packages if they also use engines or
#                              browsers
#   scripts/go-test.sh budgets the budgets of pages, some of which are times in a browser,
#                              so nothing else may run at that time
#   scripts/go-test.sh system  several servers on a Cluster, servers that crash, and a
#                              release that is installed and built again; the servers are
#                              built like releases, so the detector would only see tests
set -euo pipefail
cd "$(dirname "$0")/.."
go=${GO:-go}
# Many tests wait, for a browser, a lease or a child process, so two packages run per core. Vet is a
# check of its own.
options=(-vet=off -timeout 25m -p $((2 * $(getconf _NPROCESSORS_ONLN))))
apart='TestStrangeParameters|TestTree|TestAcceptance|TestGroupsWithoutScripts'
apart+='|TestEachWriteOf.*|TestNoReplicaHears|TestHomeIsNeverStale|TestTopForTenAccountsMore|TestTopIsTheBestTenth|TestRequestsInEveryOrder|TestHomePastTheFloor.*|TestManyWhoAreLimited|TestImportLimits|TestPostsImportLarge'
apart+='|TestPageBudgets|Test.*EqualTheModel|Test.*EqualsTheModel|Test.*Cost|TestCommandsOf.*|TestBoundsOf.*|TestGrowthOf.*'
apart+='|TestPowerLoss|TestFlippedBit|TestTornLog|TestAgingIsBounded|TestHugeTxn|TestCheckIsLinear|TestBreachesAreFound|TestDamage.*|TestSizes|TestShapes|TestFilms'
# The suite of the API runs on each engine, but only on one with the race detector.
suites='^TestBehaviour$/^(disk|redis)$'
budgets='^TestAcceptance$/^36_'

tool=$PWD/scripts/tool.sh
events=$(mktemp -d)
trap 'rm -rf "$events"' EXIT
code=0

# run tests the packages of a module: MODULE "PACKAGE..." [OPTION...].
run() {
	local module=$1 packages=$2
	shift 2
	# shellcheck disable=SC2086 # packages are words
	(cd "$module" && "$tool" gotestsum --format pkgname --hide-summary skipped --jsonfile "$(mktemp "$events/XXXXXX.json")" -- "${options[@]}" "$@" $packages) || code=$?
}

# packages lists the packages whose tests contain a pattern.
packages() {
	grep -rlE --include='*_test.go' "$1" cmd internal | xargs -n1 dirname | sort -u | sed 's|^|./|'
}

# product lists the packages of the product. The slowest ones begin first, so that no core waits for
# them at the end.
product() {
	local slow
	slow=$("$go" list ./internal/{app,web,mastodon,posting,social,identity} ./internal/kv/{diskkv,rediskv})
	printf '%s\n' "$slow"
	"$go" list ./... | grep -vxF "$slow"
}

case ${1:-} in
quick)
	run . "$(product)" -short
	run tools ./... -short
	;;
race)
	export CGO_ENABLED=1 # the race detector is written in C
	if ! command -v "$("$go" env CC)" >/dev/null 2>&1; then
		echo "the race detector needs a C compiler"
		[ -z "${CI:-}" ] || exit 1
		exit 0
	fi
	run . "$(product)" -race -skip "^($apart)\$|$suites"
	run tools ./bench -race # the other tools do one thing after the other
	;;
rest)
	whole=$(packages 'apptest\.(EachEngine|On[A-Z])|onEngines\(|newTab\(')
	run . "$whole" -skip "$budgets"
	run . "$(packages "^func ($apart|TestBudgets)\(" | grep -vxF "$whole")" -run "^($apart|TestBudgets)\$"
	run tools "$(cd tools && "$go" list ./... | grep -v /bench\$)"
	;;
budgets) run . ./internal/web -run "$budgets" ;;
system) # the cache of results does not detect changes of the programs they start
	run test "./cluster ./torture" -count=1
	run packaging ./... -count=1
	;;
*)
	sed -n 's/^# \{0,1\}//;2,18p' "$0"
	exit 2
	;;
esac
cat "$events"/*.json >"$events/all"
echo "The slowest tests, which wait for their turn on a busy machine too:"
"$tool" gotestsum tool slowest --num 10 --jsonfile "$events/all"
exit $code
