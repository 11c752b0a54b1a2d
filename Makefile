# argus: build, try, test and install.  `make demo` and `make test` are all that a newcomer needs.

PREFIX  ?= /usr/local
DESTDIR ?=
SWIFT   ?= swift
JOBS    ?= $(shell nproc)

# The compiler's warnings are errors here; a plain `swift build` keeps them warnings.
export ARGUS_WARNINGS = error

# A position-independent program holds some 60,000 addresses to be corrected at each start. In the
# packed form of GNU ld they take 12 KB instead of 1.4 MB, which C libraries since 2.36 understand.
PACKED   := $(shell getconf GNU_LIBC_VERSION | awk '{ split($$2, v, "."); \
                if (v[1] * 100 + v[2] >= 236) print "-Xlinker -z -Xlinker pack-relative-relocs" }')
# No path of this machine is in the binaries, so that each folder gives the same bytes.
HERE     := -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. -Xcc -ffile-prefix-map=$(CURDIR)=. \
            -Xcxx -ffile-prefix-map=$(CURDIR)=.
RELEASE  := -c release --static-swift-stdlib --disable-local-rpath $(HERE) -Xswiftc -use-ld=bfd \
            -Xlinker -T -Xlinker $(CURDIR)/scripts/sections.ld -Xlinker -s $(PACKED) -Xlinker --version-script=$(CURDIR)/scripts/exports.map
BINARIES := .build/release/argus .build/release/argus-demo

.PHONY: all setup build install install-files uninstall demo test soak fuzz torture lint bench \
        generate clean deb dist test-packages test-reproducible release-check

all: build

setup:
	@scripts/setup

build: setup
	$(SWIFT) build $(RELEASE) -j $(JOBS) --product argus
	$(SWIFT) build $(RELEASE) -j $(JOBS) --product argus-demo

demo: build
	@scripts/demo

# In two runs: tests that start programs take processors from the time limits of the others. They start
# what users have: the optimizer has made mistakes that no debug build shows.
test: build
	@scripts/setup tests
	$(SWIFT) build -j $(JOBS) --build-tests
	@scripts/run-tests --skip EndToEndTests
	@ARGUS_BINARIES='$(CURDIR)/.build/release' scripts/run-tests --filter EndToEndTests

# Sign-ins under fire, in full: 50 rounds of 64 processes for each of three rules of servers, 500 rounds
# for all rules together in which 8 processes are killed, 500 in which 2 get signals, and 500 in which
# strangers answer 401. Each number is a variable, such as
#   make soak ARGUS_KILL_PROCESSES=64 ARGUS_KILL_ROUNDS=50 ARGUS_RENEWAL_ROUNDS=1
# Then watches through ten minutes in which everything breaks, a feed through an accelerated day, and an
# archive whose syncs are killed 200 times, as are runs of the queue.
soak:
	@scripts/setup tests
	$(SWIFT) build -j $(JOBS) --build-tests
	ARGUS_RENEWAL_ROUNDS=$${ARGUS_RENEWAL_ROUNDS:-50} \
	    ARGUS_RENEWAL_PROCESSES=$${ARGUS_RENEWAL_PROCESSES:-64} \
	    ARGUS_KILL_ROUNDS=$${ARGUS_KILL_ROUNDS:-500} \
	    ARGUS_KILL_PROCESSES=$${ARGUS_KILL_PROCESSES:-8} \
	    ARGUS_SIGNAL_ROUNDS=$${ARGUS_SIGNAL_ROUNDS:-500} \
	    ARGUS_STRANGER_ROUNDS=$${ARGUS_STRANGER_ROUNDS:-500} $(if $(ARGUS_BINARIES),ARGUS_BINARIES='$(ARGUS_BINARIES)') \
	    $(SWIFT) test --skip-build --disable-xctest --filter EndToEndTests.RenewalTests
	ARGUS_CHAOS=$${ARGUS_CHAOS:-10000} ARGUS_WATCH_EVENTS=$${ARGUS_WATCH_EVENTS:-10000} \
	    ARGUS_WATCH_SECONDS=$${ARGUS_WATCH_SECONDS:-600} ARGUS_WATCH_KILLS=$${ARGUS_WATCH_KILLS:-200} \
	    ARGUS_WATCH_DROPS=$${ARGUS_WATCH_DROPS:-500} \
	    ARGUS_WATCH_RESTARTS=$${ARGUS_WATCH_RESTARTS:-100} $(if $(ARGUS_BINARIES),ARGUS_BINARIES='$(ARGUS_BINARIES)') \
	    $(SWIFT) test --skip-build --disable-xctest --filter 'EndToEndTests.WatchChaosTests|FeedChaosTests'
	ARGUS_ARCHIVE_EVENTS=$${ARGUS_ARCHIVE_EVENTS:-20000} ARGUS_ARCHIVE_KILLS=$${ARGUS_ARCHIVE_KILLS:-200} \
	    ARGUS_ARCHIVE_CHANGES=$${ARGUS_ARCHIVE_CHANGES:-3000} \
	    $(if $(ARGUS_BINARIES),ARGUS_BINARIES='$(ARGUS_BINARIES)') \
	    $(SWIFT) test --skip-build --disable-xctest --filter EndToEndTests.ArchiveChaosTests
	ARGUS_QUEUE_ROUNDS=$${ARGUS_QUEUE_ROUNDS:-100} \
	    $(if $(ARGUS_BINARIES),ARGUS_BINARIES='$(ARGUS_BINARIES)') \
	    $(SWIFT) test --skip-build --disable-xctest --filter EndToEndTests.QueueWriteTests

# Every command on damaged answers, 10,000 runs for each of them, and on long ones.
fuzz:
	@scripts/setup tests
	$(SWIFT) build -j $(JOBS) --build-tests
	ARGUS_FUZZ=$${ARGUS_FUZZ:-10000} $(SWIFT) test --skip-build --disable-xctest --filter 'FuzzTests|MemoryTests'

# Each open, write, fsync, rename, connect and read of ten commands fails once; ARGUS_TORTURE_RUNS=400 takes
# a sample. As root.
torture: build
	@scripts/setup tests
	@scripts/torture

lint:
	@scripts/setup tests
	@scripts/lint

bench: build
	@scripts/setup tests
	@scripts/bench

# Writes the man pages and completions anew from the command table.
generate: build
	.build/release/argus generate man --to man
	.build/release/argus generate completions --to completions

install: build
	@$(MAKE) --no-print-directory install-files

# Without building; packages are made of what it installs.
install-files:
	install -d '$(DESTDIR)$(PREFIX)/bin' '$(DESTDIR)$(PREFIX)/share/man/man1' \
	    '$(DESTDIR)$(PREFIX)/share/man/man7' \
	    '$(DESTDIR)$(PREFIX)/share/bash-completion/completions' \
	    '$(DESTDIR)$(PREFIX)/share/zsh/site-functions' \
	    '$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d' '$(DESTDIR)$(PREFIX)/share/argus' \
	    '$(DESTDIR)$(PREFIX)/share/systemd/user' \
	    '$(DESTDIR)$(PREFIX)/share/doc/argus/docs/goals'
	install -m 755 $(BINARIES) '$(DESTDIR)$(PREFIX)/bin/'
	install -m 755 share/argus-credential-pass '$(DESTDIR)$(PREFIX)/share/argus/'
	for unit in share/systemd/*; do \
	    installed="$(DESTDIR)$(PREFIX)/share/systemd/user/$${unit##*/}"; \
	    sed 's|/usr/local/|$(PREFIX)/|g' "$$unit" > "$$installed" && \
	    chmod 644 "$$installed" || exit 1; \
	done
	install -m 644 man/*.1 share/man/*.1 '$(DESTDIR)$(PREFIX)/share/man/man1/'
	install -m 644 man/*.7 '$(DESTDIR)$(PREFIX)/share/man/man7/'
	install -m 644 completions/argus.bash \
	    '$(DESTDIR)$(PREFIX)/share/bash-completion/completions/argus'
	install -m 644 completions/_argus '$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_argus'
	install -m 644 completions/argus.fish \
	    '$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/argus.fish'
	install -m 644 README.md CHANGELOG.md LICENSE '$(DESTDIR)$(PREFIX)/share/doc/argus/'
	install -m 644 docs/*.md docs/*.svg docs/*.jpg docs/*.json \
	    '$(DESTDIR)$(PREFIX)/share/doc/argus/docs/'
	install -m 644 docs/goals/* '$(DESTDIR)$(PREFIX)/share/doc/argus/docs/goals/'

uninstall:
	rm -rf '$(DESTDIR)$(PREFIX)/share/doc/argus'
	rm -f '$(DESTDIR)$(PREFIX)/bin/argus' '$(DESTDIR)$(PREFIX)/bin/argus-demo' \
	    '$(DESTDIR)$(PREFIX)/share/bash-completion/completions/argus' \
	    '$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_argus' \
	    '$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/argus.fish' \
	    '$(DESTDIR)$(PREFIX)/share/argus/argus-credential-pass'
	for unit in share/systemd/*; do rm -f "$(DESTDIR)$(PREFIX)/share/systemd/user/$${unit##*/}"; done
	for page in man/*.1 share/man/*.1; do rm -f "$(DESTDIR)$(PREFIX)/share/man/man1/$${page##*/}"; done
	for page in man/*.7; do rm -f "$(DESTDIR)$(PREFIX)/share/man/man7/$${page##*/}"; done

# Debian packages, archives for other systems, the list of components and SHA256SUMS, in build/packages. The
# sums are signed with the key that ARGUS_SIGNING_KEY names.
# The scripts alone take the release binaries that are there; the same binaries give the same bytes.
deb: build
	@scripts/setup packages
	@scripts/deb

dist: build
	@scripts/setup packages
	@scripts/dist

# Installs, uses, upgrades and removes the packages in fresh installations of Debian 12 and 13; as root.
test-packages: build
	@scripts/setup packages
	@scripts/test-packages $(SUITES)

# Builds the source archive twice, without a network, in other folders and as other users; as root.
test-reproducible: dist
	@scripts/test-reproducible

# Everything that a release needs, and a page about it: see docs/releasing.md.
release-check:
	@scripts/release-check

clean:
	rm -rf .build build/packages
