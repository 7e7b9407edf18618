import Foundation
import SystemPackage

/// `npi-bench [zip] [build] [aar] [memory]`: all benchmarks, or some. Exits with 1 if a target is missed.
@main enum NPIBench {
  static func main() async throws {
    let names = Set(CommandLine.arguments.dropFirst())
    let cache: FilePath = ".build/bench-corpus"
    let corpus = try Corpus.make(in: cache)
    var bench = Bench()
    print("\(ProcessInfo.processInfo.activeProcessorCount) cores; medians of runs in turn")
    if names.isEmpty || names.contains("zip") { try await bench.zipWriter(corpus) }
    if names.isEmpty || names.contains("build") { try await bench.build(corpus) }
    if names.isEmpty || names.contains("aar") { try await bench.aar(try AndroidCorpus.make(in: cache)) }
    if names.isEmpty || names.contains("memory") { try await bench.memory(corpus) }
    if !bench.misses.isEmpty {
      print("missed: \(bench.misses.count)")
      exit(1)
    }
  }
}
