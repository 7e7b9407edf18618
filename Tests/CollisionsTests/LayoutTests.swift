@testable import Artifacts
@testable import Collisions
import Findings
import Store
import Testing

/// What the families of layouts say of files at one destination.
@Suite struct LayoutTests {
  private static let ios = Slice(platform: "ios", architecture: "", variant: nil)
  private static let simulator = Slice(platform: "ios", architecture: "", variant: "simulator")

  private func item(
    _ kind: LayoutItem.Kind, _ destination: String, in plugin: String = "P", targets: [Slice] = [ios],
    isCopied: Bool = true, content: UInt32? = nil, modules: [String] = [], code: FrameworkCode? = nil
  ) -> LayoutItem {
    LayoutItem(
      kind: kind, destination: destination, container: Place("\(plugin).xcframework"), member: "x", targets: targets,
      isCopied: isCopied, content: content.map { ContentChecksum(size: 1, crc32: $0) }, modules: modules, code: code)
  }

  private func context(_ plugins: [LayoutItem]...) -> CheckContext {
    CheckContext(
      plugins: plugins.enumerated().map { number, items in
        PluginFacts(
          name: PluginName(path: "\(number)", shown: "\(number)", stable: "\(number)"),
          layout: LayoutFacts(items: items))
      })
  }

  private static let families: [any LayoutFamily.Type] = [
    ModuleMapClash.self, HeaderClash.self, ModuleRedefinition.self, DuplicateFramework.self, DuplicateBundle.self,
    LooseResourceClash.self, LostPrivacyManifest.self,
  ]

  @Test func whoCouldNotJudgeSaysWhy() {
    for family in Self.families {
      guard case .cannot(let nothing) = family.judge(context([])) else {
        Issue.record("\(family.name) judges nothing")
        continue
      }
      #expect(nothing == "nothing to compare")
      let other = item(family.kinds.contains(.header) ? .bundle : .header, "include/a.h")
      guard case .cannot(let reason) = family.judge(context([other])) else {
        Issue.record("\(family.name) judges the files of others")
        continue
      }
      #expect(reason == "nothing to compare")
    }
  }

  @Test func headersOfOnePathAreAnErrorWhateverIsInThem() {
    let found = HeaderClash.judge(
      context(
        [item(.header, "include/A.h", content: 1), item(.header, "include/B.h", content: 1)],
        [item(.header, "include/A.h", content: 1), item(.header, "include/B.h", content: 2)])
    ).found
    #expect(found.map(\.name.text) == ["include/A.h", "include/B.h"])
    #expect(found.map(\.identical) == [true, false] && found.allSatisfy { $0.level == .error })
  }

  @Test func headersThatAreNotCopiedCountIfTheyDiffer() {
    func found(_ first: UInt32?, _ second: UInt32?) -> [Level] {
      HeaderClash.judge(
        context(
          [item(.header, "include/A.h", content: first)],
          [item(.header, "include/A.h", isCopied: false, content: second)])
      ).found.map(\.level)
    }
    #expect(found(1, 2) == [.warning] && found(1, 1) == [] && found(1, nil) == [])
  }

  @Test func platformsNeverMeet() {
    let other = item(.moduleMap, "include/module.modulemap", targets: [Self.simulator])
    let own = item(.moduleMap, "include/module.modulemap")
    #expect(ModuleMapClash.judge(context([own], [other])).found == [])
    #expect(ModuleMapClash.judge(context([own, other], [])).found == [])
    // The slices of both are one collision each; a file for all platforms meets both.
    #expect(
      ModuleMapClash.judge(context([own, other], [own, other])).found.map(\.slice) == [Self.ios, Self.simulator])
    let all = item(.moduleMap, "include/module.modulemap", targets: [])
    #expect(ModuleMapClash.judge(context([own, other], [all])).found.count == 2)
  }

  @Test func modulesAtOnePlaceAreNotSaidTwice() {
    let one = item(.moduleMap, "include/module.modulemap", modules: ["Log"])
    let two = item(.moduleMap, "include/Log/module.modulemap", modules: ["Log", "Other"])
    #expect(ModuleRedefinition.judge(context([one], [one])).found == [])
    let found = ModuleRedefinition.judge(context([one], [two])).found
    #expect(found.map(\.name.text) == ["Log"] && found[0].verdict == .possible && found[0].level == .warning)
  }

  private func code(_ uuid: UInt8, exports: UInt64, name: String = "@rpath/A") -> FrameworkCode {
    FrameworkCode(
      isDynamic: true, installName: name,
      images: [.init(architecture: "arm64", uuid: Array(repeating: uuid, count: 16), exports: exports)])
  }

  @Test func buildsOfOneFramework() throws {
    func found(_ first: FrameworkCode, _ second: FrameworkCode) throws -> Collision {
      try #require(
        DuplicateFramework.judge(
          context([item(.framework, "A.framework", code: first)], [item(.framework, "A.framework", code: second)])
        ).found.first)
    }
    let same = try found(code(0xAB, exports: 1), code(0xAB, exports: 1))
    #expect(same.identical == true && same.level == .error)
    #expect(same.examples == ["they are one build: their UUIDs are equal"])
    let different = try found(code(0xAB, exports: 1), code(1, exports: 2))
    #expect(different.identical == false)
    #expect(
      different.examples == [
        "they are different builds (ABABABAB-ABAB-ABAB-ABAB-ABABABABABAB, 01010101-0101-0101-0101-010101010101), "
          + "and what they export differs"
      ])
    #expect(try found(code(1, exports: 1), code(2, exports: 1)).examples[0].hasSuffix("what they export is the same"))
    let mixed = try found(code(1, exports: 1), FrameworkCode(isDynamic: false))
    #expect(mixed.identical == nil && mixed.examples == ["one is dynamic, the other static"])
  }

  @Test func oneInstallNameOfTwoFrameworks() {
    let found = DuplicateFramework.judge(
      context(
        [item(.framework, "A.framework", code: code(1, exports: 1))],
        [item(.framework, "B.framework", code: code(2, exports: 1))])
    ).found
    #expect(found.map(\.name.text) == ["@rpath/A"] && found.map(\.level) == [.warning])
  }

  @Test func manifestsOfOnePluginAreOneFinding() {
    let lost = item(.privacyManifest, "PrivacyInfo.xcprivacy", isCopied: false)
    let embedded = item(.privacyManifest, "PrivacyInfo.xcprivacy")
    let found = LostPrivacyManifest.judge(context([lost, lost], [embedded])).found
    #expect(found.map(\.level) == [.warning, .note] && found.map(\.sites.count) == [2, 1])
  }

  @Test func theRecordIsTheFacts() throws {
    var full = item(.framework, "A.framework", targets: [Self.ios, Self.simulator], content: 7, modules: ["A"])
    full.code = code(3, exports: .max)
    (full.identifier, full.version) = ("com.a", "1.0")
    let items = [full, item(.header, "include/é.h", isCopied: false)]
    var writer = RecordWriter()
    LayoutFacts(items: items).write(to: &writer, below: "P")
    var reader = RecordReader(writer.bytes[...])
    #expect(LayoutFacts(&reader, below: "P")?.items == items)
    // At another path the facts are those of the file there.
    var moved = RecordReader(writer.bytes[...])
    #expect(LayoutFacts(&moved, below: "Q")?.items.first?.container == Place("Q.xcframework"))
    for end in writer.bytes.indices {
      var cut = RecordReader(writer.bytes[..<end])
      #expect(LayoutFacts(&cut, below: "P") == nil || !cut.isAtEnd || end == 0)
    }
  }
}
