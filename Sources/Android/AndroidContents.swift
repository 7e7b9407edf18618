import Archives
package import Artifacts
package import Findings
import ObjectFiles

/// The classes, files and manifests that a plugin brings into an Android app, as directories of zips claim them. Class
/// files in a folder are known by their own names.
///
/// There may be hundreds of thousands of classes: each takes only a name, in one array, a size and a checksum.
package struct AndroidContents: Sendable {
  /// A jar whose classes go into the app, or a folder or zip with class files.
  package struct Jar: Sendable {
    package let place: Place
    /// In the order of its directory. It may list a class twice.
    package let classes: Range<Int>
  }

  /// In the order of the plugin's files; those of an archive in that of its directory.
  package internal(set) var jars: [Jar] = []
  package internal(set) var files: [AndroidFile] = []
  package internal(set) var manifests: [AndroidManifestFile] = []
  /// The parts that could not be read; the rest was.
  package internal(set) var mistakes: [Mistake] = []
  /// Names of classes as the jars spell them, without `.class`: `com/x/A`.
  package internal(set) var names: [UInt8] = []
  var classes: [(end: Int, content: ContentChecksum)] = []

  package var classCount: Int { classes.count }
  package var isEmpty: Bool { classes.isEmpty && files.isEmpty && manifests.isEmpty }
  /// The ABIs of its native libraries.
  package var abis: Set<String> { Set(files.compactMap(\.abi)) }

  /// The range in `names` of a class's name. `index` counts the classes of all jars together.
  package func name(of index: Int) -> Range<Int> { (index == 0 ? 0 : classes[index - 1].end)..<classes[index].end }

  package func content(of index: Int) -> ContentChecksum { classes[index].content }

  /// `Rally.aar › classes.jar › com/x/A.class`
  package func place(of index: Int, in jar: Jar) -> Place {
    jar.place.inside(String(decoding: names[name(of: index)], as: UTF8.self) + ".class")
  }

  /// Whether Android's build counts an entry as a class (`checkDuplicateClasses`).
  static func isClass(_ path: [UInt8]) -> Bool {
    path.count > suffix.count && path.suffix(suffix.count).elementsEqual(suffix) && !path.starts(with: metaInf)
      && !path.elementsEqual(moduleInfo)
  }

  private static let suffix = Array(".class".utf8)
  private static let metaInf = Array("META-INF/".utf8)
  private static let moduleInfo = Array("module-info.class".utf8)

  package init() {}

  mutating func addJar(_ place: Place, _ other: AndroidContents) {
    guard !other.classes.isEmpty else { return }
    jars.append(Jar(place: place, classes: classes.count..<classes.count + other.classes.count))
    let start = names.count
    names += other.names
    classes += other.classes.map { (start + $0.end, $0.content) }
  }

  /// A manifest that cannot be read is a mistake, and is left out.
  mutating func addManifest(_ bytes: [UInt8], at place: Place) {
    do throws(UnreadableEntry) {
      let manifest = try AndroidManifest(bytes)
      manifests.append(AndroidManifestFile(place: place, bytes: bytes, namespace: manifest.package))
    } catch {
      mistakes.append(Mistake(error.reason, at: place))
    }
  }

  mutating func addClass(_ name: ArraySlice<UInt8>, _ content: ContentChecksum) {
    names += name
    classes.append((names.count, content))
  }

  /// Adds a class file whose path may begin at any folder. A damaged one has no name.
  mutating func addClass(_ file: EntryBytes) {
    let name = file.withReader { reader in
      (try? ClassFile(reader)).flatMap { try? reader.copy($0.name, "name of the class") }
    }
    guard let name else { return }
    addClass(name[...], .init(size: file.count, crc32: file.withSpan { Deflate.crc32($0) }))
  }

  /// The first class of each name: a folder of build results may hold a class several times, and an app gets one.
  var eachOnce: AndroidContents {
    var (first, seen) = (AndroidContents(), Set<ArraySlice<UInt8>>())
    for index in classes.indices where seen.insert(names[name(of: index)]).inserted {
      first.addClass(names[name(of: index)], content(of: index))
    }
    return first
  }
}
