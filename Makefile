# Each target is a lesson or a chore; `make help` lists them. GNU make 3.81 or later.
SHELL   := /bin/bash
MODULES := stage1-main stage2-options stage3-storage stage4-informers stage5-serve
ARGS    ?=
FRESH   ?=
DATA    := data
export GOFLAGS ?= -buildvcs=auto
export E S C L H KIND YES STEP WORK PACK FORMAT START
help: ## this list
	@grep -hE '^[a-z0-9 -]+:.*## ' Makefile | sed -E 's/:[^#]*## /\t/' | expand -t 26

# lab: docs/tools, built when it has changed; it answers with exit codes of its own (bin/lab help).
LAB := @mkdir -p bin && go -C docs/tools build -o "$(CURDIR)/bin/lab" ./cmd/lab && bin/lab

.PHONY: $(shell sed -nE 's/^([a-z0-9-]+):.*\#\# .*/\1/p' Makefile)

# doctor is made of the standard library alone: it has to run where nothing else does yet.
doctor: ## is this machine ready? each line is OK or says what to type
prefetch: ## bring all modules here and build everything once (PACK=dir: from there, without network)
pack: ## PACK=dir: write all modules there, for machines without network
doctor prefetch pack:
	@command -v go >/dev/null && mkdir -p bin && GOFLAGS=-buildvcs=auto GOWORK=off go -C docs/tools build -o "$(CURDIR)/bin/doctor" ./cmd/doctor || \
	  { printf 'NO    go         does not do: install Go 1.26 or later from https://go.dev/dl, then open a new terminal\nNOT READY 1\n'; exit 1; }
	@bin/doctor $@

# run: build a stage alone, start with its data kept in data/stageN, stay in the foreground.
define run
	@[ -x bin/$(1) ] || echo "building $(1): the first build takes about a minute"
	@mkdir -p bin && cd $(1) && GOWORK=off go build -o ../bin/$(1) .
	@[ -z "$(FRESH)" ] || rm -rf $(DATA)/$@
	@mkdir -p $(DATA)/$@
	@trap : INT; ./bin/$(1) $(2) $(ARGS)
endef

stage1: ## run stage 1: main, health, version on http://127.0.0.1:8080
	$(call run,stage1-main,)
stage2: ## run stage 2: all options (try ARGS=--dry-run)
	$(call run,stage2-options,--bbolt-file=$(DATA)/$@/state.db)
stage3: ## run stage 3: kubectl over plain HTTP, objects kept in bbolt
	$(call run,stage3-storage,--bbolt-file=$(DATA)/$@/state.db)

# The plugins of a real cluster that this stage has; its own default is the article's, AlwaysAdmit.
PLUGINS := NamespaceLifecycle,LimitRanger,ServiceAccount,TaintNodesByCondition,PodSecurity,Priority,DefaultTolerationSeconds,StorageObjectInUseProtection,ResourceQuota

stage4: ## run stage 4: with watch, informers, hooks, controllers; shows the way of each object
	$(call run,stage4-informers,--bbolt-file=$(DATA)/$@/state.db --admission-control=$(PLUGINS) -v=2)

stage5: ## run stage 5, the full server: https://127.0.0.1:6443 (all take ARGS="…" and FRESH=1)
	$(call run,stage5-serve,--bbolt-file=$(DATA)/$@/state.db --cert-dir=$(DATA)/$@/certs)

test: ## all tests of all stages, under 5 minutes from a cold cache
race: ## all tests under the race detector
test race:
	@for m in $(MODULES); do echo "== $$m"; (cd $$m && GOWORK=off go test $(filter -race,-$@) ./...) || exit 1; done
	@[ $@ = race ] || { echo "== docs/tools"; go -C docs/tools test ./...; }

clients: ## client-go and controller-runtime against the built server, under 6 minutes from a cold cache
	@cd stage5-serve/clienttest && GOWORK=off go vet . && GOWORK=off go test .
vet: ## go vet, gofmt, and the grammar of comments
	@for m in $(MODULES); do (cd $$m && GOWORK=off go vet ./...) || exit 1; done
	@out="$$(gofmt -l $(MODULES) docs)"; [ -z "$$out" ] || { echo "gofmt would change: $$out"; exit 1; }
	@$(MAKE) --no-print-directory comments

comments: ## check that every package says which paragraph and which upstream file it follows
lines: ## core and reference lines of each stage, against their guides
progress: ## which exercises are done and what comes next
docs: ## fill excerpts, tables, boxes and outputs of all pages
docs-check: ## nothing stale, dead, lagging behind the other language, or giving an answer away
plan: ## FORMAT=90min: a run sheet of the workshop (2h, half, day; START=09:00)
comments lines progress docs docs-check plan: ; $(LAB) $@

path: ## S=3: what to read of a stage, in order, with file and line
steps: ## S=3: a stage's Examples from the bottom up, with what they print
see: ## S=3: play a stage's transcript (STEP=1 waits for Enter)
diff: ## S=4: what a stage adds to the ones before it
path steps see diff: ; $(LAB) $@ $(S)

exercise: ## E=1.1: cut an exercise into docs/exercises/work (KIND=debug: find the bug; L=zh)
check: ## E=1.1: run its tests on your copy
hint: ## E=1.1: the next hint (H=2: that one)
solution: ## E=1.1: the difference to the reference, and why
reset: ## E=1.1: begin anew; a backup is kept (KIND=debug: with a bug)
try: ## E=1.1: run the server of your copy on a free port
erratum: ## E=1: an error of the article: guess, then see it run
exercise check hint solution reset try erratum: ; $(LAB) $@ $(E)

i18n-ok: ## C=1-main S=1.2: accept a section changed in one language
	$(LAB) $@ $(C) $(S)
verify: docs-check ## prove the pages and the exercises
	$(LAB) $@

bench: ## what a request costs, beside a static server that sends the same bytes (BENCH=Read: some)
	@cd stage5-serve && GOWORK=off go test -count=1 -timeout 60m -run '^$$' -bench '$(or $(BENCH),.)' ./bench
torture: ## kill -9 a thousand times, a million updates, a full disk: nothing acknowledged may be lost
	@cd stage3-storage && TORTURE=20 GOWORK=off go test -count=1 -timeout 60m -v -run 'Kill9|ManyUpdates|FullDisk' ./kv/bboltkv
build: ## all five binaries into bin/
	@mkdir -p bin; for m in $(MODULES); do echo "building $$m"; (cd $$m && GOWORK=off go build -o ../bin/$$m .) || exit 1; done
clean: ## remove binaries and all data of all stages
	rm -rf bin $(DATA)
