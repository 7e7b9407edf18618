/// Errors for machine code that is recognized but not read.
package enum UnreadCode {
  /// Nil for a kind that is read and for a file without code.
  package static func error(_ kind: FileKind, _ field: String, at place: Int) -> FormatError? {
    kind.foreignCode.map { .unsupported(field, at: place, "\($0), which is not read") }
  }

  /// The error for a file or slice that is neither an object file nor a library; nil for a file without code.
  static func error(in reader: borrowing ByteReader, slice: Architecture?) -> FormatError? {
    let (kind, place) = (FileKind(reader), reader.range.lowerBound)
    guard let slice else { return error(kind, "object file", at: place) }
    return error(kind, "slice \(slice)", at: place)
      ?? .invalid("slice \(slice)", at: place, "holds \(FileKind.nature(reader)) and no code")
  }

  package static func thin(_ reader: borrowing ByteReader) -> FormatError {
    .unsupported(
      "static library", at: reader.range.lowerBound,
      "a thin archive, which only names its object files and does not hold them")
  }
}

extension StaticArchive {
  /// The parts that are damaged, missing or not read. `reader` reads the same file.
  package func unread(_ reader: borrowing ByteReader) -> [FormatError] {
    var foreign: [(kind: FileKind, first: Member, count: Int)] = []
    for member in members {
      guard let content = try? reader.slice(member.range, "archive member") else { continue }
      let kind = FileKind(content)
      guard kind.foreignCode != nil else { continue }
      if let index = foreign.firstIndex(where: { $0.kind == kind }) {
        foreign[index].count += 1
      } else {
        foreign.append((kind, member, 1))
      }
    }
    let pastEnd = ArchiveMap.membersPastEnd(of: self, reader)
    return damage + [pastEnd].compactMap(\.self)
      + foreign.compactMap { kind, first, count in
        let more = count > 1 ? " and \(count - 1) more" : ""
        return UnreadCode.error(kind, "archive member \(first.name)\(more)", at: first.range.lowerBound)
      }
  }
}
