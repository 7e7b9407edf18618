package import Artifacts
import Findings
import Linking
package import Store

// The stored form of a link's collisions. Their common slice is stored once before them; fields that are set for a
// report are not stored.

extension Collision {
  package func write(to writer: inout RecordWriter) {
    for name in [rule.rawValue, verdict.rawValue, name.text] { writer.add(name: name) }
    writer.add(sites) { writer, site in
      writer.add(names: site.artifact.parts)
      writer.add(optional: site.plugin) { $0.add($1.index) }
      writer.add(optional: site.member) { $0.add(name: $1) }
      writer.add(name: site.kind.rawValue)
      let (isFlag, text) =
        switch site.reason {
        case .flag(let flag): (true, Optional(flag))
        case .symbol(let name): (false, Optional(name))
        case nil: (false, nil)
        }
      writer.add(isFlag)
      writer.add(optional: text) { $0.add(name: $1) }
    }
    writer.add(optional: winner) { $0.add(name: $1) }
    writer.add(optional: identical) { $0.add($1) }
    writer.add(names: triggers.map(\.text))
    writer.add(count)
    writer.add(names: examples)
    writer.add(optional: parting) { $0.add(name: $1) }
  }

  package init?(_ slice: Slice, _ reader: inout RecordReader) {
    guard let rule = reader.name(), let verdict = reader.name().flatMap({ Verdict(rawValue: $0) }),
      let name = reader.name(), let sites = reader.list({ Site(&$0) }), let winner = reader.optional({ $0.name() }),
      let identical = reader.optional({ $0.flag() }), let triggers = reader.names(), let count = reader.number(),
      let examples = reader.names(), let parting = reader.optional({ $0.name() })
    else { return nil }
    self.init(RuleID(rawValue: rule), verdict, slice, name, sites, winner: winner, identical: identical)
    self.triggers = triggers.map { Name(text: $0) }
    (self.count, self.examples, self.parting) = (count, examples, parting)
  }
}

extension Collision.Site {
  fileprivate init?(_ reader: inout RecordReader) {
    guard let parts = reader.names(), let plugin = reader.optional({ $0.number() }),
      let member = reader.optional({ $0.name() }),
      let kind = reader.name().flatMap({ Kind(rawValue: $0) }), let isFlag = reader.flag(),
      let reason = reader.optional({ $0.name() })
    else { return nil }
    self.init(
      Place(parts: parts), member: member, of: plugin.map { PluginID($0) }, kind,
      reason.map { isFlag ? .flag($0) : .symbol($0) })
  }
}

extension LinkSummary {
  package func write(to writer: inout RecordWriter) {
    writer.add(name: linker)
    writer.add(isClosed)
    writer.add(name: outcome.rawValue)
    writer.add(names: loaded)
    writer.add(names: winners.flatMap { [$0.name, $0.place] })
  }

  package init?(_ slice: Slice, _ reader: inout RecordReader) {
    guard let linker = reader.name(), let isClosed = reader.flag(),
      let outcome = reader.name().flatMap({ LinkVerdict.Outcome(rawValue: $0) }), let loaded = reader.names(),
      let texts = reader.names(), texts.count.isMultiple(of: 2)
    else { return nil }
    self.init(
      slice: slice, linker: linker, isClosed: isClosed, outcome: outcome, loaded: loaded,
      winners: stride(from: 0, to: texts.count, by: 2).map { (texts[$0], texts[$0 + 1]) })
  }
}

extension RecordWriter {
  package mutating func add(names: [String]) { add(names) { $0.add(name: $1) } }
}

extension RecordReader {
  package mutating func names() -> [String]? { list { $0.name() } }
}
