import Findings
import ObjectFiles

// The files of an AAR that Android's build uses:
//
//   classes.jar, libs/NAME.jar      classes; other jars (`lint.jar`, `api.jar`, those in `assets/`) are not for the app
//   jni/ABI/NAME.so                 native libraries
//   assets/…                        assets
//   res/TYPE/…                      resources
//   AndroidManifest.xml             the manifest, which is merged with the app's
//   proguard.txt                    rules for the app's shrinker
//
// A jar's native libraries are `lib/ABI/NAME.so`; its other files that are no classes are Java resources. A
// folder or a zip is either an unpacked AAR, known by an `AndroidManifest.xml` beside `classes.jar`, or a collection by
// a plugin's author: AARs, jars, zips of them, and native libraries below `jni`, `lib`, `libs` or `jniLibs`. A folder with
// `src/main/AndroidManifest.xml` is a module of a Gradle build, before it is built: the files of `src/main` count, and the
// jars and AARs in `libs`.

/// The role of a plugin's file in an Android app, by its path in its container.
enum AndroidPart: Equatable {
  /// `container`: an AAR or a zip.
  case jar, container
  case manifest
  /// A file in a folder of `res`.
  case resource
  /// A file that goes into the app under this path.
  case file(AndroidFile.Kind, String)

  enum Container: Equatable {
    case aar, jar
    /// A folder or a zip, with the paths (as parts) of the unpacked AARs in it.
    case tree(aars: Set<[String]>)
    case module
  }

  /// Nil for a file that an app does not use.
  init?(_ path: [String], in container: Container) {
    switch container {
    case .aar: self.init(inAAR: path[...])
    case .jar:
      if path.count == 3, path[0] == "lib", let library = AndroidPart.library(path[...]) {
        self = library
      } else {
        return nil
      }
    case .module:
      let name = path.last?.lowercased() ?? ""
      if path.starts(with: ["src", "main"]) {
        self.init(inModule: path.dropFirst(2))
      } else if path.count == 2, path[0] == "libs", name.hasSuffix(".jar") || name.hasSuffix(".aar") {
        self = name.hasSuffix(".jar") ? .jar : .container
      } else {
        return nil
      }
    case .tree(let aars):
      let root = aars.isEmpty ? nil : (0..<path.count).reversed().first { aars.contains(Array(path[..<$0])) }
      if let root {
        self.init(inAAR: path[root...])
        return
      }
      let name = path.last?.lowercased() ?? ""
      if name.hasSuffix(".jar") {
        self = .jar
      } else if name.hasSuffix(".aar") || name.hasSuffix(".zip") {
        self = .container
      } else {
        // A folder `x86` may have another meaning.
        guard let library = AndroidPart.library(path[...]), path.count > 2,
          AndroidABI(rawValue: path[path.count - 2]) != nil,
          ["jni", "lib", "libs", "jniLibs"].contains(path[path.count - 3])
        else { return nil }
        self = library
      }
    }
  }

  private init?(inAAR path: ArraySlice<String>) {
    guard let first = path.first, let last = path.last else { return nil }
    let isLibrary = path.count == 2 && first == "libs" && last.lowercased().hasSuffix(".jar")
    if path.count == 1 && last == "classes.jar" || isLibrary {
      self = .jar
    } else if path.count == 3, first == "jni", let library = AndroidPart.library(path) {
      self = library
    } else if path.count > 1, first == "assets" {
      self = .file(.asset, path.joined(separator: "/"))
    } else if path.count == 3, first == "res" {
      self = .resource
    } else if path.count == 1, last == "AndroidManifest.xml" {
      self = .manifest
    } else {
      return nil
    }
  }

  private init?(inModule path: ArraySlice<String>) {
    if path.first == "jniLibs", path.count == 3, let library = AndroidPart.library(path) {
      self = library
    } else {
      self.init(inAAR: path)
      if self == .jar { return nil }
    }
  }

  private static func library(_ path: ArraySlice<String>) -> AndroidPart? {
    guard path.count > 1, let name = path.last, name.hasSuffix(".so") else { return nil }
    return .file(.library, "lib/\(path[path.endIndex - 2])/\(name)")
  }

  static func isManifest(_ path: [UInt8]) -> Bool { isNamed(manifestName, path) }

  /// Whether one of its folders is called `assets`.
  static func isBelowAssets(_ path: [UInt8]) -> Bool {
    path.split(separator: UInt8(ascii: "/")).dropLast().contains { $0.elementsEqual("assets".utf8) }
  }

  /// The path inside of `res/` of a file in one of its folders; nil for other files.
  static func pathInResources(_ path: [UInt8]) -> ArraySlice<UInt8>? {
    let slash = UInt8(ascii: "/")
    guard let last = path.lastIndex(of: slash), let folder = path[..<last].lastIndex(of: slash),
      path[..<folder].suffix(res.count).elementsEqual(res)
    else { return nil }
    let start = folder - res.count
    return start == 0 || path[start - 1] == slash ? path[(folder + 1)...] : nil
  }

  private static let res = Array("res".utf8)

  /// Whether a path inside of `res/` is that of an XML file with values.
  static func isValues(_ path: ArraySlice<UInt8>) -> Bool {
    path.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "/") }.elementsEqual("values".utf8)
      && ResourceFile.isRead(Array(path)) && !ResourceFile.isPassedOver(Array(path))
  }

  private static let manifestName = Array("AndroidManifest.xml".utf8)

  static func isMetadata(_ path: [UInt8]) -> Bool { path.elementsEqual(AARMetadata.path.utf8) }

  /// A jar has its rules in two folders: those of the second are for the Android Gradle plugin alone.
  static func isRules(_ path: [UInt8], inJar: Bool) -> Bool {
    inJar
      ? path.starts(with: "META-INF/proguard/".utf8) || path.starts(with: "META-INF/com.android.tools/".utf8)
      : path.elementsEqual("proguard.txt".utf8)
  }

  /// Whether it is the Gradle script of the folder that was named.
  static func isScript(_ path: [UInt8]) -> Bool {
    path.elementsEqual("build.gradle".utf8) || path.elementsEqual("build.gradle.kts".utf8)
  }

  private static func isNamed(_ name: [UInt8], _ path: [UInt8]) -> Bool {
    path.count >= name.count && path.suffix(name.count).elementsEqual(name)
      && (path.count == name.count || path[path.count - name.count - 1] == UInt8(ascii: "/"))
  }

  static func parts(_ path: [UInt8]) -> [String] {
    String(decoding: path, as: UTF8.self).pathParts.map(String.init)
  }
}
