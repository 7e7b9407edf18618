import BuildEngine
import Findings
import Rules

/// Two sources of a deliverable that do not fit together: both bring one thing, or they contradict each other.
struct Clash: Sendable {
  /// The rule whose finding it is: a manifest that sets the rule lower accepts the clash, and then the first source
  /// wins.
  let rule: RuleID
  let message: String
  let places: [Place]
  var notes: [String] = []
  /// Whichever is taken, the result is the same.
  var isHarmless = false
  let hint: String

  /// Of one kind, between two libraries: nobody reads more, and what is not listed is counted.
  static let most = 1000
  /// As many of those that do no harm.
  static let mostEqual = 20

  static let harmless = "either will do: the first is used"

  static func hint(_ rule: RuleID) -> String {
    "leave one of them out of its library, or set '\(rule)' lower to keep the first"
  }

  func finding(_ level: Level) -> Finding {
    Finding(rule, level, message, at: places, notes: notes, hint: hint)
  }
}

extension Clash {
  /// Of one name: `what` is `the class com.example.Text`.
  init(
    _ rule: RuleID, twice what: String, _ first: Place, _ second: Place, isIdentical: Bool? = nil, hint: String? = nil
  ) {
    let isHarmless = isIdentical == true && rule == "duplicate-resource"
    self.init(
      rule: rule, message: "\(what) is there twice", places: [first, second], isHarmless: isHarmless,
      hint: hint ?? (isHarmless ? Clash.harmless : Clash.hint(rule)))
    if let isIdentical {
      notes = [isIdentical ? "the two are the same, byte for byte" : "the two differ: only one of them can be used"]
    }
  }
}

extension Plan {
  /// Clashes as findings. What is packed is broken by a clash, so each is an error unless the user sets its rule; a note
  /// where nothing is lost.
  func findings(_ clashes: [Clash]) -> [Finding] {
    clashes.compactMap { clash in
      let level = policy.level(of: clash.rule, manifest.rules, otherwise: clash.isHarmless ? .note : .error)
      return level == .off ? nil : clash.finding(level)
    }
  }

  /// The findings, if none of them is an error.
  func passing(_ clashes: [Clash]) throws(StepFailure) -> [Finding] {
    try accepted(findings(clashes), else: "its parts do not fit together")
  }
}
