import Foundation
import ObjectFiles
import Store
import SystemPackage
import TestSupport

extension Bench {
  /// Reading symbols against `llvm-nm` on the same static libraries, whole processes in turn, output thrown away.
  mutating func symbols(_ corpus: SymbolCorpus) async throws {
    let files = corpus.libraries
    let bytes = try files.reduce(0) { try $0 + fileSize($1) }
    let names = files.map(\.string)
    let tool = Bench.tool
    let nm = ["llvm-nm-19", "-p", "--no-llvm-bc", "--arch=all"]
    let commands = [[tool, "symbols"] + names, [tool, "symbols", "--count"] + names, nm + names]
    try await sameLines(commands[0], commands[2])
    let times = try await inTurn(commands, in: ".", rounds: 9)
    let size = "\(files.count) libraries, \(bytes >> 20) MB"
    for (index, what, target) in [(0, "printed", 5.0), (1, "counted", 15.0)] {
      let ratio = times[2].wall / times[index].wall
      report(
        "symbols of \(size) \(what): \(Bench.milliseconds(times[index])), llvm-nm \(Bench.milliseconds(times[2])): "
          + "\(Bench.text(ratio)) times", (ratio >= target, "at least \(Int(target))"))
    }
    for (command, what) in [(commands[0], "printed"), (commands[1], "counted")] {
      let peak = try await Bench.peakPrivateMegabytes(command, in: ".")
      report("symbols \(what): \(peak) MB of memory beyond the mapped files at most", (peak < 64, "below 64 MB"))
    }
    try await tables(files, counted: times[1].wall, printed: times[0].wall)
    for library in corpus.ordinary { try await ordinary(library) }
  }

  /// One library by itself: much of the time is the start of the process.
  private mutating func ordinary(_ library: FilePath) async throws {
    let commands = [
      [Bench.tool, "symbols", library.string], [Bench.tool, "symbols", "--count", library.string],
      ["llvm-nm-19", "-p", "--no-llvm-bc", library.string],
    ]
    let times = try await inTurn(commands, in: ".", rounds: 25)
    let size = Bench.text(Double(try fileSize(library)) / 1e6)
    for (index, what, target) in [(0, "printed", 5.0), (1, "counted", 10.0)] {
      let ratio = times[2].wall / times[index].wall
      report(
        "symbols of a library of \(size) MB \(what): \(Bench.milliseconds(times[index])), llvm-nm "
          + "\(Bench.milliseconds(times[2])): \(Bench.text(ratio)) times", (ratio >= target, "at least \(Int(target))"))
    }
  }

  /// How fast the tables themselves are read, against nothing but reading their bytes.
  private mutating func tables(_ files: [FilePath], counted: Double, printed: Double) async throws {
    var parts: [(file: FilePath, range: Range<Int>)] = []
    for file in files {
      let mapped = try MappedFile.open(file)
      parts += mapped.withBytes { (bytes: RawSpan) in Bench.tables(ByteReader(bytes)) }.map { (file, $0) }
    }
    let total = parts.reduce(0) { $0 + $1.range.count }
    var read: [Double] = []
    for _ in 0..<5 {
      read.append(
        try await Bench.seconds {
          var open: (path: FilePath, file: FileHandle)?
          for (path, range) in parts {
            if open?.path != path, let file = FileHandle(forReadingAtPath: path.string) { open = (path, file) }
            try open?.file.seek(toOffset: UInt64(range.lowerBound))
            _ = try open?.file.read(upToCount: range.count)
          }
        })
    }
    func speed(_ seconds: Double) -> String { String(format: "%.2f GB/s", Double(total) / seconds / 1e9) }
    report(
      "symbol and string tables, \(total >> 20) MB: counted at \(speed(counted)), printed at \(speed(printed)), "
        + "only read at \(speed(Bench.median(read)))", nil)
  }

  private static func tables(_ reader: borrowing ByteReader) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    for unit in ObjectUnits(reader).units {
      guard let content = try? reader.slice(unit.range, "object file"), let file = try? MachOFile(content),
        let table = try? MachOSymbolTable(file, content)
      else { continue }
      ranges += [table.range, table.strings]
    }
    return ranges
  }

  private func sameLines(_ ours: [String], _ theirs: [String]) async throws {
    let script =
      "[ \"$(\(ours.joined(separator: " ")) | sha256sum)\" = \"$(\(theirs.joined(separator: " ")) | sha256sum)\" ]"
    guard try await Tool.run(["sh", "-c", script]).status == 0 else {
      throw ToolError("llvm-nm prints something else than npi-pack symbols")
    }
  }

  static func milliseconds(_ time: Times) -> String {
    String(format: "%.0f ms (cpu %.0f)", time.wall * 1000, time.cpu * 1000)
  }

  /// The peak of a process's own memory, in MB: without the files that it maps. Looked at every millisecond.
  private static func peakPrivateMegabytes(_ words: [String], in folder: FilePath) async throws -> Int {
    let program = """
      import os, subprocess, sys, time
      process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
      peak = 0
      while process.poll() is None:
        try:
          with open(f"/proc/{process.pid}/status") as status:
            for line in status:
              if line.startswith("RssAnon:"): peak = max(peak, int(line.split()[1]))
        except OSError: pass
        time.sleep(0.001)
      print(peak // 1024)
      """
    let out = try await Tool.check(["python3", "-c", program] + words, in: folder)
    return Int(out.split(separator: "\n").first ?? "") ?? .max
  }
}
