# make run       start a server on http://127.0.0.1:8420
# make test      what must pass before a change goes in, in minutes
# make test-all  all of it: races, Clusters, servers that break, real clients too
# make lint      the checks of the source alone
# make generate  the Go code of the pages, from their templates
# make fuzz      each fuzz target for FUZZTIME
# make tools     builds bin/linnet-bench and bin/linnet-torture
# make load      puts load on a server: ARGS are those of linnet-bench
# make torture   breaks a server of its own: ARGS are those of linnet-torture
# make mutants   makes the program wrong in one place after the other; tests must see it
# make release   what a release consists of, in dist: ARGS are those of packaging
# make bench     the benchmarks; BENCH narrows them
#
# LINNET_REQUIRE=redis,node turns tests that are skipped for want of a program
# into failures. Nothing is installed by targets other than test and deps.

GO       ?= go
ARGS     ?=
FUZZTIME ?= 30s
BENCH    ?= .
PKG      ?= ./...

PHASE = @scripts/phase

# What is tested is compiled as what is released, which is one compilation less.
export CGO_ENABLED := 0
export GOFLAGS     := $(strip $(GOFLAGS) -trimpath)

CHECKS := lint-build lint-pages lint-format lint-vet lint-static lint-prose
SUITES := test-race test-rest test-system test-clients vuln

.PHONY: $(CHECKS) $(SUITES) build run deps test test-all lint generate fuzz tools load torture mutants release bench clean

build:
	$(GO) build -trimpath -ldflags='-s -w' -o linnet ./cmd/linnet

run:
	$(GO) run ./cmd/linnet $(ARGS)

deps:
	$(PHASE) "dependencies of tests" scripts/install-test-deps.sh

test: deps lint
	$(PHASE) "tests" scripts/go-test.sh quick

# Every phase runs whatever became of those before it, so that one failure does not hide others.
test-all: deps
	@$(MAKE) --no-print-directory --keep-going $(CHECKS) $(SUITES)

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
