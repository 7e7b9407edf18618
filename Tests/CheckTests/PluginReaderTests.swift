import Foundation
import Store
import SystemPackage
import TestSupport
import Testing

@testable import Check

/// Which facts the store takes for those of a plugin.
@Suite struct PluginReaderTests {
  private let scratch = Scratch()
  private var link: FilePath { scratch("plugin") }

  private func lead(to name: String) throws {
    try? FileManager.default.removeItem(atPath: link.string)
    try FileManager.default.createSymbolicLink(atPath: link.string, withDestinationPath: scratch(name).string)
  }

  /// As it is named long after it was written, so that its stamp is settled.
  private var named: NamedPlugin { NamedPlugin(link, CheckPlugins.status(of: link), now: .max) }

  /// A link that is changed while a check runs must not lend one plugin the facts of another.
  @Test(arguments: [false, true]) func aLinkThatLeadsElsewhereMeanwhile(isFolder: Bool) throws {
    // An empty zip, and one with a comment.
    let zip = "PK\u{5}\u{6}" + String(repeating: "\0", count: 16)
    for (name, zip) in [("a", zip + "\0\0"), ("b", zip + "\u{1}\0b")] {
      try scratch.write(isFolder ? "\(name)/p.zip" : name, zip)
    }
    let store = FactStore(ContentStore(scratch("store"), limit: 1 << 20))
    let reader = PluginReader(store: store, temporary: scratch.path)
    try lead(to: "a")
    let before = named
    try lead(to: "b")
    #expect(!reader.read([before])[0].isKept)
    // Its content is in the store now, under its own digest.
    #expect(reader.read([named])[0].isKept)
    #expect(!reader.read([before])[0].isKept)
    try lead(to: "a")
    let key = try #require(named.key)
    #expect(store.place(of: key) == nil)
    #expect(reader.read([named])[0].isKept)
  }
}
