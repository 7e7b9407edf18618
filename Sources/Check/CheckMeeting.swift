import Android
import Artifacts
import Collisions
import Findings

/// Tells whether there was anything to compare: plugins meet where they have a slice in common, and a policy is
/// compared with all others.
struct CheckMeeting {
  private struct Party {
    let name: String
    /// Sorted, as they are shown.
    var slices: [Slice]
    var talks: Bool
  }

  private let parties: [Party]
  private let hasLocks: Bool

  /// The slice of Java classes, which run on all of Android's architectures.
  private static let classes = Slice(platform: "android", architecture: "classes")

  init(_ context: CheckContext) {
    hasLocks = !context.locks.isEmpty
    parties = context.parties.map { party in
      let own = party.plugins.map { context[$0] }
      var slices = Set(own.flatMap(\.slices))
      slices.formUnion(own.flatMap(\.android.abis).map { Slice(platform: "android", architecture: $0) })
      if own.contains(where: { !$0.android.isEmpty }) { slices.insert(CheckMeeting.classes) }
      return Party(name: party.place.description, slices: slices.sorted(), talks: !party.policies.isEmpty)
    }
  }

  /// Nil if any plugin has code or a policy, or if lock files are all there is.
  var mistake: Mistake? {
    if parties.isEmpty, hasLocks { return nil }
    guard parties.allSatisfy({ $0.slices.isEmpty && !$0.talks }) else { return nil }
    return Mistake(
      "nothing was there to check: there is no code in \(listed(parties.map(\.name), limit: 6))",
      hint: "plugins are object files, libraries, archives, release records, and folders of them")
  }

  /// Nil if two plugins meet, or if there are no two.
  var note: String? {
    let all = parties.filter { !$0.slices.isEmpty || $0.talks }
    guard all.count > 1, !all.contains(where: \.talks) else { return nil }
    for (index, one) in all.enumerated() {
      for other in all[..<index] where one.slices.contains(where: { other.slices.contains(where: $0.goes) }) {
        return nil
      }
    }
    let each = all.map { party in
      "\(party.name) has \(listed(party.slices.map(\.description), limit: 6))"
    }
    return "nothing was compared: no common slice: \(listed(each, limit: 6, separator: "; "))"
  }
}
