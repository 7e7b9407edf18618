import SystemPackage
import TestSupport

extension Bench {
  /// Real libraries that collide, against lld's link of the same files with all of its errors printed: as a link line
  /// and as plugins, without a store, with an empty one, and with one that has the link.
  mutating func realLinks(_ libraries: RealLibraries) async throws {
    for count in [10, 30, 60] {
      for flag in ["-ObjC", "-all_load"] { try await realLink(try libraries.set(of: count), flag) }
    }
  }

  private mutating func realLink(_ libraries: [String], _ flag: String) async throws {
    let scratch = Scratch()
    let flags = [
      "-arch", "arm64", "-platform_version", "ios", "13.0", "13.0", "-dylib", "-undefined", "dynamic_lookup", flag,
    ]
    let lld = ["ld64.lld-19", "-o", "/dev/null", "--error-limit=0"] + flags + libraries
    let errors = try await Tool.run(lld).all.split(separator: "\n").count { $0.contains("duplicate symbol") }
    guard errors > 0 else { throw ToolError("real libraries that do not collide measure nothing") }
    let check = [Bench.tool, "check", "--closed-world", "--linker", "lld"]
    let json = check + ["--format", "json"]
    func stored(_ name: String) -> [String] { ["env", "NPI_PACK_STORE=\(scratch(name).string)"] }
    let rows = [
      ("a link line as text", check + ["--"] + flags + libraries, 1.0),
      ("as JSON", json + ["--"] + flags + libraries, 1.0),
      ("plugins as JSON", json + libraries + ["--"] + flags, 1.0),
      ("with an empty store", stored("empty") + json + libraries + ["--"] + flags, 1.0),
      ("with the link in the store, as text", stored("store") + check + libraries + ["--"] + flags, 0.1),
      ("as JSON", stored("store") + json + libraries + ["--"] + flags, 0.1),
    ]
    _ = try await Tool.run(rows[4].1)
    let times = try await inTurn(rows.map(\.1) + [lld], in: scratch.path, rounds: 9, removing: ["empty"], status: 1)
    let peer = times[rows.count]
    print(
      "\(libraries.count) real libraries, \(flag), \(errors) duplicates: lld \(Bench.milliseconds(peer)), "
        + "\(peer.peak) MB")
    for ((what, _, most), time) in zip(rows, times) {
      let ratio = time.cpu / peer.cpu
      report(
        "  \(what): \(Bench.milliseconds(time)), \(time.peak) MB: \(Bench.text(ratio)) of its processors' time, "
          + "\(Bench.text(time.wall / peer.wall)) of its time",
        (ratio <= most && time.wall <= most * peer.wall && time.peak <= peer.peak, "at most \(Bench.text(most))"))
    }
  }
}
