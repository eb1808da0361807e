# make run       start a server on http://127.0.0.1:8420
# make test      required before a change is merged; takes minutes
# make test-all  everything, including races, Clusters, crashes and real clients
# make lint      only checks of the source
# make generate  generate the Go code of the pages, and compress their files
# make fuzz      run each fuzz target for FUZZTIME
# make tools     build the development tools of tools/cmd in bin
# make load      put load on a server: ARGS are arguments of linnet-bench
# make torture   crash and check its own server: ARGS are arguments of linnet-torture
# make mutants   insert one bug after the other, which tests must find
# make release   build all files of a release in dist: ARGS are arguments of packaging
# make bench     run the benchmarks; BENCH selects some
#
# LINNET_REQUIRE=redis,node makes tests fail that would be skipped because the
# program is missing. Only the targets test and deps install anything.

GO       ?= go
ARGS     ?=
FUZZTIME ?= 30s
BENCH    ?= .
PKG      ?= ./...

PHASE = @scripts/phase

# Tests use the same build settings as releases, which avoids a second compilation.
export CGO_ENABLED := 0
export GOFLAGS     := $(strip $(GOFLAGS) -trimpath)

CHECKS := lint-build lint-pages lint-format lint-vet lint-static lint-prose
SUITES := test-race test-rest test-system test-clients vuln
ALONE  := test-budgets

.PHONY: $(CHECKS) $(SUITES) $(ALONE) build run deps test test-all lint generate fuzz tools load torture mutants release bench clean

build:
	$(GO) build -trimpath -ldflags='-s -w' -o linnet ./cmd/linnet

run:
	$(GO) run ./cmd/linnet $(ARGS)

deps:
	$(PHASE) "dependencies of tests" scripts/install-test-deps.sh

test: deps lint
	$(PHASE) "tests" scripts/go-test.sh quick

# Every phase runs even if an earlier one has failed, so that one failure does not hide others. Three
# suites run at a time, because all but the first mostly wait for servers and browsers. The budgets
# follow alone, because they measure times.
test-all: deps
	@code=0; \
	$(MAKE) --no-print-directory --keep-going -j2 --output-sync=target $(CHECKS) || code=$$?; \
	$(MAKE) --no-print-directory --keep-going -j3 --output-sync=target $(SUITES) || code=$$?; \
	$(MAKE) --no-print-directory $(ALONE) || code=$$?; \
	exit $$code

lint: $(CHECKS)

lint-build:
	$(PHASE) "build" scripts/modules.sh $(GO) build -o /dev/null ./...

lint-pages:
	$(PHASE) "generated pages" scripts/generate.sh --check

lint-format:
	$(PHASE) "gofmt" scripts/gofmt-check.sh

lint-vet:
	$(PHASE) "go vet" scripts/modules.sh $(GO) vet ./...

lint-static:
	$(PHASE) "staticcheck" scripts/modules.sh $(CURDIR)/scripts/tool.sh staticcheck ./...

lint-prose:
	$(PHASE) "prose" scripts/prose.sh

test-race:
	$(PHASE) "tests for races" scripts/go-test.sh race

test-rest:
	$(PHASE) "tests of pages, faults and models" scripts/go-test.sh rest

test-budgets:
	$(PHASE) "budgets of pages" scripts/go-test.sh budgets

test-system:
	$(PHASE) "tests of whole servers" scripts/go-test.sh system

test-clients:
	$(PHASE) "real clients" scripts/client-test.sh

generate:
	scripts/generate.sh

vuln:
	$(PHASE) "govulncheck" scripts/vuln.sh

fuzz:
	scripts/fuzz.sh $(FUZZTIME)

tools:
	$(GO) build -C tools -o ../bin/ ./cmd/...

load: tools
	@bin/linnet-bench $(ARGS)

torture: build tools
	@bin/linnet-torture --program ./linnet $(ARGS)

mutants:
	cd tools && $(GO) run ./mutants

release:
	@VULN_REQUIRED=1 scripts/vuln.sh
	@$(GO) run -C packaging . --root .. --out ../dist $(ARGS)

bench:
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem $(PKG)

clean:
	rm -rf linnet bin dist
