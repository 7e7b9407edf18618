import ObjectFiles

// Where an AAR keeps what Android's build takes from it:
//
//   classes.jar, libs/NAME.jar      classes; other jars (`lint.jar`, `api.jar`, those in `assets/`) are not for the app
//   jni/ABI/NAME.so                 native libraries
//
// A jar's native libraries are `lib/ABI/NAME.so`. What a folder or a zip holds is either an AAR laid open, told by
// `AndroidManifest.xml` beside `classes.jar`, or whatever a plugin's author put side by side: AARs, jars, zips of them,
// and native libraries below `jni`, `lib`, `libs` or `jniLibs`.

/// What a file of a plugin is to an Android app, by its path in its container.
enum AndroidPart: Equatable {
  /// `container`: an AAR or a zip.
  case jar, container
  case library(abi: String, name: String)

  enum Container: Equatable {
    case aar, jar
    /// A folder or a zip; the paths, parts, of the AARs that lie open in it.
    case tree(aars: Set<[String]>)
  }

  /// Nil for what is nothing to an app.
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
        // A folder `x86` may be anybody's.
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
    String(decoding: path, as: UTF8.self).split(separator: "/").map(String.init)
  }
}
