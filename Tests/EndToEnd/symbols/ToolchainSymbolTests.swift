import Foundation
import SystemPackage
import Testing
import TestSupport

/// Every static and shared library that comes with Swift, as `llvm-nm` prints it.
@Suite(.timeLimit(.minutes(20))) struct ToolchainSymbolTests {
  /// The folder, and the names of the libraries in it.
  private func libraries() async throws -> (folder: URL, names: [String]) {
    let target = try await Tool.check(["swiftc", "-print-target-info"])
    let info = try #require(try JSONSerialization.jsonObject(with: Data(target.utf8)) as? [String: Any])
    let paths = try #require(info["paths"] as? [String: Any])
    let library = URL(fileURLWithPath: try #require(paths["runtimeResourcePath"] as? String))
      .deletingLastPathComponent()
    let names = try FileManager.default.subpathsOfDirectory(atPath: library.path).sorted().filter { name in
      let last = name.split(separator: "/").last ?? ""
      return last.hasSuffix(".a") || last.hasSuffix(".so") || last.contains(".so.") || last.hasSuffix(".dylib")
    }
    #expect(names.count > 50)
    return (library, names)
  }

  /// The runtimes write some names otherwise, and do not know them all: see `DemangledCPlusPlus`.
  @Test func namesOfCPlusPlus() async throws {
    let (library, names) = try await libraries()
    var lines = (all: 0, demangled: 0, different: 0)
    for name in names where name.contains("FoundationICU.a") || name.contains("san-") && name.hasSuffix(".a") {
      let file = library.appendingPathComponent(name).path
      async let all = Tool.run(["llvm-nm-19", "-p", "--no-llvm-bc", "--demangle", file])
      let ours = try await Tool.run([Scenario.binary.string, "symbols", "--demangle", file]).out.split(separator: "\n")
      let theirs = try await all.out.split(separator: "\n")
      #expect(ours.count == theirs.count, "\(name)")
      for (our, their) in zip(ours, theirs) {
        lines.all += 1
        if their.utf8.contains(UInt8(ascii: "(")) { lines.demangled += 1 }
        if our.utf8.elementsEqual(their.utf8) { continue }
        lines.different += 1
        // Nothing but names is otherwise.
        #expect(our.utf8.prefix(19).elementsEqual(their.utf8.prefix(19)), "\(name)")
      }
    }
    #expect(lines.demangled > 5_000 && lines.different < lines.demangled / 50, "\(lines)")
  }

  @Test func everyLibrary() async throws {
    let (library, names) = try await libraries()
    var lines = 0
    for name in names {
      let file = library.appendingPathComponent(name).path
      async let theirs = Tool.run(["llvm-nm-19", "-p", "--no-llvm-bc", "--arch=all", file])
      let ours = try await Tool.run([Scenario.binary.string, "symbols", file])
      // Swift for the browser: no plugin has that, and it is said.
      if try await Tool.run(["llvm-readobj-19", "--file-header", file]).out.contains("WASM") {
        #expect(ours.out.isEmpty && ours.err.contains("WebAssembly") && ours.status == 2, "\(name)")
        continue
      }
      // Not with #expect on the texts: they are long.
      let isSame = try await theirs.out == ours.out
      #expect(isSame, "\(name)")
      #expect(ours.status == 0, "\(name): \(ours.err)")
      lines += ours.out.utf8.count { $0 == 0x0A }
    }
    #expect(lines > 100_000)
  }
}
