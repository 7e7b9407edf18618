import Store
package import SystemPackage

// The C++ runtime limits neither the length of a demangled text nor the time: 250 bytes can stand for 570 MB, and a few
// bytes more never finish. So a separate process does the work: npi-pack itself, under resource limits.
//
// The process reads names and writes one text for each, in order; every name and every text ends with a zero byte. An
// empty text means that the name is not a C++ name. The process ends at a name that exceeds a limit. The number of
// texts tells which name that was, as the first ones are written one by one. Later ones are written in blocks, which
// saves two system calls for each name; if a process dies in a block, the next one starts with that block.

/// Names of C++, as the C++ runtime of this machine writes them.
package struct CPlusPlusDemangler {
  private let program: FilePath?
  private var deaths = 0
  /// The note that there are no more texts is given once.
  private var isSilent = false

  package init(_ program: FilePath? = HostProcess.executable) { self.program = program }

  /// One text for each name, in order; empty if there is none.
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

  /// Real names never end the process; each end takes up to a tenth of a second.
  private static let maxDeaths = 32

  /// The names that one process gets: about 1 MB.
  private static func batch(_ names: ArraySlice<[UInt8]>) -> ArraySlice<[UInt8]> {
    var bytes = 0
    return names.prefix { name in
      defer { bytes += name.count }
      return bytes < 1 << 20
    }
  }

  /// Fewer answers than names if the process has died; nil if it could not be started.
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
    // The piece behind the last zero byte is empty or half a text.
    return texts.dropLast().prefix(names.count).map { Array($0) }
  }
}

package enum DemanglingProcess {
  /// The process's only argument, which is no command, step or file.
  package static let word = "--demangle-names"

  /// The number of texts that are written one by one, and the size of the blocks behind them.
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
