import Findings
import ObjectFiles

/// The listing of one class.
///
///     public class com.example.Login extends com.example.Screen implements java.io.Serializable (Java 7, 51.0)
///       @android.support.annotation.Keep
///       private static count I
///       public onCreate (Landroid/os/Bundle;)V
///         @java.lang.Override
///       uses android.os.Bundle
///
/// Modifiers are the flags of the file, which lack some that the source has: a nested class is never private there.
struct JavaContent {
  private let file: ClassFile
  private let selection: SymbolSelection
  private var budget: NameBudget

  init(_ file: ClassFile, _ selection: SymbolSelection, _ budget: NameBudget) {
    self.file = file
    self.selection = selection
    self.budget = budget
  }

  mutating func lines(_ item: JavaClass, _ reader: borrowing ByteReader) throws(FormatError) -> [String] {
    var lines = [try title(item, reader)]
    if !selection.undefinedOnly {
      for name in try annotations(nil, reader) { lines.append("  @\(name)") }
      for (members, holder) in [(file.fields, ClassAccess.Holder.field), (file.methods, .method)] {
        for member in members where isWanted(member) {
          var words = member.access.names(of: holder)
          words.append(try text(member.name, reader))
          words.append(try text(member.descriptor, reader))
          lines.append("  " + words.joined(separator: " "))
          for name in try annotations(member, reader) { lines.append("    @\(name)") }
        }
      }
    }
    for name in try references(reader) { lines.append("  uses \(name)") }
    return lines
  }

  /// One object, and a newline.
  mutating func json(_ item: JavaClass, _ reader: borrowing ByteReader) throws(FormatError) -> [UInt8] {
    var interfaces: [JSONValue] = []
    for name in file.interfaces { interfaces.append(.string(try className(name, reader))) }
    let version: JSONValue = [
      "major": .int(Int(file.version.major)), "minor": .int(Int(file.version.minor)),
      "java": .string(file.version.release),
    ]
    var superclass = JSONValue.null
    if let name = file.superclass { superclass = .string(try className(name, reader)) }
    let head: JSONValue = [
      "file": .string(item.place.description), "format": "java-class",
      "name": .string(try className(file.name, reader)),
      "superclass": superclass, "interfaces": .array(interfaces), "version": version,
      "access": access(file.access, .type), "from": item.release.map { .int($0.number) } ?? .null,
      "loaded": .bool(item.release?.isLoaded ?? true),
    ]
    var line = Array(head.shownInOneLine.utf8.dropLast())
    let isDefined = !selection.undefinedOnly
    line.append("annotations", try isDefined ? annotations(nil, reader) : []) { .string($0) }
    for (key, members, holder) in [
      ("fields", file.fields, ClassAccess.Holder.field), ("methods", file.methods, .method),
    ] {
      try line.append(key, members.filter { isDefined && isWanted($0) }) { member throws(FormatError) in
        [
          "name": .string(try text(member.name, reader)), "descriptor": .string(try text(member.descriptor, reader)),
          "access": access(member.access, holder),
          "annotations": .array(try annotations(member, reader).map { .string($0) }),
        ]
      }
    }
    line.append("references", try references(reader)) { .string($0) }
    let calls = try selection.definedOnly ? [] : file.memberReferences(reader)
    try line.append("memberReferences", calls) { member throws(FormatError) in
      [
        "class": .string(try className(member.className, reader)), "name": .string(try text(member.name, reader)),
        "descriptor": .string(try text(member.descriptor, reader)),
      ]
    }
    return line + "}\n".utf8
  }

  // MARK: Parts

  private mutating func title(_ item: JavaClass, _ reader: borrowing ByteReader) throws(FormatError) -> String {
    let isInterface = file.access.contains(.interface)
    // The noun says these.
    var hidden: Set = ["super", "interface", "annotation", "enum", "module"]
    if isInterface { hidden.insert("abstract") }
    var words = file.access.names(of: .type).filter { !hidden.contains($0) }
    if let noun { words.append(noun) }
    words.append(try className(file.name, reader))
    if let superclass = file.superclass {
      let name = try className(superclass, reader)
      if name != "java.lang.Object" { words += ["extends", name] }
    }
    var interfaces: [String] = []
    for name in file.interfaces { interfaces.append(try className(name, reader)) }
    if !interfaces.isEmpty { words += [isInterface ? "extends" : "implements", interfaces.joined(separator: ", ")] }
    words.append("(Java \(file.version.release)\(file.version.isPreview ? " preview" : ""), \(file.version))")
    if let release = item.release {
      words.append(release.isLoaded ? "(from Java \(release.number) on)" : "(for Java \(release.number), not loaded)")
    }
    return words.joined(separator: " ")
  }

  /// Nil for a module's description, which has a name of its own.
  private var noun: String? {
    if file.access.contains(.module) { return nil }
    if file.access.contains(.annotation) { return "@interface" }
    return file.access.contains(.interface) ? "interface" : file.access.contains(.enum) ? "enum" : "class"
  }

  private func isWanted(_ member: ClassMember) -> Bool {
    !selection.externalOnly || !member.access.isDisjoint(with: [.public, .protected])
  }

  /// The annotations of a member, or of the class itself.
  private mutating func annotations(
    _ member: ClassMember?, _ reader: borrowing ByteReader
  ) throws(FormatError) -> [String] {
    let ranges = if let member { try file.annotations(of: member, reader) } else { try file.annotations(reader) }
    var names: [String] = []
    for range in ranges { names.append(try className(range, reader)) }
    return names
  }

  /// The other classes that it names, each once, sorted by bytes.
  private mutating func references(_ reader: borrowing ByteReader) throws(FormatError) -> [String] {
    if selection.definedOnly { return [] }
    var names: Set<String> = []
    for range in file.references { names.insert(try className(range, reader)) }
    names.remove(try className(file.name, reader))
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private mutating func text(_ range: Range<Int>, _ reader: borrowing ByteReader) throws(FormatError) -> String {
    try budget.spend(range)
    return reader.javaText(range)
  }

  /// With dots instead of slashes.
  private mutating func className(_ range: Range<Int>, _ reader: borrowing ByteReader) throws(FormatError) -> String {
    let dotted = try text(range, reader).utf8.map { $0 == UInt8(ascii: "/") ? UInt8(ascii: ".") : $0 }
    return String(decoding: dotted, as: UTF8.self)
  }

  private func access(_ access: ClassAccess, _ holder: ClassAccess.Holder) -> JSONValue {
    .array(access.names(of: holder).map { .string($0) })
  }
}
