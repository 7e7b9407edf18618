import Foundation
import SystemPackage

/// `npi-bench [zip] [build] [aar] [lint] [memory] [store] [symbols] [check] [android] [fleet] [colliding] [links-real] [engine]
/// [resources]`: some benchmarks, or all but `resources`, which runs only when it is named: it fetches half a gigabyte of sources once
/// and compares for minutes. `links-real` needs libraries that the environment names. Exits with 1 if a target is missed.
@main enum NPIBench {
  static func main() async throws {
    let names = Set(CommandLine.arguments.dropFirst())
    let cache: FilePath = ".build/bench-corpus"
    var bench = Bench()
    func isWanted(_ name: String) -> Bool { names.isEmpty || names.contains(name) }
    if names.contains("resources") { try await bench.resources() }
    if ["zip", "build", "memory", "store"].contains(where: isWanted) {
      let corpus = try Corpus.make(in: cache)
      print("\(ProcessInfo.processInfo.activeProcessorCount) cores; medians of runs in turn")
      if isWanted("zip") { try await bench.zipWriter(corpus) }
      if isWanted("build") { try await bench.build(corpus) }
      if isWanted("memory") { try await bench.memory(corpus) }
      if isWanted("store") { try await bench.store(corpus) }
    }
    if isWanted("aar") { try await bench.aar(try AndroidCorpus.make(in: cache)) }
    if isWanted("lint") { try await bench.lint(try Corpus.make(in: cache), try AndroidCorpus.make(in: cache)) }
    if isWanted("symbols") { try await bench.symbols(try SymbolCorpus.make(in: cache)) }
    if isWanted("check") { try await bench.check(try CheckCorpus.make(in: cache)) }
    if isWanted("android") { try await bench.android(try await AARCorpus.make(in: cache)) }
    if isWanted("fleet") { try await bench.fleet(try await AARCorpus.make(in: cache)) }
    if isWanted("colliding") { try await bench.colliding(try CollidingCorpus.make(in: cache)) }
    if isWanted("links-real") {
      let wants = "real static libraries for iPhones: \(RealLibraries.variable) is to name a folder with 60 or more"
      if let libraries = try await RealLibraries.find() {
        try await bench.realLinks(libraries)
      } else if names.contains("links-real") {
        print("links-real needs \(wants)")
        exit(2)
      } else {
        print("links-real is left out, for it needs \(wants)")
      }
    }
    if isWanted("engine") { try await bench.engine() }
    if !bench.misses.isEmpty {
      print("missed: \(bench.misses.count)")
      exit(1)
    }
  }
}
