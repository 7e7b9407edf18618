import Foundation
import SystemPackage
import TestSupport

/// Libraries as vendors ship them: each has names of its own, and, whoever wrote it, what compilers and the C++ standard
/// library's headers put into object files: helpers of blocks, protocols, `@available`, inline templates. They are compiled
/// at several levels of optimisation, from two versions of the headers, and with what older compilers called their helpers.
struct VendorLibraries {
  static let count = 60
  let scratch = Scratch()

  var names: [String] { (0..<Self.count).map { "libVendor\($0).a" } }

  /// Two libraries that do collide, and the name of what collides, as a report gives it.
  static let planted: [(name: String, source: String, file: String)] = [
    ("_planted_parse", "int planted_parse(int a) { return a + VERSION; }", "c"),
    (
      "_OBJC_CLASS_$_PlantedTracker",
      """
      __attribute__((objc_root_class)) @interface PlantedTracker + (void)track; @end
      @implementation PlantedTracker + (void)track {} @end
      """, "m"
    ),
    (
      "__ZN7planted5scaleEi",
      """
      namespace planted { inline int scale(int a) { return a * VERSION; } }
      int planted_use_VERSION(int a) { return planted::scale(a); }
      """, "cc"
    ),
  ]

  init() async throws {
    let texts = try await Self.compiled(scratch)
    var random = Seeded(seed: 20)
    var commands: [[String]] = []
    for vendor in 0..<Self.count {
      var members: [String] = []
      for (kind, versions) in texts.enumerated() where !random.once(in: 4) || kind == 0 {
        guard var text = random.one(of: versions) else { continue }
        text = text.replacing("PREFIX", with: "Vendor\(vendor)")
        if random.once(in: 3) { for (new, old) in Self.olderNames { text = text.replacing(new, with: old) } }
        let name = "v\(vendor)-\(kind)"
        try scratch.write("\(name).s", text)
        commands.append(["clang", "-target", Self.target, "-c", "\(name).s", "-o", "\(name).o"])
        members.append("\(name).o")
      }
      commands.append(["llvm-libtool-darwin-19", "-static", "-D", "-o", names[vendor]] + members)
    }
    for (index, planted) in Self.planted.enumerated() {
      for version in 1...2 {
        let name = "planted\(index)-\(version)"
        try scratch.write(
          "\(name).\(planted.file)", planted.source.replacing("VERSION", with: "\(version)") + "\n")
        commands.append(Self.compiler + ["-c", "\(name).\(planted.file)", "-o", "\(name).o"])
        commands.append(["llvm-libtool-darwin-19", "-static", "-D", "-o", "\(name).a", "\(name).o"])
      }
    }
    for command in commands { try await Tool.check(command, in: scratch.path) }
  }

  private static let target = "arm64-apple-ios13.0"
  /// With a version of the SDK, as Xcode's compilers note it: without one, code that differs may be another compiler's.
  private static let compiler = [
    "clang", "-target", target, "-Xclang", "-target-sdk-version=17.0", "-ffreestanding", "-fobjc-runtime=ios-13.0",
    "-w",
  ]

  /// What Clang says today, and what it said before versions 7 and 9.
  private static let olderNames = [
    ("___copy_helper_block_e8_", "___copy_helper_block_"), ("___destroy_helper_block_e8_", "___destroy_helper_block_"),
    ("__OBJC_PROTOCOL_$_", "l_OBJC_PROTOCOL_$_"), ("__OBJC_LABEL_PROTOCOL_$_", "l_OBJC_LABEL_PROTOCOL_$_"),
    ("__OBJC_PROTOCOL_REFERENCE_$_", "l_OBJC_PROTOCOL_REFERENCE_$_"),
  ]

  /// Of each source, as assembly: all that compilers make of it.
  private static func compiled(_ scratch: Scratch) async throws -> [[String]] {
    var texts: [[String]] = []
    for (index, (source, file)) in sources.enumerated() {
      try scratch.write("source\(index).\(file)", source)
      var versions: [String] = []
      for level in ["-O0", "-Os", "-O2"] {
        for headers in 1...2 {
          let flags = [level, "-DHEADERS=\(headers)", "-S", "source\(index).\(file)", "-o", "out.s"]
          try await Tool.check(compiler + (file == "c" ? [] : ["-fblocks"]) + flags, in: scratch.path)
          versions.append(String(decoding: try scratch.read("out.s"), as: UTF8.self))
        }
      }
      texts.append(versions)
    }
    return texts
  }

  private static let sources: [(String, String)] = [
    (
      """
      @class NSString;
      typedef void (^Action)(int);
      void PREFIX_keep(Action action);
      void PREFIX_make(id one, id other, Action next) {
        __block id count = other;
        PREFIX_keep(^(int a) { [(Class)one description]; });
        PREFIX_keep(^(int a) { next(a); [(Class)one description]; [(Class)other description]; count = one; });
        PREFIX_keep(^(int a) { next(a + HEADERS); });
      }
      """, "m"
    ),
    (
      """
      @protocol Named - (int)name;
      #if HEADERS == 2
      - (int)nickname;
      #endif
      @end
      @protocol Listed <Named> - (void)list; @end
      __attribute__((objc_root_class)) @interface PREFIXItem <Listed> @end
      @implementation PREFIXItem
      - (int)name { return 1; } - (int)nickname { return 2; } - (void)list { }
      - (id)protocol { return (id)@protocol(Listed); }
      @end
      @interface Outside @end
      @interface Outside (PREFIX) - (int)PREFIX_more; @end
      @implementation Outside (PREFIX) - (int)PREFIX_more { return HEADERS; } @end
      """, "m"
    ),
    (
      """
      int PREFIX_new(void); int PREFIX_old(void); void CFBundleGetVersionNumber(int);
      __attribute__((weak, visibility("hidden"))) void __clang_at_available_requires_core_foundation_framework(void) {
        CFBundleGetVersionNumber(HEADERS);
      }
      int PREFIX_run(void) { if (__builtin_available(iOS 16, *)) return PREFIX_new(); return PREFIX_old() + HEADERS; }
      """, "m"
    ),
    (
      """
      namespace std { inline namespace __1 {
      template <class T> struct allocator { T *take(unsigned long n) { return (T *)__builtin_malloc(n * sizeof(T)); } };
      template <class C, class A = allocator<C>> struct basic_string {
        C *data; unsigned long size;
        __attribute__((noinline)) basic_string(const C *text) { size = 0; while (text[size]) size++; data = A().take(size + HEADERS); }
        __attribute__((noinline)) ~basic_string() { if (HEADERS == 1 || data) __builtin_free(data); }
      };
      typedef basic_string<char> string;
      struct ostream { virtual ~ostream() {} virtual ostream &write(const char *text, unsigned long size); int state; };
      template <class C, class A> __attribute__((noinline)) ostream &operator<<(ostream &to, const basic_string<C, A> &text) {
        if (HEADERS == 2) to.state++;
        return to.write(text.data, text.size);
      }
      } }
      extern "C" int PREFIX_print(std::ostream &to) { std::string text("PREFIX"); to << text << text; return to.state; }
      """, "cc"
    ),
    (
      """
      static int helper(int a) { return a * HEADERS; }
      static int table[] = {1, 2, HEADERS};
      int PREFIX_value = 3;
      int PREFIX_count(int a) { return helper(a) + table[a & 1] + PREFIX_value; }
      """, "c"
    ),
    (
      """
      extern "C" int PREFIX_may(int);
      struct Guard { ~Guard(); };
      extern "C" int PREFIX_try(int a) { Guard guard; try { return PREFIX_may(a); } catch (int b) { return b + HEADERS; } }
      """, "cc"
    ),
  ]
}
