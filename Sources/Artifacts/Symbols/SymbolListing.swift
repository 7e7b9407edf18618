package import Findings
package import ObjectFiles
import Store

/// The symbols of many files as text, made on all processors and handed on in order.
package struct SymbolListing: Sendable {
  package enum Format: Sendable {
    /// As `nm` prints; `maps` puts the tables of contents of static libraries first.
    case nm(NMFormat, maps: Bool)
    /// One JSON object per line.
    case json
    case count
  }

  package let format: Format
  package let selection: SymbolSelection
  /// Nil: all.
  package let architectures: [Architecture]?
  /// Whether Objective-C metadata follows the symbols.
  package var objc = false
  /// Nil: names are printed as they are.
  package var names: DemangledNames?

  package init(_ format: Format, _ selection: SymbolSelection, architectures: [Architecture]?) {
    self.format = format
    self.selection = selection
    self.architectures = architectures
  }

  package struct Piece: Sendable {
    package var text = ListedText()
    package var symbols = 0
    package var mistakes: [Mistake] = []
    /// Notes on metadata in a form that is not supported.
    package var notes: [String] = []
  }

  /// Calls `take` with each piece and the number of its file, in order; every file has at least one piece.
  package func write(
    _ files: [CodeFile], atOnce: Int, _ take: (_ file: Int, Piece) throws -> Void
  ) async throws {
    var jobs: [Job] = []
    for (index, file) in files.enumerated() {
      let units = file.units.units.filter { isWanted($0, file) }
      let pieces = units.runs(of: 256, bytes: 1 << 20) { $0.range.count }
      jobs.append(Job(file: index, units: pieces.first.map { units[$0] } ?? [], isFirst: true))
      jobs += pieces.dropFirst().map { Job(file: index, units: units[$0], isFirst: false) }
    }
    let all = jobs
    try await inOrder(
      all.count, atOnce: atOnce, { (all[$0].file, piece(all[$0], files[all[$0].file])) }, { try take($0.0, $0.1) })
  }

  private struct Job: Sendable {
    let file: Int
    let units: ArraySlice<ObjectUnit>
    /// The first job of a file also lists what the file says as a whole.
    let isFirst: Bool
  }

  /// Whether its architecture was asked for; a unit without one is always wanted.
  private func isWanted(_ unit: ObjectUnit, _ file: CodeFile) -> Bool {
    guard let architectures else { return true }
    guard unit.slice == nil else { return unit.slice.map(architectures.contains) ?? true }
    return file.withReader { reader in
      guard let content = try? reader.slice(unit.range, "object file"), case .machO = unit.kind,
        let header = try? MachOFile(content)
      else { return true }
      return architectures.contains(header.architecture)
    }
  }

  private func piece(_ job: Job, _ file: CodeFile) -> Piece {
    var piece = Piece()
    file.withReader { reader in
      if job.isFirst {
        piece.mistakes = file.mistakes
        if case .nm(let format, maps: true) = format {
          do throws(FormatError) { try format.appendMap(of: file.units, reader, to: &piece.text.bytes) } catch {
            piece.mistakes.append(Mistake("\(error)", at: file.place))
          }
        }
      }
      for unit in job.units {
        // Ranges outside of an object file do not hide the rest, and each is reported once.
        let outside = file.mistakes(of: unit, reader)
        piece.mistakes += outside
        do throws(FormatError) { try add(unit, file, reader, to: &piece) } catch {
          let mistake = Mistake("\(error)", at: file.place(of: unit))
          if !outside.contains(mistake) { piece.mistakes.append(mistake) }
        }
      }
    }
    return piece
  }

  private func add(
    _ unit: ObjectUnit, _ file: CodeFile, _ reader: borrowing ByteReader, to piece: inout Piece
  ) throws(FormatError) {
    switch format {
    case .nm(let format, _):
      var format = format
      if let names { format.naming = { names.text($0, $1) } }
      let place = file.place.description
      try format.append(unit, of: file.units, named: place, reader, to: &piece.text)
      if objc, let data = try metadata(unit, file, reader, &piece) {
        let prefix = format.prefix(unit, of: file.units, named: place, reader)
        ObjCListing.append(data, prefix: prefix, reader, to: &piece.text)
      }
    case .json:
      // The symbols are listed even if the metadata cannot be read.
      var data: ObjCMetadata?
      var failure: FormatError?
      if objc {
        do throws(FormatError) { data = try metadata(unit, file, reader, &piece) } catch { failure = error }
      }
      try SymbolJSON.append(unit, file, self, data, reader, to: &piece.text.bytes)
      if let failure { throw failure }
    case .count:
      let content = try reader.slice(unit.range, "object file")
      guard let symbols = try ObjectSymbols(content) else { return }
      piece.symbols += try symbols.count(content, selection)
    }
  }

  /// Nil, with a note, if its form is not supported.
  private func metadata(
    _ unit: ObjectUnit, _ file: CodeFile, _ reader: borrowing ByteReader, _ piece: inout Piece
  ) throws(FormatError) -> ObjCMetadata? {
    do throws(FormatError) {
      return try ObjCMetadata(try reader.slice(unit.range, "object file"), .all)
    } catch {
      guard case .unsupported = error.reason else { throw error }
      piece.notes.append("\(file.place(of: unit)): \(error)")
      return nil
    }
  }
}

extension Array {
  /// Cut into runs that are large enough to be worth a task of their own.
  func runs(of count: Int, bytes: Int, _ size: (Element) -> Int) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var (start, total) = (0, 0)
    for (index, element) in enumerated() {
      total += size(element)
      guard total >= bytes || index - start >= count - 1 || index == self.count - 1 else { continue }
      runs.append(start..<(index + 1))
      (start, total) = (index + 1, 0)
    }
    return runs
  }
}
