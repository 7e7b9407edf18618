import Collisions
import Findings
import Linking
import Store

/// What the link of one slice came to.
package struct SliceOutcome: Sendable {
  var link: CollisionReport.Link
  var findings: [CollisionFinding] = []
  var mistakes: [Mistake] = []
  var notes: [String] = []
  /// Paths of files beside the plugins that were looked for, whether or not they are there.
  var lookedFor: [String] = []
}

// As bytes (`RecordWriter`), its fields in their order, without mistakes, which are made again.
extension SliceOutcome {
  package var bytes: [UInt8] {
    var writer = RecordWriter()
    writer.add(name: link.slice)
    writer.add(name: link.linker)
    writer.add(link.isClosed)
    writer.add(name: link.outcome.rawValue)
    writer.add(link.loaded) { $0.add(name: $1) }
    writer.add(link.winners) { writer, winner in
      writer.add(name: winner.name)
      writer.add(name: winner.place)
    }
    writer.add(findings) { $0.add($1) }
    writer.add(notes) { $0.add(name: $1) }
    writer.add(lookedFor) { $0.add(name: $1) }
    return writer.bytes
  }

  /// Nil if these are the bytes of nothing that was kept.
  package init?(_ bytes: [UInt8]) {
    var reader = RecordReader(bytes[...])
    guard let slice = reader.name(), let linker = reader.name(), let isClosed = reader.flag(),
      let outcome = reader.name().flatMap({ LinkVerdict.Outcome(rawValue: $0) }), let loaded = reader.names(),
      let winners = reader.list({ reader -> (name: String, place: String)? in
        guard let name = reader.name(), let place = reader.name() else { return nil }
        return (name, place)
      }), let findings = reader.list({ $0.finding() }), let notes = reader.names(), let lookedFor = reader.names(),
      reader.rest.isEmpty
    else { return nil }
    link = CollisionReport.Link(
      slice: slice, linker: linker, isClosed: isClosed, outcome: outcome, loaded: loaded, winners: winners)
    self.findings = findings
    self.notes = notes
    self.lookedFor = lookedFor
  }
}

extension RecordWriter {
  fileprivate mutating func add(_ finding: CollisionFinding) {
    for name in [finding.rule.rawValue, finding.level.rawValue, finding.verdict.rawValue, finding.slice, finding.name] {
      add(name: name)
    }
    add(optional: finding.demangled) { $0.add(name: $1) }
    add(optional: finding.winner) { $0.add(name: $1) }
    add(optional: finding.identical) { $0.add($1) }
    add(finding.sites) { writer, site in
      writer.add(site.artifact.parts) { $0.add(name: $1) }
      writer.add(optional: site.member) { $0.add(name: $1) }
      writer.add(name: site.kind)
    }
    add(optional: finding.triggers) { writer, triggers in writer.add(triggers) { $0.add(name: $1) } }
    add(name: finding.keptMessage)
    add(finding.notes) { $0.add(name: $1) }
    add(name: finding.hint)
  }
}

extension RecordReader {
  fileprivate mutating func names() -> [String]? { list { $0.name() } }

  fileprivate mutating func finding() -> CollisionFinding? {
    guard let rule = name(), let level = name().flatMap({ Level(rawValue: $0) }),
      let verdict = name().flatMap({ CollisionFinding.Verdict(rawValue: $0) }), let slice = name(), let name = name(),
      let demangled = optional({ $0.name() }), let winner = optional({ $0.name() }),
      let identical = optional({ $0.flag() }), let sites = list({ $0.site() }),
      let triggers = optional({ $0.names() }), let message = self.name(), let notes = names(),
      let hint = self.name()
    else { return nil }
    var finding = CollisionFinding(
      RuleID(rawValue: rule), verdict, slice: slice, name: name, sites: sites, message: message, hint: hint,
      winner: winner, identical: identical, triggers: triggers, notes: notes)
    finding.level = level
    finding.demangled = demangled
    return finding
  }

  private mutating func site() -> CollisionFinding.Site? {
    guard let parts = names(), let member = optional({ $0.name() }), let kind = name() else { return nil }
    return CollisionFinding.Site(artifact: Place(parts: parts), member: member, kind: kind)
  }
}
