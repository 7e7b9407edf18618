import Artifacts
import Collisions
package import Findings
import ObjectFiles
import Rules
import Store
package import SystemPackage

extension CheckPlugins {
  /// Plugins as far as they talk to each other. That the app has no policy is said where another has one and none is the app's.
  var messageParties: [MessageParty] {
    let hasAppPolicy = parties.contains { $0.policies.contains(where: \.isApp) }
    return parties.map { party in
      MessageParty(
        name: party.name, place: party.place, policies: party.policies,
        hasCode: !party.numbers.isEmpty && !(party.isApp && hasAppPolicy))
    }
  }

  /// What does not fit together of what policies say. Policies are read each time: they are small.
  func messageClashes(_ known: PluginIndex) async -> [Collision] {
    if parties.allSatisfy(\.policies.isEmpty) { return [] }
    var clashes = MessageClashes.all(in: messageParties)
    // The app's own class may be in its target, of which only libraries are named.
    for party in parties where !party.isApp {
      // Of what has no code for Apple's systems the class is not known.
      let numbers = party.numbers.filter { !known.slices(of: $0).isEmpty }
      if numbers.isEmpty { continue }
      for policy in party.policies {
        guard let clash = await missingClass(of: policy, numbers, known) else { continue }
        clashes.append(clash)
      }
    }
    return clashes
  }

  private func missingClass(of policy: MessagePolicy, _ numbers: [Int], _ known: PluginIndex) async -> Collision? {
    guard let text = policy.className?.text else { return nil }
    let name = EntryClassName(text)
    let symbols = name.candidates.map { "_OBJC_CLASS_$_\($0)" }
    if numbers.contains(where: { known.defines(symbols, in: $0) }) { return nil }
    // The names are wanted only now.
    var names: [String] = []
    for number in numbers {
      let inventory = try? await Inventory(
        of: paths[number], place: Place(paths[number].string), role: .tree, facts: [CodeFacts.self, CodeNames.self],
        temporary: HostProcess.temporaryFolder)
      // What cannot be read may have it, and has been told.
      guard let inventory, inventory.mistakes.isEmpty,
        inventory.facts(CodeFacts.self).allSatisfy(\.facts.errors.isEmpty)
      else { return nil }
      for (_, code) in inventory.facts(CodeNames.self) {
        for slice in code.slices { names += slice.classes.map(\.name.text) }
      }
    }
    return PolicyClass.collision(policy, suggestion: name.suggestion(among: Array(Set(names)).sorted()))
  }
}

/// What `graph --messages` draws.
package enum MessageDrawing {
  package static func picture(of plugins: [FilePath]) async throws(Mistakes) -> MessagePicture {
    if plugins.isEmpty {
      throw Mistakes("there is nothing to draw", hint: "name plugins: policy files, releases, folders")
    }
    let named = await CheckPlugins(apps: [], plugins)
    var mistakes = named.mistakes
    for (path, status) in zip(named.paths, named.statuses) where status == nil {
      mistakes.append(Mistake("there is no \(path)"))
    }
    guard mistakes.isEmpty else { throw Mistakes(mistakes) }
    let exchange = MessageExchange(named.messageParties)
    if exchange.plugins.isEmpty {
      throw Mistakes(
        "no plugin has a policy file",
        hint: "its name ends with .policy.json; folders and release records are looked into")
    }
    return exchange.picture
  }
}
