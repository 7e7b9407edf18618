package import SystemPackage

/// What is kept, as bytes: numbers in 4 bytes, wide ones in 8, little-endian; texts and paths with their length before
/// them; digests as they are; a flag in one byte. A name, which may stand many times, is its number among the names, from 0
/// on, and the first time its text behind that.
package struct RecordWriter {
  package private(set) var bytes: [UInt8] = []
  private var names: [[UInt8]: Int] = [:]

  package init() {}

  package mutating func add(_ number: Int) {
    for index in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
  }

  package mutating func add(wide number: UInt64) {
    for index in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * index))) }
  }

  package mutating func add(wide number: Int64) { add(wide: UInt64(bitPattern: number)) }

  package mutating func add(_ digest: Digest) { bytes += digest.bytes }

  package mutating func add(bytes added: some Collection<UInt8>) {
    add(added.count)
    bytes += added
  }

  package mutating func add(_ text: String) { add(bytes: text.utf8) }

  package mutating func add(name: String) {
    let text = Array(name.utf8)
    if let known = names[text] { return add(known) }
    add(names.count)
    add(bytes: text)
    names[text] = names.count
  }

  package mutating func add(_ path: FilePath) { add(bytes: path.pathBytes) }

  package mutating func add(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

  package mutating func add(_ status: FileStatus) {
    bytes.append(status.kind.rawValue)
    add(status.executable)
    for number in [status.size, status.modified, status.changed] { add(wide: number) }
    for number in [status.inode, status.device] { add(wide: number) }
  }

  /// The count, then each element.
  package mutating func add<Element>(_ elements: [Element], _ body: (inout RecordWriter, Element) -> Void) {
    add(elements.count)
    for element in elements { body(&self, element) }
  }

  package mutating func add<Element>(optional element: Element?, _ body: (inout RecordWriter, Element) -> Void) {
    add(element.map { [$0] } ?? [], body)
  }
}

/// Reads what a `RecordWriter` wrote; every length is checked against what is there. Nil is the end of it: the bytes are
/// something else.
package struct RecordReader {
  package private(set) var rest: ArraySlice<UInt8>
  private var names: [String] = []

  package init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  package mutating func number() -> Int? { take(4).map { $0.reversed().reduce(0) { $0 << 8 | Int($1) } } }

  package mutating func wide() -> UInt64? { take(8).map { $0.reversed().reduce(0) { $0 << 8 | UInt64($1) } } }

  package mutating func signed() -> Int64? { wide().map { Int64(bitPattern: $0) } }

  package mutating func bytes() -> ArraySlice<UInt8>? { number().flatMap { take($0) } }

  package mutating func text() -> String? { bytes().flatMap { String(validating: $0, as: UTF8.self) } }

  package mutating func name() -> String? {
    guard let number = number(), number <= names.count else { return nil }
    if number == names.count {
      guard let text = text() else { return nil }
      names.append(text)
    }
    return names[number]
  }

  package mutating func path() -> FilePath? { bytes().flatMap { FilePath(pathBytes: $0) } }

  package mutating func digest() -> Digest? { take(Digest.byteCount).flatMap { Digest(bytes: $0) } }

  package mutating func flag() -> Bool? { take(1)?.first.flatMap { $0 > 1 ? nil : $0 == 1 } }

  package mutating func status() -> FileStatus? {
    guard let kind = take(1)?.first.flatMap({ FileKind(rawValue: $0) }), let executable = flag(), let size = signed(),
      let modified = signed(), let changed = signed(), let inode = wide(), let device = wide()
    else { return nil }
    return FileStatus(
      kind: kind, size: size, executable: executable, modified: modified, changed: changed, inode: inode,
      device: device)
  }

  package mutating func list<Element>(_ body: (inout RecordReader) -> Element?) -> [Element]? {
    guard let count = number() else { return nil }
    var elements: [Element] = []
    for _ in 0..<count {
      guard let element = body(&self) else { return nil }
      elements.append(element)
    }
    return elements
  }

  /// The outer nil is an error.
  package mutating func optional<Element>(_ body: (inout RecordReader) -> Element?) -> Element?? {
    guard let elements = list(body), elements.count < 2 else { return nil }
    return .some(elements.first)
  }

  package mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }
}
