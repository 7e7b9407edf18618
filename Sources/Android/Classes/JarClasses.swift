package import Archives
package import Artifacts
import Findings
import ObjectFiles
import OrderedCollections

/// The classes of a jar and their references to others. Names are Java's: `com.example.Text$Inner`.
package struct JarClasses: Facts {
  package var classes: [Class] = []
  /// R classes: the app's build makes its own, but still reads these.
  package var resourceClasses: [Class] = []
  /// Classes outside of the jar, and methods of them (`com.example.Bar.setTitle`), each once.
  package var references: [Reference] = []
  /// Paths of classes that cannot be read, each with the reason.
  package var unreadable: [(path: String, reason: String)] = []

  package struct Class: Sendable {
    package var name: String
    /// Nil for `java.lang.Object`.
    package var superclass: String?
    /// 51 is Java 7.
    package var majorVersion = 51
    package var isPublic = true
    package var isAbstract = false
    /// Whether it has a public constructor without parameters.
    package var isMadeByName = true

    package init(_ name: String, superclass: String?) {
      self.name = name
      self.superclass = superclass
    }
  }

  package struct Reference: Sendable {
    package var name: String
    /// The first class that has it.
    package var user: String

    package init(_ name: String, by user: String) {
      self.name = name
      self.user = user
    }
  }

  package init(classes: [Class] = [], references: [Reference] = []) {
    self.classes = classes
    self.references = references
  }

  package static func interest(in header: EntryHeader, of kind: ArtifactKind) -> Interest {
    // Other jars at the root are for the developer's tools (`lint.jar`, `api.jar`), and not in the app.
    let isOfApp = header.path.elementsEqual("classes.jar".utf8) || header.path.starts(with: "libs/".utf8)
    return isOfApp ? JarFacts.interest(in: header, of: kind) : .none
  }

  package static func read(_ header: EntryHeader, of kind: ArtifactKind, _ bytes: EntryBytes) -> JarClasses? {
    JarClasses(bytes.zip)
  }
}

extension JarClasses {
  /// In bytes, for one class: a constant pool has at most 65,535 entries of 65,535 bytes, and real ones a hundredth.
  private static let maxClassSize = 16 << 20
  /// Compression makes real classes smaller by half or more; only a crafted one shrinks to a hundredth.
  private static let maxRatio = 100

  /// An unreadable jar has no classes here; `JarFacts` has the reason.
  package init(_ source: ArchiveBytes) {
    guard let directory = try? ZipDirectory(source, limit: JarFacts.maxDirectorySize) else { return }
    var found = FoundClasses()
    var left = JarClasses.maxClassSize + JarClasses.maxRatio * source.size
    // Android ignores a jar's variants of classes for newer Java.
    for record in directory.records {
      let kind = JarEntry(record.name)
      guard kind == .classFile || kind == .rClass else { continue }
      let path = String(decoding: record.name, as: UTF8.self)
      left -= record.uncompressedSize
      guard left >= 0 else {
        unreadable.append((path, "the jar unpacks to more than \(JarClasses.maxRatio) times its size"))
        break
      }
      do throws(ZipFormatError) {
        let bytes = try directory.contents(of: record, limit: JarClasses.maxClassSize)
        do throws(FormatError) { try found.add(ByteReader(bytes.span), kind) } catch {
          unreadable.append((path, "\(error)"))
        }
      } catch {
        unreadable.append((path, "\(error)"))
      }
    }
    classes = found.classes
    resourceClasses = found.resourceClasses
    references = found.outside
  }
}

private struct FoundClasses {
  private(set) var classes: [JarClasses.Class] = []
  private(set) var resourceClasses: [JarClasses.Class] = []
  /// Names with slashes, as in class files, with the first class that has each.
  private var users: OrderedDictionary<[UInt8], Int> = [:]
  private var own: Set<[UInt8]> = []

  mutating func add(_ reader: borrowing ByteReader, _ kind: JarEntry) throws(FormatError) {
    let file = try ClassFile(reader)
    let number = classes.count
    var found = JarClasses.Class(
      reader.javaName(file.name), superclass: file.superclass.map { reader.javaName($0) })
    found.majorVersion = Int(file.version.major)
    found.isPublic = file.access.contains(.public)
    found.isAbstract = file.access.contains(.abstract)
    if kind == .rClass { return resourceClasses.append(found) }
    var constructors: [(access: ClassAccess, isPlain: Bool)] = []
    for method in file.methods where reader.javaText(method.name) == "<init>" {
      constructors.append((method.access, reader.javaText(method.descriptor) == "()V"))
    }
    found.isMadeByName = constructors.contains { $0.isPlain && $0.access.contains(.public) }
    let name = try reader.copy(file.name, "name of the class")
    var names: [[UInt8]] = []
    for range in file.references { names.append(try reader.copy(range, "name of a class")) }
    for member in try file.memberReferences(reader) where member.kind != .field {
      let className = try reader.copy(member.className, "name of a class")
      names.append(className + [UInt8(ascii: ".")] + (try reader.copy(member.name, "name of a method")))
    }
    // A damaged class throws before this line, so classes are listed whole or not at all.
    classes.append(found)
    own.insert(name)
    for name in names where users[name] == nil { users[name] = number }
  }

  /// References to classes that the jar does not have, and to methods of those.
  var outside: [JarClasses.Reference] {
    users.compactMap { name, user in
      let className = name.firstIndex(of: UInt8(ascii: ".")).map { Array(name[..<$0]) } ?? name
      if own.contains(className) { return nil }
      let text = String(decoding: name.map { $0 == UInt8(ascii: "/") ? UInt8(ascii: ".") : $0 }, as: UTF8.self)
      return JarClasses.Reference(text, by: classes[user].name)
    }
  }
}

extension ByteReader {
  /// `com.example.Text` of `com/example/Text`.
  fileprivate func javaName(_ range: Range<Int>) -> String { javaText(range).with(".", for: "/") }
}
