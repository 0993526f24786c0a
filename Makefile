# The commands of the project. `make` alone prints the targets with the text behind their ##.

# node_modules/.bin comes first: it holds the Node of the lock file.
# npm itself runs on the machine's own Node, as the installation replaces the other one.
OWN_PATH := $(PATH)
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)

# npm writes this file last, so it exists only after a complete installation.
INSTALLED := node_modules/.package-lock.json

# The file RELEASE exists in an unpacked release (scripts/release.ts), which contains the built docs and no tools.
RELEASE := $(wildcard RELEASE)

INSTALL := npm ci$(if $(RELEASE), --omit=dev)

# The docs and the card library are built when they are missing or a source is newer. The manifest is written last.
BUILT := web/dist/manifest.json
ifeq ($(RELEASE),)
SOURCES := package-lock.json generated/openapi.json spec/changes.yaml domain/payments/payment-status-moves.ts \
  gateway/simulator/magic-values.ts scripts/build.ts $(shell find web -path web/dist -prune -o -print 2> /dev/null)
endif

# LANG is also the locale of the machine. Only a LANG on make's own command line names a client's language.
ifeq ($(origin LANG),command line)
LANGUAGE_ASKED := $(LANG)
unexport LANG
endif

.DEFAULT_GOAL := help
.PHONY: start build release test lint format bench bench-webhooks bench-clock bench-subscriptions bench-first-paint chaos simulate histories generate breaking contract mock acquirer clients test-clients admin migrate clean help ready tools

# Compiled code is cached, new objects get at most 16 MiB, and glibc uses one heap instead of one per thread. The
# service then starts in half the time, takes less memory under load, and is not slower (scripts/bench/results.md was
# measured so). V8 lets the heap grow to several times the size of the live objects (about 40 MiB), and to more if the
# limit is higher. With the default limit of some gigabytes, memory under load varied between 220 and 340 MiB; with this
# limit it is 200.
#
# V8 may allocate objects that lived long among the old ones from the start. Here it did so, in some processes and not in
# others, with the objects of single requests. Such a process answered a third fewer pages at 32 connections.
#
# With --expose-gc, main.ts can free the memory of the start.
NODE := NODE_COMPILE_CACHE=node_modules/.cache/node MALLOC_ARENA_MAX=1 exec node --max-semi-space-size=16 --max-old-space-size=512 \
  --no-allocation-site-pretenuring --expose-gc

start: ready $(BUILT) ## Run the service. Prints its addresses and the demo key. Ctrl-C stops it.
	@$(NODE) main.ts

build: tools $(BUILT) ## Build the docs and the card library into web/dist if a source is newer. make start does it too.

release: tools $(BUILT) ## Pack what production needs into release/centavo-<version>.tar.gz. OUT=… takes another folder.
	@exec node scripts/release.ts $(if $(OUT),--out '$(OUT)')

test: tools ## Run the linters, all tests and the contract. FILES="test/db …" runs those tests only.
	@command -v git > /dev/null || { echo 'git is needed: some tests ask it for the files of the project.' >&2; exit 1; }
	@exec node scripts/test.ts $(FILES)

contract: tools $(BUILT) ## Request every answer that the contract documents from the service (Dredd). UPSTREAM=http://… uses a running sandbox. QUICK=yes is shorter.
	@exec node scripts/contract.ts$(if $(QUICK), --quick)$(if $(UPSTREAM), --upstream $(UPSTREAM))

mock: tools ## Mock the service from its contract on PORT, else 4010. UPSTREAM=http://… checks a running one instead.
	@exec node scripts/mock.ts $(if $(UPSTREAM),--upstream $(UPSTREAM))

acquirer: ready ## Run the simulated acquirer alone, at ACQUIRER_URL, to rehearse production without a real one.
	@exec node scripts/acquirer.ts

lint: tools ## Check code, types and contract.
	@failed=0; for check in 'biome check .' 'tsc --noEmit' 'node scripts/lint-spec.ts'; do $$check || failed=1; done; exit $$failed

format: tools ## Format the code and fix what the linter can.
	@biome check --write .

clients: tools ## Generate clients of the API into clients/. LANG=go generates only that one; any generator's name works.
	@exec node scripts/clients.ts $(LANGUAGE_ASKED)

test-clients: tools $(BUILT) ## Run the example program with each client against a sandbox. CLIENT=go runs only that one.
	@exec node scripts/test-clients.ts $(CLIENT)

bench: tools $(BUILT) ## Measure speed and memory against hand-written operations: an hour on an idle machine. Deliveries have their own, bench-webhooks. REHEARSE=yes is a quick trial.
	@exec node scripts/bench.ts$(if $(REHEARSE), --rehearse)

bench-webhooks: tools $(BUILT) ## Measure the delivery of webhooks: a quarter of an hour on an idle machine. PAST=10000000 sets the past deliveries. REHEARSE=yes is a quick trial.
	@exec node scripts/bench-webhooks.ts$(if $(REHEARSE), --rehearse)$(if $(PAST), --past $(PAST))

bench-clock: tools $(BUILT) ## Measure how fast the clock of a sandbox moves: two minutes on an idle machine. REHEARSE=yes is a quick trial.
	@exec node scripts/bench-clock.ts$(if $(REHEARSE), --rehearse)

bench-subscriptions: tools $(BUILT) ## Measure the billing of subscriptions: a quarter of an hour on an idle machine. REHEARSE=yes is a quick trial.
	@exec node scripts/bench-subscriptions.ts$(if $(REHEARSE), --rehearse)

bench-first-paint: tools $(BUILT) ## Measure when a buyer with a slow phone sees a page: two minutes on an idle machine, with Chromium. REHEARSE=yes is a quick trial.
	@exec node scripts/bench-first-paint.ts$(if $(REHEARSE), --rehearse)

chaos: tools $(BUILT) ## Kill processes and connections at random under load, and compare all records. KILLS=1000 SEED=… change it.
	@KILLS='$(KILLS)' SEED='$(SEED)' exec node scripts/chaos.ts

simulate: tools $(BUILT) ## Run random histories of subscriptions against a model of the contract. SEEDS=1000 is their number; SEED=… STEPS=… repeats one.
	@SEEDS='$(SEEDS)' SEED='$(SEED)' STEPS='$(STEPS)' exec node scripts/simulate.ts

histories: tools $(BUILT) ## Run random histories of payments, with true and with false reports of the acquirer. HISTORIES=5000 is their number; SEED=… repeats them.
	@HISTORIES='$(or $(HISTORIES),5000)' SEED='$(or $(SEED),$(shell date +%s))' exec node --test test/simulation/histories.test.ts test/simulation/false-reports.test.ts

generate: tools ## Generate the files in generated/ from spec/.
	@node scripts/generate.ts

breaking: generate ## Report breaking changes of the contract that spec/changes.yaml does not declare.
	@exec node scripts/breaking-changes.ts

migrate: ready ## Migrate the database of DATABASE_URL or DATA_DIR to the newest schema.
	@node scripts/migrate.ts

admin: ready ## Print the help of the admin command.
	@node scripts/admin.ts --help

clean: ## Remove installed packages, built files and the databases of the tests. Other data under .data stays.
	rm -rf node_modules clients web/dist release .data/test /dev/shm/centavo-test$(subst /,-,$(CURDIR)) test/clients/oapi-codegen/centavo test/clients/oapi-codegen/contract

help: ## Print this help.
	@awk 'BEGIN { FS = ":.*## " } /^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

ready: $(INSTALLED) ## Install the packages of the lock file. Other targets do it first.
	@command -v node > /dev/null || { echo 'Node 24 or newer is needed, and there is no node.' >&2; exit 1; }
	@node -e 'process.exit(parseInt(process.versions.node, 10) < 24 ? 1 : 0)' || \
	  { echo "Node 24 or newer is needed, and this is $$(node --version)." >&2; exit 1; }

# Stops in a release.
tools: ready
	@[ -z '$(RELEASE)' ] || { echo 'This is a release, without the tools: run this in a clone of the repository.' >&2; exit 1; }

$(BUILT): $(SOURCES) | ready
	@[ -z '$(RELEASE)' ] || { echo 'This release is not whole: $@ is missing. Unpack it again.' >&2; exit 1; }
	@node scripts/build.ts

# Two runs at once would install over each other, so the second waits for the first. The lock names its process, so that
# a run that was killed does not block others.
$(INSTALLED): package-lock.json
	@PATH='$(OWN_PATH)'; command -v npm > /dev/null || \
	  { echo 'npm is needed to install the packages, and there is none. It comes with Node.' >&2; exit 1; }
	@PATH='$(OWN_PATH)'; \
	until ln -s $$$$ .installing 2> /dev/null; do \
	  kill -0 "$$(readlink .installing)" 2> /dev/null || rm -f .installing; sleep 1; \
	done; \
	trap 'rm -f .installing' EXIT; trap 'exit 130' INT; trap 'exit 143' TERM; \
	[ $@ -nt $< ] || { echo '$(INSTALL)'; $(INSTALL) && touch $@; }
