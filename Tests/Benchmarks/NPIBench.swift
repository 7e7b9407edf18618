import Foundation
import SystemPackage

/// `npi-bench [zip] [build] [aar] [lint] [maven] [memory] [store] [symbols] [check] [android] [fleet] [colliding]
/// [renaming] [links-real] [libraries-real] [engine] [resources]`: some benchmarks, or all but `resources`, which runs only
/// when it is named: it fetches half a gigabyte of sources once and compares for minutes. `links-real` and `libraries-real` need
/// libraries that the environment names. Exits with 1 if a target is missed.
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
    if isWanted("maven") { try await bench.maven() }
    if isWanted("symbols") { try await bench.symbols(try SymbolCorpus.make(in: cache)) }
    if isWanted("check") { try await bench.check(try CheckCorpus.make(in: cache)) }
    if isWanted("android") { try await bench.android(try await AARCorpus.make(in: cache)) }
    if isWanted("fleet") { try await bench.fleet(try await AARCorpus.make(in: cache)) }
    if isWanted("colliding") { try await bench.colliding(try CollidingCorpus.make(in: cache)) }
    if isWanted("renaming") {
      try await bench.renaming()
      try await bench.relocation()
    }
    let ofLibraries = ["links-real": "60 or more", "libraries-real": "some"].filter { isWanted($0.key) }
    if !ofLibraries.isEmpty {
      if let libraries = try await RealLibraries.find() {
        if ofLibraries["libraries-real"] != nil { try await bench.realLibraries(libraries) }
        if ofLibraries["links-real"] != nil { try await bench.realLinks(libraries) }
      } else {
        for (name, count) in ofLibraries.sorted(by: { $0.key < $1.key }) {
          let wants = "static libraries for iPhones: \(RealLibraries.variable) is to name a folder with \(count)"
          print("\(name) \(names.contains(name) ? "needs" : "is left out, for it needs") \(wants)")
        }
        if !names.isDisjoint(with: ofLibraries.keys) { exit(2) }
      }
    }
    if isWanted("engine") { try await bench.engine() }
    if !bench.misses.isEmpty {
      print("missed: \(bench.misses.count)")
      exit(1)
    }
  }
}
