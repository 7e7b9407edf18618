import Findings
import ObjectFiles

// The files of an AAR that Android's build uses:
//
//   classes.jar, libs/NAME.jar      classes; other jars (`lint.jar`, `api.jar`, those in `assets/`) are not for the app
//   jni/ABI/NAME.so                 native libraries
//
// A jar's native libraries are `lib/ABI/NAME.so`. A folder or a zip is either an unpacked AAR, known by an
// `AndroidManifest.xml` beside `classes.jar`, or a collection by a plugin's author: AARs, jars, zips of them, and
// native libraries below `jni`, `lib`, `libs` or `jniLibs`.

/// The role of a plugin's file in an Android app, by its path in its container.
enum AndroidPart: Equatable {
  /// `container`: an AAR or a zip.
  case jar, container
  case library(abi: String, name: String)

  enum Container: Equatable {
    case aar, jar
    /// A folder or a zip, with the paths (as parts) of the unpacked AARs in it.
    case tree(aars: Set<[String]>)
  }

  /// Nil for a file that an app does not use.
  init?(_ path: [String], in container: Container) {
    switch container {
    case .aar: self.init(inAAR: path[...])
    case .jar:
      guard let library = AndroidPart.library(path[...]), path.count == 3, path[0] == "lib" else { return nil }
      self = library
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
    } else {
      return nil
    }
  }

  private static func library(_ path: ArraySlice<String>) -> AndroidPart? {
    guard path.count > 1, let name = path.last, name.hasSuffix(".so") else { return nil }
    return .library(abi: path[path.endIndex - 2], name: name)
  }

  static func parts(_ path: [UInt8]) -> [String] {
    String(decoding: path, as: UTF8.self).pathParts.map(String.init)
  }
}
