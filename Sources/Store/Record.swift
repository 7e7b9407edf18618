package import SystemPackage

/// Encodes values as bytes: numbers in 4 bytes, wide ones in 8, little-endian; texts and paths after their length; a
/// flag in one byte. A name, which may occur many times, is its number, from 0 on, followed by its text the first time.
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

  /// The number of the bytes that `body` adds, and these.
  package mutating func addSized(_ body: (inout RecordWriter) -> Void) {
    let start = bytes.count
    add(0)
    body(&self)
    let count = bytes.count - start - 4
    for index in 0..<4 { bytes[start + index] = UInt8(truncatingIfNeeded: count >> (8 * index)) }
  }

  /// As they are.
  package mutating func add(unsized added: some Collection<UInt8>) { bytes += added }

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

  package mutating func add(byte: UInt8) { bytes.append(byte) }

  package mutating func add(_ stamp: FileStamp) {
    add(byte: stamp.kind.recordByte)
    add(stamp.executable)
    for number in [stamp.size, stamp.modified, stamp.changed] { add(wide: number) }
    for number in [stamp.inode, stamp.device] { add(wide: number) }
  }

  /// A record of its own: its length, its seal, and itself.
  package mutating func add(_ record: RecordWriter, under seal: Seal) {
    add(record.bytes.count)
    bytes += seal(record.bytes)
    bytes += record.bytes
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

/// Reads the bytes of a `RecordWriter`, and checks every length. Nil means that the bytes are something else.
package struct RecordReader {
  private let all: ArraySlice<UInt8>
  /// An index of the bytes that it was made with.
  private var position: Int
  private var names: [String] = []

  package init(_ bytes: ArraySlice<UInt8>) {
    all = bytes
    position = bytes.startIndex
  }

  package var rest: ArraySlice<UInt8> { all[position...] }

  package var isAtEnd: Bool { position == all.endIndex }

  package mutating func number() -> Int? {
    guard 4 <= all.endIndex - position else { return nil }
    defer { position += 4 }
    return Int(word(position))
  }

  package mutating func wide() -> UInt64? {
    guard 8 <= all.endIndex - position else { return nil }
    defer { position += 8 }
    return UInt64(word(position)) | UInt64(word(position + 4)) << 32
  }

  /// It has no loop, because thousands are read before a build finds that nothing is to be done.
  private func word(_ place: Int) -> UInt32 {
    let low = UInt32(all[place]) | UInt32(all[place + 1]) << 8
    return low | UInt32(all[place + 2]) << 16 | UInt32(all[place + 3]) << 24
  }

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

  package mutating func flag() -> Bool? { byte().flatMap { $0 > 1 ? nil : $0 == 1 } }

  package mutating func byte() -> UInt8? {
    guard position < all.endIndex else { return nil }
    defer { position += 1 }
    return all[position]
  }

  package mutating func stamp() -> FileStamp? {
    guard let kind = byte().flatMap({ FileType(recordByte: $0) }), let executable = flag(), let size = signed(),
      let modified = signed(), let changed = signed(), let inode = wide(), let device = wide()
    else { return nil }
    return FileStamp(
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
    guard let count = number(), count < 2 else { return nil }
    if count == 0 { return .some(nil) }
    return body(&self).map { .some($0) }
  }

  package mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= all.endIndex - position else { return nil }
    defer { position += count }
    return all[position..<(position + count)]
  }

  /// Nil if the record does not bear this seal.
  package mutating func record(under seal: Seal) -> RecordReader? {
    guard let length = number(), let mark = take(Seal.size), let record = take(length),
      mark.elementsEqual(seal(Array(record)))
    else { return nil }
    return RecordReader(record)
  }
}
