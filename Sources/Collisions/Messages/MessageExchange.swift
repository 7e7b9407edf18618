package import Artifacts
package import Findings

/// The senders and receivers of each message.
package struct MessageExchange: Sendable {
  /// The identity of a message, whichever plugins send or receive it.
  struct ID: Hashable {
    var kind: MessagePolicy.Kind
    /// As bytes, because strings of different bytes may be equal.
    var name: [UInt8]

    init(_ message: MessagePolicy.Message) {
      kind = message.kind
      name = Array(message.name.utf8)
    }
  }

  package struct End: Sendable {
    package var plugin: String
    package var place: Place
  }

  package struct Channel: Sendable {
    package let kind: MessagePolicy.Kind
    package let name: String
    /// In the order of the plugins.
    package internal(set) var senders: [End] = []
    package internal(set) var receivers: [End] = []
  }

  /// Sorted by kind and name.
  package let channels: [Channel]
  /// The plugins with a policy, in their order, each once.
  package let plugins: [String]

  package init(_ policies: [MessagePolicy]) {
    var found: [ID: Channel] = [:]
    var plugins: [String] = []
    var seen: Set<[UInt8]> = []
    for policy in MessageExchange.different(policies) {
      if seen.insert(Array(policy.plugin.utf8)).inserted { plugins.append(policy.plugin) }
      // A message that is twice in one list has no second sender.
      var (sent, received): (Set<ID>, Set<ID>) = ([], [])
      for message in policy.messages {
        let end = End(plugin: policy.plugin, place: message.place)
        let id = ID(message)
        guard message.isSent ? sent.insert(id).inserted : received.insert(id).inserted else { continue }
        if message.isSent {
          found[id, default: Channel(kind: message.kind, name: message.name)].senders.append(end)
        } else {
          found[id, default: Channel(kind: message.kind, name: message.name)].receivers.append(end)
        }
      }
    }
    self.plugins = plugins
    channels = found.values.sorted { a, b in
      a.kind == b.kind ? a.name.utf8.lexicographicallyPrecedes(b.name.utf8) : a.kind < b.kind
    }
  }

  /// Leaves out repeated policies: a plugin's releases for several systems contain the same one.
  private static func different(_ policies: [MessagePolicy]) -> [MessagePolicy] {
    struct Direction: Hashable {
      var isSent: Bool
      var id: ID
    }
    var known: [String: [Set<Direction>]] = [:]
    return policies.filter { policy in
      let messages = Set(policy.messages.map { Direction(isSent: $0.isSent, id: ID($0)) })
      if known[policy.plugin]?.contains(messages) ?? false { return false }
      known[policy.plugin, default: []].append(messages)
      return true
    }
  }
}

extension MessageExchange.Channel {
  /// Whether a message has no receiver, or an event no publisher.
  package var isUnhandled: Bool { kind.isForMany ? senders.isEmpty : receivers.isEmpty }
}

extension [MessageExchange.End] {
  /// Each once, in their order.
  var plugins: [String] {
    var seen: Set<String> = []
    return map(\.plugin).filter { seen.insert($0).inserted }
  }
}
