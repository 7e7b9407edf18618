import LinkSupport
import ObjectFiles
import Rewriting
import SystemPackage
import TestSupport

@testable import LinkSupport

/// Renames a file of a scratch folder as `prefix-symbols` does, and checks it as that does.
func rename(
  _ input: String, to output: String, _ rewrite: SymbolRewrite = SymbolRewrite("ZZ_"), keepsDebug: Bool = true,
  in scratch: Scratch
) throws -> SymbolRenaming {
  let bytes = try scratch.read(input)
  let (renaming, new) = try renamed(ByteReader(bytes.span), input, rewrite, keepsDebug: keepsDebug)
  try scratch.write(output, new)
  return renaming
}

/// The renamed file, once it is proved to be as it should.
func renamed(
  _ reader: borrowing ByteReader, _ name: String, _ rewrite: SymbolRewrite, keepsDebug: Bool = true
) throws -> (renaming: SymbolRenaming, new: [UInt8]) {
  var renaming = try SymbolRenaming(reader, name: name, rewrite, keepsDebug: keepsDebug)
  let middle = renaming.units.count / 2
  let changes = try renaming.changes(0..<middle, reader) + renaming.changes(middle..<renaming.units.count, reader)
  try renaming.finish(changes, reader)
  let new = renaming.edits.applied(to: reader)
  try RenamingProof(renaming, new: ByteReader(new.span)).check(0..<renaming.units.count, reader, ByteReader(new.span))
  return (renaming, new)
}

/// Sources of a library in C and C++ with debugging information, and one of Objective-C.
enum Sources {
  static let c = """
    extern int rally_late(int), printf(const char *, ...);
    static int own(int x) { return x + 1; }
    int rally_count = 3;
    __attribute__((weak)) int rally_weak(void) { return 5; }
    __attribute__((visibility("hidden"))) int rally_hidden(int x) { return own(x) * 2; }
    int rally_open(const char *name) { printf("%s\\n", name); return rally_hidden(rally_late(rally_count)) + rally_weak(); }
    """
  static let cxx = """
    namespace rally {
      template <class T> struct Box { T value; T get() const; };
      template <class T> T Box<T>::get() const { return value; }
      struct View { virtual int draw(int); int x = 1; };
      int View::draw(int a) { return Box<int>{a + x}.get(); }
      template <class T> struct Held { T value; Held(T x); ~Held(); };
      template <class T> __attribute__((noinline)) Held<T>::Held(T x) : value(x) {}
      template <class T> __attribute__((noinline)) Held<T>::~Held() { value = 0; }
      template struct Held<long>;
    }
    extern "C" int rally_late(int x) { rally::View view; rally::Held<int> held(x); return view.draw(held.value); }
    """
  static let program = """
    extern int rally_open(const char *); extern int ZZ_rally_open(const char *), ZZ_rally_count;
    int main(void) { ZZ_rally_count = 9; return rally_open("old") * 1000 + ZZ_rally_open("new") == 15027 ? 0 : 1; }
    """
  /// A class by the compiler's runtime alone, without an SDK.
  static let objc = """
    @protocol Draws; @class Other;
    @protocol Own - (Other *)other:(Other<Own> *)x; @end
    __attribute__((objc_root_class)) @interface Root { Class isa; } + (id)make; @end
    @implementation Root + (id)make { return 0; } @end
    @interface Other : Root <Own> @end
    @implementation Other - (Other *)other:(Other<Own> *)x { return x; } @end
    @interface View : Root { @public Other *other; struct { int View; } plain; }
    @property(assign) Other *shown; @property(assign) Root<Own> *both; @end
    @implementation View
    @synthesize shown = _shown, both = _both;
    - (id)go { [Other make]; return other; }
    @end
    @interface View (Extra) - (void)extra; @end
    @implementation View (Extra) - (void)extra {} @end
    const char *names[] = { "View", "Viewer" };
    """
}

extension Scratch {
  /// Compiles the library for a target as `lib.a`, in the archive format of its system.
  func makeLibrary(_ target: String, _ flags: [String] = []) async throws {
    try write("c.c", Sources.c)
    try write("x.cpp", Sources.cxx)
    let flags = ["-target", target, "-ffreestanding"] + flags
    try await Tool.check(["clang"] + flags + ["-c", "c.c", "-o", "c.o"], in: path)
    try await Tool.check(
      ["clang++"] + flags + ["-fno-exceptions", "-c", "x.cpp", "-o", "a_member_with_a_long_name.o"], in: path)
    let format = target.contains("apple") ? "darwin" : "gnu"
    try await Tool.check(
      ["llvm-ar-19", "--format=\(format)", "rcsD", "lib.a", "c.o", "a_member_with_a_long_name.o"], in: path)
  }

  /// Links a library into a dylib, which takes its place.
  func linkDylib(_ name: String) async throws {
    try await Tool.check(
      ["ld64.lld-19"] + LLD.base + ["-dylib", "-all_load", "-undefined", "dynamic_lookup", "-o", "out", name], in: path)
    try await Tool.check(["mv", "out", name], in: path)
  }

  /// The lines that llvm-nm prints, in the files' order.
  func nm(_ file: String, _ flags: [String] = []) async throws -> [String] {
    try await Tool.check(["llvm-nm-19", "-p", "--no-llvm-bc"] + flags + [file], in: path)
      .split(separator: "\n").map(String.init)
  }

  /// The global names that a library defines.
  func defined(_ file: String) async throws -> Set<String> {
    Set(try await nm(file, ["-gU", "--format=just-symbols"]).filter { !$0.hasSuffix(":") })
  }
}

/// The new name of a symbol, said once more in other words: a prefix behind the underscore of Apple's systems.
func prefixed(_ name: String, isApples: Bool, _ prefix: String = "ZZ_") -> String {
  isApples && name.hasPrefix("_") ? "_\(prefix)\(name.dropFirst())" : prefix + name
}
