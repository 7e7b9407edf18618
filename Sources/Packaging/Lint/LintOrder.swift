import Artifacts
package import Findings
import Rules
import Store
package import SystemPackage

/// An artifact for the rules, with all that they are told besides its bytes.
package struct LintOrder: Sendable {
  /// Where it is. Messages show the path that a user has named, which another machine need not have.
  var file: FilePath
  var shown: String
  /// Every rule's.
  var settings: [RuleID: RuleSettings]
  var host: HostRules.Found
  /// The plugin's configuration; nil if it is not known.
  var configuration: Configuration?
  /// The platforms of the deliverables beside it; nil if they are not known.
  var platforms: Set<Inventory.Platform>?
  /// The app that contains an extension, if the user names it.
  var app: ContainingApp?

  private static let header = Array("npi-pack lint 1\n".utf8)

  /// The result depends on these bytes and on the artifact's own. Nil for what is linted here: an extension whose result
  /// depends on its app, a path that only this machine has, and a document, which is read as fast as it is digested.
  var bytes: [UInt8]? {
    guard app == nil, host.app == nil, namedKind?.isArchive != false,
      case let path = FilePath(shown), path.isRelative, path.components.first?.kind != .parentDirectory
    else { return nil }
    var writer = RecordWriter()
    writer.add(shown)
    writer.add(settings.sorted { $0.key.rawValue < $1.key.rawValue }) { writer, rule in
      writer.add(rule.key.rawValue)
      writer.add(rule.value)
    }
    writer.add(optional: host.host) { $0.add($1) }
    writer.add(host.isKnown)
    writer.add(optional: configuration) { writer, configuration in
      writer.add(configuration.members) { writer, member in
        writer.add(member.key)
        writer.add(member.value)
      }
    }
    writer.add(optional: platforms) { writer, platforms in
      writer.add(platforms.map(\.rawValue).sorted()) { $0.add($1) }
    }
    return LintOrder.header + writer.bytes
  }

  /// The order for a file on this machine; nil if the bytes are none.
  package init?(_ bytes: [UInt8], for file: FilePath) {
    guard bytes.starts(with: LintOrder.header) else { return nil }
    var reader = RecordReader(bytes[LintOrder.header.count...])
    guard let shown = reader.text(),
      let settings = reader.list({ reader in
        reader.text().flatMap { id in RuleSettings(from: &reader).map { (RuleID(rawValue: id), $0) } }
      }),
      let names = reader.optional({ $0.text() }), let isKnown = reader.flag(),
      let configuration = reader.optional({ $0.list { Configuration.member(from: &$0) }.map { Configuration($0) } }),
      let platforms = reader.optional({ $0.list { $0.text().flatMap { Inventory.Platform(rawValue: $0) } } }),
      reader.isAtEnd
    else { return nil }
    (self.file, self.shown, self.configuration) = (file, shown, configuration)
    self.settings = Dictionary(settings) { $1 }
    host = HostRules.Found(host: names, isKnown: isKnown)
    self.platforms = platforms.map { Set($0) }
  }

  init(_ file: FilePath, _ host: HostRules.Found, _ settings: [RuleID: RuleSettings]) {
    (self.file, self.host, self.settings) = (file, host, settings)
    shown = file.string
  }

  /// The key of the result for these contents. It depends on the build, which may have other rules.
  static func key(_ order: [UInt8], content: Digest) -> Digest {
    Digest(of: Array("lint \(Digest(of: Tool.build).hex) \(content.hex)\n".utf8) + order)
  }

  /// Lints the file, and returns the sealed record of the result: the work of a worker.
  package func carryOut() async throws(Mistakes) -> [UInt8] {
    do {
      guard let bytes, let record = try await result().record else {
        throw Mistakes("\(shown) is nothing that workers lint")
      }
      return ContentStore.sealed(record, of: LintOrder.key(bytes, content: try OpenedArtifact(file).digest()))
    } catch { throw Mistakes(from: error) }
  }
}

extension RecordWriter {
  fileprivate mutating func add(_ settings: RuleSettings) {
    add(settings.level.rawValue)
    add(settings.lists.sorted { $0.key < $1.key }) { writer, list in
      writer.add(list.key)
      writer.add(list.value) { $0.add($1) }
    }
    add(settings.tables.sorted { $0.key < $1.key }) { writer, table in
      writer.add(table.key)
      writer.add(table.value) { writer, row in
        writer.add(row.key)
        writer.add(row.values) { $0.add($1) }
      }
    }
  }

  fileprivate mutating func add(_ value: Configuration.Value) {
    let (isText, text) =
      switch value {
      case .text(let text): (true, text)
      case .other(let what): (false, what)
      }
    add(isText)
    add(text)
  }
}

extension RuleSettings {
  fileprivate init?(from reader: inout RecordReader) {
    func texts(_ reader: inout RecordReader) -> (key: String, values: [String])? {
      reader.text().flatMap { key in reader.list { $0.text() }.map { (key, $0) } }
    }
    guard let level = reader.text().flatMap({ Level(rawValue: $0) }), let lists = reader.list(texts),
      let tables = reader.list({ reader in reader.text().flatMap { key in reader.list(texts).map { (key, $0) } } })
    else { return nil }
    self.init(level: level)
    self.lists = Dictionary(lists.map { ($0.key, $0.values) }) { $1 }
    self.tables = Dictionary(tables) { $1 }
  }
}

extension Configuration {
  fileprivate static func member(from reader: inout RecordReader) -> (key: String, value: Value)? {
    guard let key = reader.text(), let isText = reader.flag(), let text = reader.text() else { return nil }
    return (key, isText ? .text(text) : .other(text))
  }
}
