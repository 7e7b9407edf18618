import Findings
import ObjectFiles
import Store

/// Java classes as text, JSON or counts, made on all processors and handed on in order.
struct JavaListing: Sendable {
  let report: SymbolReport
  let selection: SymbolSelection

  struct Piece: Sendable {
    /// In order; the classes of one container share a text.
    var texts: [(container: Place, text: ListedText)] = []
    /// The numbers of fields and methods.
    var counts: [(place: Place, members: Int)] = []
    var mistakes: [Mistake] = []
  }

  func write(_ classes: [JavaClass], _ take: (Piece) throws -> Void) async throws {
    // The text of a class may be long, and finished pieces wait for their turn.
    let jobs = classes.runs(of: 32, bytes: 64 << 10) { $0.bytes.count }
    try await inOrder(jobs.count, { piece(classes[jobs[$0]]) }, take)
  }

  private func piece(_ classes: ArraySlice<JavaClass>) -> Piece {
    var piece = Piece()
    for item in classes {
      item.bytes.withReader { reader in
        do throws(FormatError) { try add(item, reader, to: &piece) } catch {
          piece.mistakes.append(Mistake("\(error)", at: item.place))
        }
      }
    }
    return piece
  }

  private func add(_ item: JavaClass, _ reader: borrowing ByteReader, to piece: inout Piece) throws(FormatError) {
    let file = try ClassFile(reader)
    // The text of a real class has at most four times its size. A jar can pack thousands of others in a few kilobytes.
    let budget = NameBudget(bytes: 64 << 10 + 16 * reader.count, "names of the class")
    var content = JavaContent(file, selection, budget)
    if report.counts {
      piece.counts.append((item.place, file.fields.count + file.methods.count))
    } else if report.format == .json {
      let line = try content.json(item, reader)
      JavaListing.add(to: &piece, item) { $0.bytes += line }
    } else {
      let lines = try content.lines(item, reader)
      JavaListing.add(to: &piece, item) { text in
        text.begin(report.namesFiles ? Array("\(item.place): ".utf8) : [])
        for line in lines { text.add(line: printable(line)) }
      }
    }
  }

  private static func add(to piece: inout Piece, _ item: JavaClass, _ body: (inout ListedText) -> Void) {
    if piece.texts.last?.container != item.container { piece.texts.append((item.container, ListedText())) }
    body(&piece.texts[piece.texts.count - 1].text)
  }
}
