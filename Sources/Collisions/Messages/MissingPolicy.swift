import Artifacts
package import Findings

/// A plugin without a policy file. Its messages are not known, so findings about those of the others may be wrong.
package enum MissingPolicy: CollisionRule {
  package static let id: RuleID = "missing-policy"
  package static let noun = (one: "plugin without a policy", many: "plugins without a policy")
  package static let isInCommon = false

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    (
      "the plugin \(collision.name.text) has no policy file: what it sends and receives is not known", [],
      collision.message?.hint ?? ""
    )
  }

  package static func edit(_ all: [Collision]) -> Edit? {
    Edit(.manifest, "deliverables: { policy: { kind: policy, file: policy.yml } }")
  }

  static func collisions(in parties: [MessageParty]) -> [Collision] {
    let hasAppPolicy = parties.contains { $0.policies.contains(where: \.isApp) }
    return parties.filter { party in
      // A configuration by itself is no plugin; one policy of the app is for all of its libraries.
      party.policies.isEmpty && !party.plugins.isEmpty && !(party.isApp && hasAppPolicy)
    }.map { party in
      Collision(
        id, .warning, party.name, [(party.place, .library)],
        MessageClash(
          noun: "policy", plugins: [party.name],
          hint: "pack one as a deliverable of kind 'policy', or name it beside the plugin"))
    }
  }
}

/// The class that a policy names is in no binary of its plugin.
package enum PolicyClass: CollisionRule {
  package static let id: RuleID = "entry-class"
  package static let noun = (one: "missing class", many: "missing classes")
  package static let isInCommon = false

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    (
      "no library of \(collision.message?.shownPlugins ?? "") defines the class \(collision.name.text) that its policy names",
      [], collision.message?.hint ?? ""
    )
  }

  static func collisions(in context: CheckContext) -> [Collision] {
    // The app's own class may be in its target, whose code is not an input.
    context.parties.filter { !$0.isApp }.flatMap { party -> [Collision] in
      // Only code for Apple's systems shows its classes, and an unreadable file may define any class.
      let plugins = party.plugins.map { context[$0] }.filter { !$0.slices.isEmpty }
      guard !plugins.isEmpty, plugins.allSatisfy(\.mistakes.isEmpty) else { return [] }
      return party.policies.compactMap { missingClass(of: $0, plugins) }
    }
  }

  private static func missingClass(of policy: MessagePolicy, _ plugins: [PluginFacts]) -> Collision? {
    guard let (text, place) = policy.className else { return nil }
    let name = EntryClassName(text)
    let symbols = name.candidates.map { "_OBJC_CLASS_$_\($0)" }
    if plugins.contains(where: { $0.defines(symbols) }) { return nil }
    let suggestion = name.suggestion(among: Set(plugins.flatMap { $0.classes() }).sorted())
    return Collision(
      id, .error, text, [(place, .policy)],
      MessageClash(
        noun: "policy", plugins: [policy.plugin],
        hint: suggestion ?? "compile its file into the library, or correct 'class'"))
  }
}
