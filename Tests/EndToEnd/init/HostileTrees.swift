import Foundation
import TestSupport

/// Trees that somebody made to write into a manifest: files of thirty kinds, with words in every place that is read which mean
/// something to YAML, a shell, or one who looks at letters as `Character`s.
struct HostileTrees {
  private var random: Seeded
  private let marker: String

  init(seed: Int, marker: String) {
    random = Seeded(seed: UInt64(seed))
    self.marker = marker
  }

  /// The files of one tree.
  mutating func next() -> [(path: String, bytes: [UInt8])] {
    var files: [String: [UInt8]] = [:]
    for _ in 0...random.number(4) {
      let kinds = HostileTrees.kinds
      for (path, bytes) in kinds[random.number(kinds.count)](&self) { files[path] = bytes }
    }
    return files.filter { Self.isPath($0.key) }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// What the file system takes.
  private static func isPath(_ path: String) -> Bool {
    let names = path.utf8.split(separator: 0x2F, omittingEmptySubsequences: false)
    return !path.utf8.contains(0)
      && names.allSatisfy {
        !$0.isEmpty && $0.count < 250 && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8)
      }
  }

  // MARK: - Words

  private mutating func word() -> String {
    let words = [
      "\"", "'", "\\", "\r  evil: {shell: \"touch \(marker)\"}\r  #", "\n  evil: {shell: \"touch \(marker)\"}\n#",
      "\r\nextends: ./evil.yml\r\n", "\u{85}evil: x", "\u{2028}evil: x", "\u{2029}evil: x", "\u{0D4E}\"", "\u{0D4E}'",
      "\"\u{301}",
      "<\u{301}", "\u{202E}", "\u{200B}", "\u{FEFF}", "\u{FFFE}", "\u{FFFF}", "\u{0}", "$(touch \(marker))",
      "`touch \(marker)`",
      "; touch \(marker) #", "' ; touch \(marker) ; '", "\" ; touch \(marker) ; \"", "| touch \(marker)", "{a: b}",
      "[a, b]", "- a", "# x",
      ": ", "*a", "&a", "!!str", "? x", "%TAG", "@x", "-x", "--evil", "...", "---", "null", "1.10", "~", "<<", "\t",
      "${PATH}", "#{x}",
      "%(x)", "../../x", "/etc/passwd", "$(SRCROOT)", "\u{1F468}\u{200D}\u{1F469}", "\u{E9}", "e\u{301}", "\u{1B}[31m",
      "::error::x",
      String(repeating: "A", count: 300),
    ]
    let first = words[random.number(words.count)]
    switch random.number(4) {
    case 0: return first
    case 1: return "a\(first)b"
    case 2: return "Plug\(first)"
    default: return first + words[random.number(words.count)]
    }
  }

  /// A word for a file's name.
  private mutating func name() -> String { word().replacingOccurrences(of: "/", with: "_") }

  /// A plain word, so that some trees have a manifest.
  private mutating func mild(_ plain: String) -> String { random.once(in: 3) ? word() : plain }

  private mutating func json(_ text: String) -> String {
    if random.once(in: 6) { return "\"\(text)\"" }
    let units = text.utf16.map { unit in
      let digits = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
    return "\"\(units.joined())\""
  }

  private mutating func xml(_ text: String) -> String {
    if random.once(in: 6) { return text }
    return text.unicodeScalars.map { $0.value < 0x20 ? "&#x\(String($0.value, radix: 16));" : "&#\($0.value);" }
      .joined()
  }

  /// As OpenStep quotes a text.
  private mutating func quoted(_ text: String) -> String {
    if random.once(in: 6) { return "\"\(text)\"" }
    var result = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    return result + "\""
  }

  // MARK: - Binaries of a few bytes

  /// A Mach-O object for arm64 with one load command, LC_BUILD_VERSION for iOS 12 (mach-o/loader.h).
  private static let object: [UInt8] = {
    let words: [UInt32] = [
      0xFEED_FACF, 0x0100_000C, 0, 1, 1, 24, 0, 0, 0x32, 24, 2, 0x000C_0000, 0x000C_0000, 0,
    ]
    return words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
  }()

  private static let archive: [UInt8] = {
    let size = "\(object.count)"
    let header =
      "a.o/            0           0     0     100644  " + size + String(repeating: " ", count: 10 - size.count) + "`\n"
    return Array("!<arch>\n".utf8) + Array(header.utf8) + object
  }()

  /// The beginning of a zip.
  private static let zip: [UInt8] = [0x50, 0x4B, 0x03, 0x04] + [UInt8](repeating: 0, count: 26)

  // MARK: - Kinds

  private typealias Kind = @Sendable (inout HostileTrees) -> [(String, [UInt8])]

  private static func text(_ path: String, _ text: String) -> [(String, [UInt8])] { [(path, Array(text.utf8))] }

  private static let kinds: [Kind] = [
    { t in [("\(t.name()).a", archive)] },
    { t in [("ios/lib\(t.name()).a", archive)] },
    { t in [("libs/\(t.mild("Foo")).framework/Info.plist", []), ("libs/\(t.name()).framework/x", object)] },
    { t in
      let name = t.name()
      return [("\(name).framework/\(name)", object)]
    },
    { t in
      let (identifier, name) = (t.mild("ios-arm64"), t.name())
      let plist = """
        <plist version="1.0"><dict><key>AvailableLibraries</key><array><dict><key>LibraryIdentifier</key><string>\(t.xml(identifier))</string>
        <key>LibraryPath</key><string>\(t.xml(name)).framework</string><key>SupportedPlatform</key><string>ios</string>
        <key>SupportedArchitectures</key><array><string>arm64</string></array></dict></array></dict></plist>
        """
      let info =
        "<plist version=\"1.0\"><dict><key>CFBundleShortVersionString</key><string>\(t.xml(t.word()))</string></dict></plist>"
      return [
        ("\(name).xcframework/Info.plist", Array(plist.utf8)),
        ("\(name).xcframework/\(identifier)/\(name).framework/Info.plist", Array(info.utf8)),
        ("\(name).xcframework/\(identifier)/\(name).framework/\(name)", object),
      ]
    },
    { t in [("\(t.name()).aar", zip)] },
    { t in [("android/\(t.name())-1.0.aar", zip), ("android/\(t.name())-2.0.aar", zip)] },
    { t in [("\(t.name()).bundle/a.txt", []), ("\(t.name()).bundle/\(t.name())", [])] },
    { t in text("package.json", "{\"name\": \(t.json(t.word())), \"version\": \(t.json(t.word()))}") },
    { t in text("\(t.name())/package.json", "{\"name\": \(t.json(t.word())), \"version\": \"1.0.0\"}") },
    { t in text("pubspec.yaml", "name: \(t.json(t.word()))\nversion: \(t.json(t.word()))\n") },
    { t in text("pubspec.yaml", "name: \(t.word())\nversion: \(t.word())\n") },
    { t in
      text(
        "plugin.xml",
        "<plugin id=\"\(t.xml(t.word()))\" version=\"\(t.xml(t.word()))\"><name>\(t.xml(t.word()))</name></plugin>")
    },
    { t in
      text(
        "build/extension.xml",
        "<extension><id>\(t.xml(t.word()))</id><versionNumber>\(t.xml(t.word()))</versionNumber></extension>")
    },
    { t in text("ios/manifest", "version: \(t.word())\nmoduleid: \(t.word())\nplatform: iphone\n") },
    { t in
      text(
        "\(t.name()).podspec", "Pod::Spec.new do |s|\n  s.name = '\(t.word())'\n  s.version = \"\(t.word())\"\nend\n")
    },
    { t in text("A.podspec.json", "{\"name\": \(t.json(t.word())), \"version\": \(t.json(t.word()))}") },
    { t in project(&t, at: "A.xcodeproj") },
    { t in project(&t, at: "\(t.name()).xcodeproj") },
    { t in project(&t, at: "ios/\(t.name())/B.xcodeproj") },
    { t in gradle(&t, module: "") },
    { t in gradle(&t, module: "sdk") },
    { t in gradle(&t, module: t.name()) },
    { t in text("sdk/gradle.properties", "VERSION_NAME=\(t.word())\nPOM_ARTIFACT_ID=\(t.word())\n") },
    { t in
      text(
        "lib/AndroidManifest.xml",
        "<manifest xmlns:android=\"http://schemas.android.com/apk/res/android\" package=\"com.example.\(t.mild("a"))\"/>"
      )
        + [
          ("lib/libs/\(t.name()).jar", zip), ("lib/res/values/a.xml", []),
          ("lib/libs/\(t.mild("x86"))/lib\(t.name()).so", []),
        ]
    },
    { t in
      text(
        "src/\(t.name()).c", "#include <\(t.word())>\r  evil: {shell: \"touch \(t.marker)\"}\r  #>\nint \(t.word());\n")
    },
    { t in text("ios/\(t.name()).m", "@implementation \(t.word())\n@end\n") },
    { t in text("java/com/\(t.name()).java", "package \(t.word());\nclass \(t.word()) {}\n") },
    { t in
      text(
        "Package.swift",
        "let package = Package(name: \"\(t.word())\", targets: [.binaryTarget(name: \"\(t.word())\")])\n")
    },
    { t in
      text(
        ["Makefile", "CMakeLists.txt", "Android.mk", "SConstruct", "Podfile"][t.random.number(5)],
        "\(t.word()):\n\t\(t.word())\n")
    },
    { t in
      text("Resources/\(t.name()).bundle/PrivacyInfo.xcprivacy", t.word()) + text("PrivacyInfo.xcprivacy", t.word())
    },
  ]

  private static func project(_ t: inout HostileTrees, at path: String) -> [(String, [UInt8])] {
    let product = t.random.once(in: 2) ? "lib\(t.name()).a" : "\(t.name()).framework"
    let type = product.hasSuffix(".a") ? "library.static" : "framework"
    let list = """
      // !$*UTF8*$!
      { objects = {
        P = { isa = PBXProject; buildConfigurationList = C; targets = (T, ); };
        T = { isa = PBXNativeTarget; name = \(t.quoted(t.word())); productType = "com.apple.product-type.\(type)"; productReference = R;
          buildConfigurationList = C; };
        R = { isa = PBXFileReference; path = \(t.quoted(product)); };
        C = { isa = XCConfigurationList; buildConfigurations = (D, ); };
        D = { isa = XCBuildConfiguration; name = Release; buildSettings = { SDKROOT = \(t.quoted(t.random.once(in: 6) ? t.word() : "iphoneos"));
          MARKETING_VERSION = \(t.quoted(t.word())); }; };
      }; rootObject = P; }
      """
    return [("\(path)/project.pbxproj", Array(list.utf8)), ("ios/\(t.name()).h", [])]
  }

  private static func gradle(_ t: inout HostileTrees, module: String) -> [(String, [UInt8])] {
    let folder = module.isEmpty ? "" : "\(module)/"
    let settings = "rootProject.name = '\(t.mild("plugin"))'\ninclude ':\(module)', \":\(t.word())\"\n"
    let script = "apply plugin: 'com.android.library'\nversion = \"\(t.mild("2.1.0"))\"\n// \(t.word())\n"
    return [
      ("settings.gradle", Array(settings.utf8)), ("\(folder)build.gradle", Array(script.utf8)),
      ("gradlew", Array("#!/bin/sh\nexit 1\n".utf8)), ("\(folder)src/main/\(t.name()).java", []),
      ("\(folder)libs/\(t.name()).jar", zip),
    ]
  }
}
