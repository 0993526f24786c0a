# What a person runs. `make` alone prints the targets with what stands behind their ##.

# node_modules/.bin leads: it holds the Node of the lock file, whatever the machine brings.
# npm itself runs on the machine's own Node, since installing replaces the other one.
OWN_PATH := $(PATH)
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)

# npm writes this file last, so it is there only when an installation is whole.
INSTALLED := node_modules/.package-lock.json

# The file RELEASE is there in an unpacked release (scripts/release.ts), which has its docs built and brings no tools.
RELEASE := $(wildcard RELEASE)

INSTALL := npm ci$(if $(RELEASE), --omit=dev)

# The docs and the card library are built once, and again when a source is newer. The manifest is written last.
BUILT := web/dist/manifest.json
ifeq ($(RELEASE),)
SOURCES := package-lock.json generated/openapi.json spec/changes.yaml domain/payments/payment-transitions.ts \
  gateway/simulator/magic-values.ts scripts/build.ts $(shell find web -path web/dist -prune -o -print 2> /dev/null)
endif

# LANG is also what tells programs how the machine writes its messages: only what stands on make's own line is meant.
ifeq ($(origin LANG),command line)
LANGUAGE_ASKED := $(LANG)
unexport LANG
endif

.DEFAULT_GOAL := help
.PHONY: start build release test lint format bench generate breaking contract mock acquirer clients test-clients admin migrate clean help ready tools

# What was compiled is kept, young objects get 16 MiB at most, and glibc keeps one heap in place of one for each thread: the
# service then starts in half the time and takes less memory under load, and is no slower (scripts/bench/results.md is
# measured so). Of the some 40 MiB that live, V8 lets old objects grow to a multiple that depends on how much they may be
# at most: with its own bound, gigabytes, memory under load was now 220 MiB and now 340; with this one it is 200.
NODE := NODE_COMPILE_CACHE=node_modules/.cache/node MALLOC_ARENA_MAX=1 exec node --max-semi-space-size=16 --max-old-space-size=512

start: ready $(BUILT) ## Run the service; prints its addresses and the demo key. Ctrl-C stops it.
	@$(NODE) main.ts

build: tools $(BUILT) ## Build the docs and the card library into web/dist, where a source is newer. make start does it too.

release: tools $(BUILT) ## Pack what production needs into release/centavo-<version>.tar.gz. OUT=… takes another folder.
	@exec node scripts/release.ts $(if $(OUT),--out '$(OUT)')

test: tools ## Run everything that proves it: linters, tests, contract. FILES="test/db …" runs those alone.
	@command -v git > /dev/null || { echo 'git is needed: some tests ask it for the files of the project.' >&2; exit 1; }
	@exec node scripts/test.ts $(FILES)

contract: tools $(BUILT) ## Ask the running service for every answer that the contract documents (Dredd). UPSTREAM=http://… asks a running sandbox.
	@exec node scripts/contract.ts $(if $(UPSTREAM),--upstream $(UPSTREAM))

mock: tools ## Mock the service from its contract on PORT, else 4010. UPSTREAM=http://… checks a running one instead.
	@exec node scripts/mock.ts $(if $(UPSTREAM),--upstream $(UPSTREAM))

acquirer: ready ## Run the simulated acquirer by itself, at ACQUIRER_URL, to rehearse production without a real one.
	@exec node scripts/acquirer.ts

lint: tools ## Check code, types and contract.
	@failed=0; for check in 'biome check .' 'tsc --noEmit' 'node scripts/lint-spec.ts'; do $$check || failed=1; done; exit $$failed

format: tools ## Format the code and fix what the linter can.
	@biome check --write .

clients: tools ## Generate clients of the API into clients/. LANG=go alone, or any generator's name.
	@exec node scripts/clients.ts $(LANGUAGE_ASKED)

test-clients: tools $(BUILT) ## Run the partners' story with each client against a sandbox. CLIENT=go alone.
	@exec node scripts/test-clients.ts $(CLIENT)

bench: tools $(BUILT) ## Measure speed and memory against operations written by hand; forty minutes, on a machine with nothing else to do. REHEARSE=yes only tries it.
	@exec node scripts/bench.ts$(if $(REHEARSE), --rehearse)

generate: tools ## Write what follows from spec/ into generated/.
	@node scripts/generate.ts

breaking: generate ## Tell which breaking changes of the contract spec/changes.yaml does not declare yet.
	@exec node scripts/breaking-changes.ts

migrate: ready ## Bring the database of DATABASE_URL or DATA_DIR to the newest schema.
	@node scripts/migrate.ts

admin: ready ## Print how merchants and API keys are administered.
	@node scripts/admin.ts --help

clean: ## Remove what was installed and built, and the databases of the tests. Your data under .data stays.
	rm -rf node_modules clients web/dist release .data/test test/clients/oapi-codegen/centavo test/clients/oapi-codegen/contract

help: ## Print this.
	@awk 'BEGIN { FS = ":.*## " } /^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

ready: $(INSTALLED)
	@command -v node > /dev/null || { echo 'Node 24 or newer is needed, and there is no node.' >&2; exit 1; }
	@node -e 'process.exit(parseInt(process.versions.node, 10) < 24 ? 1 : 0)' || \
	  { echo "Node 24 or newer is needed, and this is $$(node --version)." >&2; exit 1; }

tools: ready
	@[ -z '$(RELEASE)' ] || { echo 'This is a release, without the tools: run this in a clone of the repository.' >&2; exit 1; }

$(BUILT): $(SOURCES) | ready
	@[ -z '$(RELEASE)' ] || { echo 'This release is not whole: $@ is missing. Unpack it again.' >&2; exit 1; }
	@node scripts/build.ts

# Two that are started at once would install over each other: the second waits, and finds all there. The lock names
# its holder, so that one who was killed does not keep others waiting.
$(INSTALLED): package-lock.json
	@PATH='$(OWN_PATH)'; command -v npm > /dev/null || \
	  { echo 'npm is needed to install the packages, and there is none. It comes with Node.' >&2; exit 1; }
	@PATH='$(OWN_PATH)'; \
	until ln -s $$$$ .installing 2> /dev/null; do \
	  kill -0 "$$(readlink .installing)" 2> /dev/null || rm -f .installing; sleep 1; \
	done; \
	trap 'rm -f .installing' EXIT; trap 'exit 130' INT; trap 'exit 143' TERM; \
	[ $@ -nt $< ] || { echo '$(INSTALL)'; $(INSTALL) && touch $@; }
