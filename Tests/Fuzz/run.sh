#!/bin/sh
# make fuzz: builds the fuzzer, makes seeds with the toolchain, and runs every target for SECONDS (or RUNS executions).
set -eu
cd "$(dirname "$0")/../.."
home=.build/fuzz
seconds=${SECONDS_EACH:-60}
targets=${TARGET:-macho elf bitcode archive fat lipo}
mkdir -p $home

swiftc -O -parse-as-library -sanitize=fuzzer,address -module-name Fuzz -package-name npi-pack -swift-version 6 \
  -strict-memory-safety -enable-experimental-feature Lifetimes -enable-upcoming-feature ExistentialAny \
  -enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature MemberImportVisibility \
  Sources/ObjectFiles/*.swift Tests/Fuzz/*.swift -o $home/npi-fuzz

# Seeds: what the tests' fixtures are made of, small.
seeds=$home/seeds
if [ ! -e $seeds/complete ]; then
  rm -rf $seeds && mkdir -p $seeds/objects
  cat > $seeds/a.c <<'C'
int common; static int zero; int value = 1; const int constant = 2; extern int outside;
__attribute__((weak)) int weak(void) { return outside; }
__attribute__((visibility("hidden"))) int hidden(void) { return value; }
static int local(void) { static int kept; return kept++; }
int f(void) { return local() + zero + constant + common + hidden() + weak(); }
C
  cat > $seeds/b.cc <<'C'
inline int shared() { static int n; return n++; }
struct Base { virtual ~Base(); virtual int f() { return shared(); } };
struct Derived : Base { int f() override; };
int Derived::f() { return 2; }
C
  cat > $seeds/c.m <<'C'
__attribute__((objc_root_class)) @interface Root + (void)load; - (int)one; @end
@protocol Runs - (void)run; @end
@interface Thing : Root <Runs> { int _x; } @property int x; @end
@implementation Root + (void)load {} - (int)one { return 1; } @end
@implementation Thing - (void)run { [self one]; } @end
@interface Root (More) - (int)two; @end
@implementation Root (More) - (int)two { return 2; } @end
C
  compile() { clang -c -w -ffreestanding -target "$1" "$2" -o "$seeds/objects/$3" ${4-}; }
  for arch in arm64 arm64e armv7 armv7s x86_64 i386; do
    compile $arch-apple-ios10.0 $seeds/a.c $arch-c.o
    compile $arch-apple-ios10.0 $seeds/b.cc $arch-cc.o
    [ $arch = i386 ] || compile $arch-apple-ios10.0 $seeds/c.m $arch-m.o -fobjc-runtime=ios-10.0
  done
  for target in aarch64-linux-android armv7a-linux-androideabi x86_64-linux-android i686-linux-android; do
    compile $target $seeds/a.c $target-c.o -fPIC
    compile $target $seeds/b.cc $target-cc.o -fPIC
    clang -target $target -fuse-ld=lld -nostdlib -shared -Wl,-soname,liba.so $seeds/objects/$target-c.o \
      -o $seeds/objects/$target.so
  done
  compile arm64-apple-ios13.0 $seeds/a.c c.bc -emit-llvm
  compile arm64-apple-ios13.0 $seeds/b.cc cc.bc -emit-llvm
  cd $seeds/objects
  for arch in arm64 x86_64; do
    platform=ios; [ $arch = arm64 ] || platform=ios-simulator
    ld64.lld-19 -dylib -arch $arch -platform_version $platform 13.0 13.0 -undefined dynamic_lookup $arch-c.o -o $arch.dylib
  done
  llvm-libtool-darwin-19 -static -D -o apple.a arm64-c.o arm64-cc.o
  for format in gnu bsd darwin coff; do llvm-ar-19 --format=$format rcsD $format.a arm64-c.o armv7-c.o; done
  llvm-lipo-19 -create arm64-c.o armv7-c.o x86_64-c.o -output fat.o
  llvm-lipo-19 -create arm64-c.o armv7-c.o -fat64 -output fat64.o
  cd - > /dev/null
  sort_into() { mkdir -p "$seeds/$1"; shift_to=$1; shift; for file; do cp "$seeds/objects/$file" "$seeds/$shift_to/"; done; }
  apple=$(cd $seeds/objects && ls | grep -E '^(arm64|arm64e|armv7|armv7s|x86_64|i386)-.*\.o$|\.dylib$' | grep -v linux)
  sort_into macho $apple
  sort_into elf $(cd $seeds/objects && ls | grep linux)
  sort_into bitcode c.bc cc.bc
  sort_into archive apple.a gnu.a bsd.a darwin.a coff.a
  sort_into fat fat.o fat64.o apple.a
  sort_into lipo fat.o fat64.o apple.a arm64-c.o
  touch $seeds/complete
fi

export ASAN_OPTIONS=quarantine_size_mb=8:detect_leaks=0
for target in $targets; do
  mkdir -p $home/corpus/$target
  echo "fuzz: $target"
  NPI_FUZZ=$target $home/npi-fuzz $home/corpus/$target $seeds/$target -max_total_time=$seconds ${RUNS:+-runs=$RUNS} \
    -timeout=1 -rss_limit_mb=256 -malloc_limit_mb=64 -max_len=65536 -print_final_stats=1 \
    -artifact_prefix=$home/found-$target- > $home/$target.log 2>&1 || { tail -40 $home/$target.log; exit 1; }
  grep -E 'stat::(number_of_executed_units|peak_rss_mb|slowest_unit_time_sec)' $home/$target.log
done
