import Store
package import SystemPackage

// The C++ runtime bounds neither the text of a mangled name nor the time: 250 bytes can stand for 570 MB, and a few
// more never end. So a process of its own is asked: npi-pack once more, which sets itself limits.
//
// It reads names and writes a text for each, in their order; both have a zero byte at their end. No text: it is no name of
// C++. At a name that goes beyond a limit it ends, of itself or not. What it has written tells which name that was: the
// first texts are written one by one. Behind them they are written block by block, as two calls of the system for each
// name take longer than the names do; whoever dies in a block is asked again, from the block on.

/// Names of C++, as the C++ runtime of this machine writes them.
package struct CPlusPlusDemangler {
  private let program: FilePath?
  private var deaths = 0
  /// It is said once that there are no more texts.
  private var isSilent = false

  package init(_ program: FilePath? = HostProcess.executable) { self.program = program }

  /// A text for each name, in their order; an empty one if there is none.
  package mutating func texts(of names: [[UInt8]], _ note: (String) -> Void) async -> [[UInt8]] {
    var texts: [[UInt8]] = []
    while texts.count < names.count, !isSilent {
      let batch = CPlusPlusDemangler.batch(names[texts.count...])
      guard let answers = await answers(to: batch) else {
        note("npi-pack cannot be started once more: names of C++ stay as they are")
        isSilent = true
        break
      }
      texts += answers
      if answers.count == batch.count { continue }
      if answers.count < DemanglingProcess.singly { texts.append([]) }
      deaths += 1
      if deaths == CPlusPlusDemangler.maxDeaths {
        note("too many names of C++ stand for more than anybody reads: the others stay as they are")
        isSilent = true
      }
    }
    return texts + Array(repeating: [], count: names.count - texts.count)
  }

  /// Real names never have one; each takes up to a tenth of a second.
  private static let maxDeaths = 32

  /// What one process is asked.
  private static func batch(_ names: ArraySlice<[UInt8]>) -> ArraySlice<[UInt8]> {
    var bytes = 0
    return names.prefix { name in
      defer { bytes += name.count }
      return bytes < 1 << 20
    }
  }

  /// Fewer than were asked for if the process has died; nil if there was none.
  private func answers(to names: ArraySlice<[UInt8]>) async -> [[UInt8]]? {
    guard let program else { return nil }
    var input: [UInt8] = []
    var limit = 0
    for name in names {
      input += name
      input.append(0)
      limit += DemangledCPlusPlus.maxTextLength(name.count) + 64
    }
    let process = AskedProgram(path: program, words: [DemanglingProcess.word])
    guard let answer = try? await process.answer(input, atMost: limit) else { return nil }
    let texts = answer.output.split(separator: 0, omittingEmptySubsequences: false)
    // What has no zero byte behind it is nothing or half a text.
    return texts.dropLast().prefix(names.count).map { Array($0) }
  }
}

/// The process that is asked.
package enum DemanglingProcess {
  /// The one word that it is started with. No command, step or file is meant.
  package static let word = "--demangle-names"

  /// As many texts are written one by one, and as many make a block behind them.
  static let singly = 64

  package static func run(_ write: ([UInt8]) -> Void) {
    HostLimits.set(bytes: 64 << 20, seconds: 4)
    guard let input = try? FileSystem.read("/dev/stdin") else { return }
    var texts: [UInt8] = []
    defer { write(texts) }
    for (index, name) in input.split(separator: 0, omittingEmptySubsequences: false).dropLast().enumerated() {
      if index < singly || index % singly == 0 {
        write(texts)
        texts = []
        HostLimits.endAfter(microseconds: 100_000)
      }
      do { texts += try DemangledCPlusPlus.text(name) ?? [] } catch { return }
      texts.append(0)
    }
  }
}
