import Lanes
import Foundation
import Linking
import ObjectFiles
import SystemPackage
import Testing
import TestSupport

@testable import LinkSupport

extension LinkerProfile: CustomTestStringConvertible {
  package var testDescription: String { name }
}

/// Our verdicts on recorded link sets against those of the linkers themselves.
@Suite("recorded verdicts of linkers", .tools) struct OracleTests {
  @Test("every recorded set", arguments: [LinkerProfile.lld, .ld64])
  func recorded(_ profile: LinkerProfile) async throws {
    let oracle = try await Oracle()
    var counts = (compared: 0, leftOut: 0)
    var differences: [String] = []
    for item in oracle.cases {
      let folder = item.folder
      let record = profile.family == .lld ? item.lld : item.ld64
      if profile.family == .ld64, record.verdict == "unsupported", try Self.needsReader(folder) {
        counts.leftOut += 1
        continue
      }
      let words = profile.family == .lld ? item.args : item.args.filter { $0 != "--check-category-conflicts" }
      let line = try LinkLine(Oracle.base + words)
      let link = LinkResult(line, profile, LinkSet(.arm64, linkFolder(folder), profile))
      counts.compared += 1
      var found = record.differences(from: link, line, profile)
      // With all files read beforehand, and only the names that matter.
      let set = LinkSet(.arm64, linkFolder(folder), profile)
      await set.read(line, profile)
      let (whole, reduced) = ("\(link.verdict)", "\(LinkResult(line, profile, set).verdict)")
      if whole != reduced { found.append("read at once: \(reduced), else \(whole)") }
      if !found.isEmpty {
        differences.append(
          "\(item.id) \(item.title): \(item.args.joined(separator: " "))\n  " + found.joined(separator: "\n  "))
      }
    }
    print(
      "\(profile.name): \(counts.compared) link sets compared, \(counts.leftOut) left out, \(differences.count) different"
    )
    #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
    #expect(counts.compared + counts.leftOut == 464 + 53)
  }

  /// Apple's linker was recorded without what reads bitcode and text stubs: what it could not read says nothing.
  static func needsReader(_ folder: FilePath) throws -> Bool {
    try FileManager.default.contentsOfDirectory(atPath: folder.string).contains { name in
      if name.hasSuffix(".tbd") { return true }
      guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: folder.appending(name).string)) else { return false }
      return bytes.prefix(4) == Data([0x42, 0x43, 0xC0, 0xDE])
        || bytes.range(of: Data([0x42, 0x43, 0xC0, 0xDE])) != nil
    }
  }
}
