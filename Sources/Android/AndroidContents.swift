import Archives
import Artifacts
import Documents
package import Findings
import ObjectFiles

/// The classes, files, resources and manifests that a plugin brings into an Android app, as directories of zips claim
/// them. Class files in a folder are known by their own names.
package struct AndroidContents: Sendable {
  /// A jar that goes into the app, or a folder or zip with class files. Its entries are in the order of its directory,
  /// which may list one twice.
  package struct Jar: Sendable {
    package let place: Place
    /// In `classes`.
    package let classes: Range<Int>
    /// In `javaResources`.
    package let resources: Range<Int>
    /// The libraries in it, as far as it names them.
    package let origins: [JarOrigin]
    /// Nil if there is no Kotlin module in it.
    package let kotlin: KotlinVersion?
  }

  /// In the order of the plugin's files; those of an archive in that of its directory.
  package internal(set) var jars: [Jar] = []
  /// Named as jars spell them, without `.class`: `com/x/A`.
  package internal(set) var classes = ContentTable()
  /// Files of jars that are no classes, named by their paths: `META-INF/LICENSE.md`.
  package internal(set) var javaResources = ContentTable()
  package internal(set) var files: [AndroidFile] = []
  package internal(set) var resources = ResourceTable()
  package internal(set) var manifests: [AndroidManifestFile] = []
  package internal(set) var metadata: [AARMetadataFile] = []
  package internal(set) var shrinkerRules: [ShrinkerRulesFile] = []
  /// Nil if the plugin is no module of a Gradle build.
  package internal(set) var settings: GradleSettings?
  /// The parts that could not be read; the rest was.
  package internal(set) var mistakes: [Mistake] = []

  package var isEmpty: Bool {
    classes.count == 0 && javaResources.count == 0 && files.isEmpty && resources.count == 0 && manifests.isEmpty
  }
  /// The ABIs of its native libraries.
  package var abis: Set<String> { Set(files.compactMap(\.abi)) }

  /// `Rally.aar › classes.jar › com/x/A.class`; the number counts the classes of all jars together.
  package func placeOfClass(_ index: Int) -> Place {
    place(String(decoding: classes.name(of: index), as: UTF8.self) + ".class", jar(of: index, in: \.classes))
  }

  /// `Rally.aar › classes.jar › META-INF/LICENSE.md`
  package func placeOfJavaResource(_ index: Int) -> Place {
    place(String(decoding: javaResources.name(of: index), as: UTF8.self), jar(of: index, in: \.resources))
  }

  /// Finds by binary search the jar that an index belongs to: the ranges of the jars follow one another.
  private func jar(of index: Int, in ranges: KeyPath<Jar, Range<Int>>) -> Jar? {
    let place = sortedIndex(below: jars.count) { jars[$0][keyPath: ranges].upperBound > index }
    return place < jars.count ? jars[place] : nil
  }

  private func place(_ path: String, _ jar: Jar?) -> Place { jar?.place.inside(path) ?? Place(path) }

  /// Whether Android's build counts an entry as a class (`checkDuplicateClasses`).
  static func isClass(_ header: EntryHeader) -> Bool {
    header.hasSuffix(".class") && header.path.count > ".class".utf8.count && !header.path.starts(with: metaInf)
      && !header.path.elementsEqual(moduleInfo)
  }

  private static let metaInf = Array("META-INF/".utf8)
  private static let moduleInfo = Array("module-info.class".utf8)

  package init() {}

  mutating func addJar(
    _ place: Place, _ own: ContentTable, resources: ContentTable = ContentTable(), _ origins: JarOrigins = JarOrigins()
  ) {
    guard own.count > 0 || resources.count > 0 else { return }
    jars.append(
      Jar(
        place: place, classes: classes.add(own), resources: javaResources.add(resources), origins: origins.all,
        kotlin: origins.kotlin))
  }

  /// The library that a class or a Java resource is of, as its jar says. One that names several libraries has the class of
  /// the one whose group its package begins with.
  package func origin(ofClass index: Int) -> JarOrigin? {
    guard let jar = jar(of: index, in: \.classes), let first = jar.origins.first else { return nil }
    if jar.origins.count == 1 { return first }
    let name = classes.name(of: index)
    let fitting = jar.origins.filter { origin in
      let group = origin.library.utf8.prefix { $0 != UInt8(ascii: ":") }.map {
        $0 == UInt8(ascii: ".") ? UInt8(ascii: "/") : $0
      }
      return name.starts(with: group) && name.dropFirst(group.count).first == UInt8(ascii: "/")
    }
    return fitting.count == 1 ? fitting.first : nil
  }

  /// A file of values that cannot be read is a mistake, and is left out.
  mutating func addValues(_ values: Result<ContentTable, XMLProblem>, at place: Place) {
    switch values {
    case .success(let table): resources.add(table, at: place)
    case .failure(let problem): mistakes.append(Mistake("\(problem)", at: place))
    }
  }

  /// Rules that cannot be read are a mistake, and are left out.
  mutating func addRules(_ bytes: [UInt8], at place: Place) {
    do throws(ShrinkerRules.Problem) {
      let rules = try ShrinkerRules(bytes)
      shrinkerRules.append(ShrinkerRulesFile(place: place, wide: rules.wide.map(\.text)))
    } catch {
      mistakes.append(Mistake("\(error)", at: place))
    }
  }

  /// A manifest that cannot be read is a mistake, and is left out.
  mutating func addManifest(_ bytes: [UInt8], at place: Place, isSource: Bool = false) {
    do throws(UnreadableEntry) {
      let namespace = try AndroidManifest(bytes).package ?? (isSource ? settings?.namespace : nil)
      manifests.append(AndroidManifestFile(place: place, bytes: bytes, namespace: namespace, isSource: isSource))
    } catch {
      mistakes.append(Mistake(error.reason, at: place))
    }
  }
}

extension ContentTable {
  /// Adds a class file whose path may begin at any folder. A damaged one has no name.
  mutating func addClass(_ file: EntryBytes) {
    let name = file.withReader { reader in
      (try? ClassFile(reader)).flatMap { try? reader.copy($0.name, "name of the class") }
    }
    guard let name else { return }
    add(name, ContentChecksum(file))
  }

  /// The first of each name: a folder of build results may hold a class several times, and an app gets one.
  var eachOnce: ContentTable {
    var (first, seen) = (ContentTable(), Set<ArraySlice<UInt8>>())
    for index in 0..<count where seen.insert(name(of: index)).inserted {
      first.add(name(of: index), content(of: index))
    }
    return first
  }
}

extension ContentChecksum {
  init(_ file: EntryBytes) { self.init(size: file.count, crc32: file.withSpan { Deflate.crc32($0) }) }
}
