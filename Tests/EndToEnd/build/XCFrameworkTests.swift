import Foundation
import SystemPackage
import Testing
import TestSupport

/// XCFrameworks for all of Apple's platforms, as `plutil`, `plistlib`, Clang, Swift and LLVM's tools see them.
@Suite struct XCFrameworkTests {
  /// The targets, and the slices that become of them: identifier, platform, variant and architectures.
  private static let targets = [
    "arm64-apple-ios13.0", "armv7-apple-ios10.0", "arm64-apple-ios13.0-simulator", "x86_64-apple-ios13.0-simulator",
    "arm64-apple-ios14.0-macabi", "x86_64-apple-ios14.0-macabi", "arm64-apple-macos11.0", "x86_64-apple-macos10.15",
    "arm64-apple-tvos13.0", "arm64-apple-tvos13.0-simulator", "arm64_32-apple-watchos7.0",
    "arm64-apple-watchos9.0-simulator", "arm64-apple-xros1.0", "arm64-apple-xros1.0-simulator",
  ]

  private static let slices = [
    "ios-arm64_armv7 ios - arm64,armv7", "ios-arm64_x86_64-maccatalyst ios maccatalyst arm64,x86_64",
    "ios-arm64_x86_64-simulator ios simulator arm64,x86_64", "macos-arm64_x86_64 macos - arm64,x86_64",
    "tvos-arm64 tvos - arm64", "tvos-arm64-simulator tvos simulator arm64",
    "watchos-arm64-simulator watchos simulator arm64", "watchos-arm64_32 watchos - arm64_32", "xros-arm64 xros - arm64",
    "xros-arm64-simulator xros simulator arm64",
  ]

  /// Prints the list of an XCFramework, and every key that there is.
  private static let lister = """
    import plistlib, sys
    p = plistlib.load(open(sys.argv[1], 'rb'))
    print(sorted(p), p['CFBundlePackageType'], p['XCFrameworkFormatVersion'])
    for l in p['AvailableLibraries']:
        print(l['LibraryIdentifier'], l['SupportedPlatform'], l.get('SupportedPlatformVariant', '-'),
              ','.join(l['SupportedArchitectures']))
    print(sorted({k for l in p['AvailableLibraries'] for k in l}))
    """

  private static let made = Task {
    let scratch = Scratch()
    try scratch.write("include/Rally.h", "#import <Rally/RLLog.h>\nint RLStart(void);\n")
    try scratch.write("include/RLLog.h", "int RLLog(const char *text);\n")
    try scratch.write("rally.c", "int RLStart(void) { return 1; } int RLLog(const char *text) { return text != 0; }\n")
    for target in targets {
      try await Tool.check(
        [
          "sh", "-c",
          "mkdir -p o/\(target) && clang -target \(target) -ffreestanding -c rally.c -o o/\(target)/rally.o",
        ],
        in: scratch.path)
      let folder = scratch("o/\(target)")
      try await Tool.check(["llvm-libtool-darwin-19", "-static", "-D", "-o", "libRally.a", "rally.o"], in: folder)
    }
    try scratch.write(
      "npi.yml",
      """
      name: Rally
      version: 1.4.0-rc.1
      deliverables:
        frameworks: { kind: xcframework, libraries: "o/*/libRally.a", headers: include }
        libraries: { kind: xcframework, libraries: "o/*/rally.o", headers: include, layout: library, name: L.zip }
        mac: { kind: framework, libraries: "o/*-apple-macos*/libRally.a", headers: include }
      """)
    try await ExamplePlugin.pack(scratch.path)
    for (zip, folder) in [("Rally.xcframework.zip", "f"), ("L.zip", "l"), ("Rally.framework.zip", "m")] {
      try await Tool.check(["unzip", "-qq", "dist/\(zip)", "-d", folder], in: scratch.path)
    }
    return scratch
  }

  @Test func listsHaveTheKeysAndIdentifiersOfXcode() async throws {
    let scratch = try await Self.made.value
    for (folder, more) in [("f", ""), ("l", "'HeadersPath', ")] {
      let list = scratch("\(folder)/Rally.xcframework/Info.plist").string
      try await Tool.check(["plutil", "-lint", list])
      let printed = try await Tool.check(["python3", "-c", Self.lister, list])
      #expect(
        printed == """
          ['AvailableLibraries', 'CFBundlePackageType', 'XCFrameworkFormatVersion'] XFWK 1.0
          \(Self.slices.joined(separator: "\n"))
          ['BinaryPath', \(more)'LibraryIdentifier', 'LibraryPath', 'SupportedArchitectures', 'SupportedPlatform', \
          'SupportedPlatformVariant']

          """)
    }
  }

  /// Each slice's binary is for its architectures, and a framework's `Info.plist` has the minimum version of its code.
  @Test func slicesHoldTheirCode() async throws {
    let scratch = try await Self.made.value
    // Clang raises the versions of simulators on ARM.
    let minimum = [
      "ios-arm64_armv7": "10.0", "ios-arm64_x86_64-maccatalyst": "11.0", "ios-arm64_x86_64-simulator": "13.0",
      "macos-arm64_x86_64": "10.15", "tvos-arm64": "13.0", "tvos-arm64-simulator": "14.0",
      "watchos-arm64-simulator": "9.0", "watchos-arm64_32": "7.0", "xros-arm64": "1.0", "xros-arm64-simulator": "1.0",
    ]
    for slice in Self.slices {
      let words = slice.split(separator: " ").map(String.init)
      let framework = "f/Rally.xcframework/\(words[0])/Rally.framework"
      for binary in ["\(framework)/Rally", "l/Rally.xcframework/\(words[0])/libRally.a"] {
        let architectures = words[3].split(separator: ",").map(String.init)
        if architectures.count > 1 {
          let archs = try await Tool.check(["llvm-lipo-19", "-archs", binary], in: scratch.path)
          #expect(archs.split(whereSeparator: \.isWhitespace).map(String.init).sorted() == architectures, "\(binary)")
        } else {
          // llvm-lipo 19 crashes on a static library of one architecture.
          let target = try #require(Self.targets.first { Self.slice(of: $0) == words[0] })
          try await Tool.check(["cmp", binary, "o/\(target)/libRally.a"], in: scratch.path)
        }
        let names = try await Tool.check(["llvm-nm-19", "-g", "--defined-only", binary], in: scratch.path)
        #expect(names.contains(" _RLStart\n"), "\(binary)")
      }
      let isMac = words[1] == "macos" || words[2] == "maccatalyst"
      let key = isMac ? "LSMinimumSystemVersion" : "MinimumOSVersion"
      let info = scratch("\(framework)/\(isMac ? "Resources/" : "")Info.plist").string
      try await Tool.check(["plutil", "-lint", info])
      #expect(
        try await Tool.check([
          "python3", "-c",
          "import plistlib, sys; p = plistlib.load(open(sys.argv[1], 'rb')); "
            + "print(p[sys.argv[2]], p['CFBundlePackageType'], p['CFBundleShortVersionString'])", info, key,
        ]) == "\(minimum[words[0]] ?? "") FMWK 1.4.0\n", "\(slice)")
    }
    try await Tool.check(
      ["diff", "-r", "m/Rally.framework", "f/Rally.xcframework/macos-arm64_x86_64/Rally.framework"], in: scratch.path)
  }

  /// Clang finds the module of each slice: of a framework by its folder, of a library in the folder that Xcode copies
  /// headers to.
  @Test func clangImportsEverySlice() async throws {
    let scratch = try await Self.made.value
    try scratch.write("use.m", "@import Rally;\nint use(void) { return RLStart() + RLLog(\"\"); }\n")
    for target in Self.targets {
      let slice = try #require(Self.slice(of: target))
      for flags in [["-F", "f/Rally.xcframework/\(slice)"], ["-I", "l/Rally.xcframework/\(slice)/Headers"]] {
        let cache = "-fmodules-cache-path=\(scratch("cache\(flags[0])-\(target)"))"
        let words = ["clang", "-target", target, "-fmodules", cache, "-Werror", "-fsyntax-only", "use.m"]
        try await Tool.check(words + flags, in: scratch.path)
      }
    }
  }

  /// lld takes the code of a framework by its name, and that of a library by the library's.
  @Test func lldLinksBothLayouts() async throws {
    let scratch = try await Self.made.value
    try scratch.write("main.c", "int RLStart(void);\nint start(void) { return RLStart(); }\n")
    try await Tool.check(
      ["clang", "-target", "arm64-apple-ios13.0", "-ffreestanding", "-c", "main.c", "-o", "main.o"], in: scratch.path)
    let slice = "Rally.xcframework/ios-arm64_armv7"
    for (name, flags) in [("f", ["-F", "f/\(slice)", "-framework", "Rally"]), ("l", ["-L", "l/\(slice)", "-lRally"])] {
      let words = ["ld64.lld-19", "-arch", "arm64", "-platform_version", "ios", "13.0", "13.0", "-dylib", "main.o"]
      try await Tool.check(words + flags + ["-o", "\(name).dylib"], in: scratch.path)
      let names = try await Tool.check(["llvm-nm-19", "-g", "--defined-only", "\(name).dylib"], in: scratch.path)
      #expect(names.contains(" _RLStart\n"))
    }
  }

  private static func slice(of target: String) -> String? {
    let parts = target.split(separator: "-").map(String.init)
    let system = parts[2].prefix { $0.isLetter }
    let variants = ["simulator": "simulator", "macabi": "maccatalyst"]
    let variant = parts.count > 3 ? variants[parts[3]] : "-"
    return slices.map { $0.split(separator: " ").map(String.init) }.first { words in
      words[1] == system && words[2] == variant && words[3].split(separator: ",").contains { $0 == parts[0] }
    }?[0]
  }

  /// Apple's layout of a Mac's frameworks: a version, and links to it.
  @Test func macFrameworksAreVersioned() async throws {
    let scratch = try await Self.made.value
    let listing = try await Tool.check(
      ["sh", "-c", "find . -type l -printf '%P -> %l\\n' | LC_ALL=C sort"], in: scratch("m/Rally.framework"))
    #expect(
      listing == """
        Headers -> Versions/Current/Headers
        Modules -> Versions/Current/Modules
        Rally -> Versions/Current/Rally
        Resources -> Versions/Current/Resources
        Versions/Current -> A

        """)
  }

  /// The Swift compiler imports a module by its interface; what only one compiler can read is left out.
  @Test func swiftImportsByTheInterface() async throws {
    let scratch = Scratch()
    try scratch.write("rally.swift", "public func rlStart() {}\n")
    try scratch.write("e.c", "int RLEmpty(void) { return 0; }\n")
    for (name, target) in [("device", "arm64-apple-ios15.0"), ("simulator", "arm64-apple-ios15.0-simulator")] {
      let folder = scratch(name)
      try await Tool.check(["mkdir", folder.string])
      try await Tool.check(
        [
          "swiftc", "-target", target, "-parse-stdlib", "-language-mode", "5", "-module-name", "Rally",
          "-enable-library-evolution", "-emit-module", "-emit-module-path", "Rally.swiftmodule",
          "-emit-module-interface-path", "Rally.swiftinterface", "../rally.swift",
        ], in: folder)
      try await Tool.check(["clang", "-target", target, "-ffreestanding", "-c", "../e.c", "-o", "e.o"], in: folder)
    }
    try scratch.write(
      "npi.yml",
      """
      name: Rally
      version: 1.0
      deliverables:
        x: { kind: xcframework, libraries: "*/e.o", swift-module: "*/Rally.*" }
        l: { kind: xcframework, libraries: "*/e.o", swift-module: "*/Rally.*", layout: library, name: L.zip }
      """)
    let printed = try await Tool.run([Scenario.binary.string], in: scratch.path)
    #expect(
      printed.status == 0 && printed.all.contains("left out: 2 × .swiftmodule, 2 × .swiftsourceinfo"),
      "\(printed.all)")
    let names = try await Tool.check(["unzip", "-Z1", "dist/Rally.xcframework.zip"], in: scratch.path)
    let module = "Rally.xcframework/ios-arm64-simulator/Rally.framework/Modules/Rally.swiftmodule"
    #expect(
      names.split(separator: "\n").filter { $0.hasPrefix(module) }.map { String($0.dropFirst(module.count + 1)) } == [
        "arm64-apple-ios-simulator.abi.json", "arm64-apple-ios-simulator.private.swiftinterface",
        "arm64-apple-ios-simulator.swiftdoc", "arm64-apple-ios-simulator.swiftinterface",
      ])
    try await Tool.check(["unzip", "-qq", "dist/Rally.xcframework.zip", "-d", "x"], in: scratch.path)
    try await Tool.check(["unzip", "-qq", "dist/L.zip", "-d", "l"], in: scratch.path)
    try scratch.write("use.swift", "import Rally\nrlStart()\n")
    for (slice, target) in [
      ("ios-arm64", "arm64-apple-ios15.0"), ("ios-arm64-simulator", "arm64-apple-ios15.0-simulator"),
    ] {
      for flags in [["-F", "x/Rally.xcframework/\(slice)"], ["-I", "l/Rally.xcframework/\(slice)"]] {
        try await Tool.check(
          ["swiftc", "-typecheck", "-target", target, "-parse-stdlib", "-module-cache-path", "cache", "use.swift"]
            + flags,
          in: scratch.path)
      }
    }
  }

  /// Finished frameworks keep every byte; debug symbols go where their UUIDs say.
  @Test func finishedFrameworksAndTheirDebugSymbols() async throws {
    let scratch = Scratch()
    try scratch.write("rally.c", "int RLStart(void) { return 1; }\n")
    for (name, target, platform) in [
      ("device", "arm64-apple-ios13.0", "ios"), ("simulator", "arm64-apple-ios13.0-simulator", "ios-simulator"),
    ] {
      let framework = "\(name)/Rally.framework"
      try scratch.write(
        "\(framework)/Info.plist", "<plist><dict><key>CFBundleName</key><string>\(name)</string></dict></plist>")
      try scratch.write("\(framework)/Headers/Rally.h", "int RLStart(void);\n")
      try await Tool.check(
        ["clang", "-target", target, "-ffreestanding", "-g", "-c", "rally.c", "-o", "\(name).o"], in: scratch.path)
      try await Tool.check(
        [
          "ld64.lld-19", "-arch", "arm64", "-platform_version", platform, "13.0", "13.0", "-dylib", "-install_name",
          "@rpath/Rally.framework/Rally", "\(name).o", "-o", "\(framework)/Rally",
        ], in: scratch.path)
      try await Tool.check(
        ["dsymutil-19", "\(framework)/Rally", "-o", "\(name)/symbols/Rally.framework.dSYM"], in: scratch.path)
    }
    try scratch.write(
      "npi.yml",
      """
      name: Rally
      version: 1.0
      deliverables:
        x: { kind: xcframework, libraries: "*/Rally.framework", debug-symbols: "*/symbols/*.dSYM" }
      """)
    try await ExamplePlugin.pack(scratch.path)
    try await Tool.check(["unzip", "-qq", "dist/Rally.xcframework.zip", "-d", "x"], in: scratch.path)
    for (name, slice) in [("device", "ios-arm64"), ("simulator", "ios-arm64-simulator")] {
      let folder = "x/Rally.xcframework/\(slice)"
      try await Tool.check(["diff", "-r", "\(name)/Rally.framework", "\(folder)/Rally.framework"], in: scratch.path)
      try await Tool.check(["diff", "-r", "\(name)/symbols", "\(folder)/dSYMs"], in: scratch.path)
    }
    let list = try await Tool.check(["python3", "-c", Self.lister, "x/Rally.xcframework/Info.plist"], in: scratch.path)
    #expect(list.contains("'BinaryPath', 'DebugSymbolsPath', 'LibraryIdentifier'"))
    // The symbols of another build are refused.
    try scratch.write("rally.c", "int RLStart(void) { return 2; }\n")
    try await Tool.check(
      [
        "sh", "-c",
        "clang -target arm64-apple-ios13.0 -ffreestanding -g -c rally.c -o device.o && ld64.lld-19 -arch arm64 "
          + "-platform_version ios 13.0 13.0 -dylib device.o -o device/Rally.framework/Rally",
      ], in: scratch.path)
    let refused = try await Tool.run([Scenario.binary.string], in: scratch.path)
    #expect(
      refused.status == 2 && refused.err.contains("device/symbols/Rally.framework.dSYM is of none of these libraries"))
  }

  /// A framework of the days before XCFrameworks holds code for devices and simulators in one file: it is split.
  @Test func fatFrameworksAreSplit() async throws {
    let scratch = Scratch()
    try scratch.write("rally.c", "int RLStart(void) { return 1; }\n")
    for (arch, target, platform) in [
      ("arm64", "arm64-apple-ios13.0", "ios"), ("x86_64", "x86_64-apple-ios13.0-simulator", "ios-simulator"),
    ] {
      try await Tool.check(
        [
          "sh", "-c",
          "clang -target \(target) -ffreestanding -c rally.c -o \(arch).o && ld64.lld-19 -arch \(arch) "
            + "-platform_version \(platform) 13.0 13.0 -dylib \(arch).o -o \(arch).dylib",
        ], in: scratch.path)
    }
    try scratch.write(
      "Rally.framework/Info.plist", "<plist><dict><key>CFBundleName</key><string>R</string></dict></plist>")
    try scratch.write("Rally.framework/_CodeSignature/CodeResources", "old")
    try await Tool.check(
      ["llvm-lipo-19", "-create", "arm64.dylib", "x86_64.dylib", "-output", "Rally.framework/Rally"], in: scratch.path)
    try scratch.write(
      "npi.yml", "name: Rally\nversion: 1.0\ndeliverables: { x: { kind: xcframework, libraries: Rally.framework } }\n")
    let printed = try await Tool.run([Scenario.binary.string], in: scratch.path)
    #expect(printed.status == 0 && printed.all.contains("left out: 2 × file of the signature"), "\(printed.all)")
    try await Tool.check(["unzip", "-qq", "dist/Rally.xcframework.zip", "-d", "x"], in: scratch.path)
    for (slice, arch, platform) in [
      ("ios-arm64", "arm64", "iPhoneOS"), ("ios-x86_64-simulator", "x86_64", "iPhoneSimulator"),
    ] {
      let framework = "x/Rally.xcframework/\(slice)/Rally.framework"
      try await Tool.check(["cmp", "\(framework)/Rally", "\(arch).dylib"], in: scratch.path)
      let info = try await Tool.check(
        [
          "python3", "-c", "import plistlib, sys; print(plistlib.load(open(sys.argv[1], 'rb')))",
          "\(framework)/Info.plist",
        ],
        in: scratch.path)
      #expect(info == "{'CFBundleName': 'R', 'CFBundleSupportedPlatforms': ['\(platform)']}\n")
    }
  }
}
