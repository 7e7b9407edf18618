#!/bin/sh
# seeds.sh DIRECTORY NPI-PACK: what the tests' fixtures are made of, small; made by the toolchain and by the program.
set -eu
seeds=$1 program=$2
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
# Every kind of export and bind that there is, and names that only a version script gives.
cat > $seeds/image.c <<'C'
extern int outside(void), outside_data, in_b(void); extern int maybe(void) __attribute__((weak_import));
int *pointer = &outside_data, *again = &outside_data; int data = 4, zero; const int constant = 5;
int calls(void) { return outside() + (maybe ? maybe() : 0) + in_b(); }
__attribute__((weak)) int weak(void) { return 2; }
__attribute__((weak)) int weak_data = 3;
__thread int thread_local_value = 6;
__attribute__((noinline)) static int local(void) { return 7 + weak() + weak_data; }
int uses(void) { return local(); }
asm(".globl _absolute\n.set _absolute, 0x1234");
C
echo 'int in_b(void) { return 1; }' > $seeds/in_b.c
echo 'extern int in_b(void); static int f(int x) { return x; } int main(void) { return f(in_b()); }' > $seeds/main.c
cat > $seeds/full.m <<'C'
#define ROOT __attribute__((objc_root_class))
ROOT @interface Root { Class isa; int count; } + (void)load; - (int)a:(int)a b:(int)b; + (id)make; - (void)c:(id)c; @end
@implementation Root + (void)load {} - (int)a:(int)a b:(int)b { return a + b; } + (id)make { return 0; }
- (void)c:(id)c {} @end
@protocol Base - (void)base; @end
@protocol Needs <Base> - (void)must; + (void)mustOfClass; @optional - (void)may; + (void)mayOfClass; @end
@interface Child : Root <Needs> @property int number; @end
@implementation Child - (void)base {} - (void)must {} + (void)mustOfClass {}
- (void)go:(id)x { [Root make]; [x c:x]; } @end
ROOT @interface Outside @end
@interface Outside (Extra) - (void)extra; + (void)load; @end
@implementation Outside (Extra) - (void)extra {} + (void)load {} @end
@interface FromOutside : Outside @end
@implementation FromOutside @end
C
# Relative method lists, which compilers leave to the linker: one by way of selector references, one without.
cat > $seeds/hand.s <<'S'
.section __TEXT,__text
_imp: ret
.section __TEXT,__objc_methname,cstring_literals
l_sel: .asciz "relative:"
l_other: .asciz "direct"
l_name: .asciz "Hand"
.section __DATA,__objc_selrefs,literal_pointers
.p2align 3
l_ref: .quad l_sel
.section __TEXT,__objc_methlist
.p2align 3
l_methods: .long 0x8000000c, 1
.long l_ref-., l_other-., _imp-.
l_class_methods: .long 0xc000000c, 1
.long l_other-., l_other-., _imp-.
.section __DATA,__objc_const
.p2align 3
l_ro: .long 2, 8, 8, 0
.quad 0, l_name, l_methods, 0, 0, 0, 0
l_meta_ro: .long 3, 40, 40, 0
.quad 0, l_name, l_class_methods, 0, 0, 0, 0
.section __DATA,__objc_data
.p2align 3
_OBJC_CLASS_$_Hand: .quad _OBJC_METACLASS_$_Hand, 0, 0, 0, l_ro
_OBJC_METACLASS_$_Hand: .quad _OBJC_METACLASS_$_Hand, _OBJC_CLASS_$_Hand, 0, 0, l_meta_ro
.section __DATA,__objc_classlist,regular,no_dead_strip
.p2align 3
.quad _OBJC_CLASS_$_Hand
.subsections_via_symbols
S
cat > $seeds/v.c <<'C'
int f1(void) { return 1; } int f2(void) { return 2; }
asm(".symver f1,f@V1"); asm(".symver f2,f@@V2");
int plain(void) { return 3; } int uses(void) { return 4; }
C
cat > $seeds/u.c <<'C'
extern int plain(void), uses(void), f(void), outside(void); __attribute__((weak)) int maybe(void); int here = 1;
int user(void) { return plain() + uses() + f() + outside() + (maybe ? maybe() : 0); }
C
printf 'V1 { global: f; plain; local: *; };\nV2 { global: uses; } V1;\n' > $seeds/v.map
cat > $seeds/4.tbd <<'T'
--- !tapi-tbd
tbd-version:     4
targets:         [ arm64-ios, x86_64-ios-simulator, arm64-ios-simulator ]
flags:           [ not_app_extension_safe ]
install-name:    '/usr/lib/libfoo.dylib'
current-version: 1.2.3
compatibility-version: 1.1
parent-umbrella:
- targets:         [ arm64-ios ]
  umbrella:        System
reexported-libraries:
- targets:         [ arm64-ios ]
  libraries:       [ '/usr/lib/libbar.dylib' ]
exports:
- targets:         [ arm64-ios, x86_64-ios-simulator ]
  symbols:         [ _a, '$ld$hide$os9.0$_a', "_$s4Main3runyyF" ]
  objc-classes:    [ Thing, Other ]
  objc-eh-types:   [ Thing ]
  objc-ivars:      [ Thing._x ]
  weak-symbols:    [ _w ]
  thread-local-symbols: [ _t ]
reexports:
- targets:         [ arm64-ios ]
  symbols:         [ _re ]
undefineds:
- targets:         [ arm64-ios ]
  symbols:         [ _u ]
  objc-classes:    [ NSObject ]
--- !tapi-tbd
tbd-version:     4
targets:         [ arm64-ios ]
install-name:    '/usr/lib/libbar.dylib'
exports:
- targets:         [ arm64-ios ]
  symbols:         [ _bar ]
...
T
for target in aarch64-linux-android armv7a-linux-androideabi x86_64-linux-android i686-linux-android; do
  compile $target $seeds/a.c $target-c.o -fPIC
  compile $target $seeds/b.cc $target-cc.o -fPIC
  clang -target $target -fuse-ld=lld -nostdlib -shared -Wl,-soname,liba.so $seeds/objects/$target-c.o \
    -o $seeds/objects/$target.so
done
compile arm64-apple-ios13.0 $seeds/a.c c.bc -emit-llvm
compile arm64-apple-ios13.0 $seeds/b.cc cc.bc -emit-llvm
# Libraries with versions and those that want them, with either hash table, with and without sections.
for target in aarch64-linux-android armv7a-linux-androideabi x86_64-linux-android i686-linux-android; do
  for style in sysv gnu; do
    link="clang -target $target -shared -nostdlib -fuse-ld=lld -fPIC -w -Wl,--hash-style=$style -Wl,--build-id=sha1"
    $link $seeds/v.c -Wl,--version-script=$seeds/v.map -Wl,-soname,libv.so -o $seeds/objects/$target-$style-v.so
    $link $seeds/u.c $seeds/objects/$target-$style-v.so -Wl,-rpath,/x -Wl,-soname,libu.so \
      -o $seeds/objects/$target-$style-u.so
    for name in u v; do
      library=$seeds/objects/$target-$style-$name
      llvm-strip-19 --strip-sections $library.so -o $library-bare.so
    done
  done
done
for arch in arm64 arm64e armv7 x86_64 i386; do
  case $arch in arm64e) system=ios14.0;; arm64) system=ios13.0;; x86_64) system=ios13.0-simulator;;
    armv7) system=ios7.0;; *) system=ios7.0-simulator;; esac
  compile $arch-apple-$system $seeds/full.m $arch-full.o
done
for arch in arm64 x86_64; do compile $arch-apple-ios13.0-simulator $seeds/hand.s $arch-hand.o; done
for name in image in_b main; do compile x86_64-apple-ios13.0-simulator $seeds/$name.c x86_64-$name.o; done
cd $seeds/objects
# For x86_64, whose pages are small: images for arm64 are mostly padding.
for version in 13.0 16.0; do
  link="ld64.lld-19 -arch x86_64 -platform_version ios-simulator $version $version -undefined dynamic_lookup"
  chains=-fixup_chains; [ $version = 16.0 ] || chains=-no_fixup_chains
  $link $chains -dylib -o $version.dylib x86_64-c.o
  $link $chains -dylib -install_name @rpath/libb.dylib -o in_b.dylib x86_64-in_b.o
  $link $chains -dylib -o $version-image.dylib x86_64-image.o in_b.dylib
  $link $chains -rpath @loader_path/x -o $version-main.dylib x86_64-main.o in_b.dylib
  $link $chains -dylib -o $version-objc.dylib x86_64-full.o
  $link $chains -dylib -o $version-objc-hand.dylib x86_64-hand.o
  for name in image main objc; do llvm-strip-19 -x $version-$name.dylib -o $version-$name-stripped.dylib; done
  # Its header says that the table lacks symbols.
  cp $version-image.dylib $version-image-unsynced.dylib
  printf '\004' | dd of=$version-image-unsynced.dylib bs=1 seek=27 conv=notrunc status=none
done
llvm-libtool-darwin-19 -static -D -o apple.a arm64-c.o arm64-cc.o
for format in gnu bsd darwin coff; do llvm-ar-19 --format=$format rcsD $format.a arm64-c.o armv7-c.o; done
llvm-lipo-19 -create arm64-c.o armv7-c.o x86_64-c.o -output fat.o
llvm-lipo-19 -create arm64-c.o armv7-c.o -fat64 -output fat64.o
cd - > /dev/null
sort_into() { mkdir -p "$seeds/$1"; shift_to=$1; shift; for file; do cp "$seeds/objects/$file" "$seeds/$shift_to/"; done; }
apple=$(cd $seeds/objects && ls | grep -E '^(arm64|arm64e|armv7|armv7s|x86_64|i386)-(c|cc|m)\.o$')
sort_into macho $apple 13.0.dylib 16.0.dylib 13.0-image-unsynced.dylib
sort_into elf $(cd $seeds/objects && ls | grep linux | grep -vE -- '-(sysv|gnu)-')
sort_into bitcode c.bc cc.bc
sort_into archive apple.a gnu.a bsd.a darwin.a coff.a
sort_into fat fat.o fat64.o apple.a
sort_into lipo fat.o fat64.o apple.a arm64-c.o
sort_into loader $(cd $seeds/objects && ls | grep -E 'dylib$' | grep -v objc)
sort_into objc $(cd $seeds/objects && ls | grep -E 'full\.o$|hand\.o$|objc.*dylib$')
sort_into code apple.a fat.o $(cd $seeds/objects && ls | grep -E 'full\.o$|hand\.o$|objc.*dylib$') arm64-m.o armv7-c.o c.bc
sort_into linkage $(cd $seeds/objects && ls | grep -E -- '-(sysv|gnu)-')
mkdir $seeds/tables $seeds/stub $seeds/class $seeds/jar
cat > $seeds/Thing.java <<'JAVA'
import java.lang.annotation.*;
@Target(ElementType.TYPE_USE) @interface Type {}
@interface Seen { Inner[] value() default @Inner(Thread.State.NEW); Class<?> type() default int[].class; }
@interface Inner { Thread.State value(); }
@Deprecated @Seen public class Thing<T extends @Type Comparable<T>> implements Runnable {
  static final long LONG = 1L << 40; static final double DOUBLE = 0.5; static final float FLOAT = 2f; String text = "a\0ä";
  enum Kind { ONE, TWO } record Pair(@Seen int a, long[] @Type [] b) {} interface Shape { default void draw() {} }
  public void run() { Runnable r = () -> System.out.println(text + LONG + DOUBLE); r.run(); try { @Type Object o = (@Type Object) r; o.wait(); } catch (@Type Exception e) {} }
}
JAVA
javac -d $seeds/class $seeds/Thing.java
cp $seeds/class/* $seeds/jar/
(cd $seeds/class && zip -q ../jar/deflated.jar ./* && zip -q0 ../jar/stored.jar Thing.class)
# Binds with every opcode; a trie of a weak export, a re-export and a resolver.
printf '\021\121\162\000@_a\000\220\200\010\220A_b\000>\240\010\261\300\002\010 \001@_c\000\320\002\320\000' \
  > $seeds/tables/binds
printf '\000\001_\000\005\000\003a\000\020b\000\024r\000\033\002\004\010\000\005\010\001_x\000\000\003\020\001\002\000' \
  > $seeds/tables/trie
cp $seeds/4.tbd $seeds/stub/
llvm-readtapi-19 $seeds/4.tbd --filetype=tbd-v5 -o $seeds/stub/5.tbd
# Words of the stubs, for what is text is seldom made by chance.
grep -ohE '[A-Za-z0-9_.-]{2,}' $seeds/stub/*.tbd | sort -u | sed 's/.*/"&"/' > $seeds/stub.words
python3 -W ignore Tests/Fuzz/seeds.py $seeds
for target in plist xml manifest; do
  cat $seeds/$target/* | tr -d '\0' | grep -aohE '[A-Za-z0-9_.:@#!<>/?&;%-]{2,40}' | sort -u | sed 's/.*/"&"/' > $seeds/$target.words
done
python3 Tests/Fuzz/kept.py $seeds "$program"
