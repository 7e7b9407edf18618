import Artifacts
import Collisions
import Findings
import Rules

// Passes between the families and the report: each makes a new list of collisions.
extension [Collision] {
  /// Sets the levels that the user has chosen, and removes rules that are off.
  consuming func levelled(by policy: FindingPolicy) -> [Collision] {
    for index in indices {
      let (rule, level) = (self[index].rule, self[index].level)
      self[index].chosenLevel = policy.level(of: rule, [:], otherwise: level)
    }
    removeAll { $0.level == .off }
    return self
  }

  /// Removes what a baseline or a suppression accepts. A collision whose suppression has expired gets a remark.
  consuming func unaccepted(by policy: FindingPolicy, _ plugins: [PluginName]) -> [Collision] {
    if !policy.acceptsAny { return self }
    removeAll { policy.isAccepted($0.identity(plugins)) }
    for index in indices { self[index].remark = policy.ended([self[index].identity(plugins)]) }
    return self
  }

  /// Adds demangled names, and returns notes on problems of the demanglers.
  consuming func demangled() async -> (collisions: [Collision], notes: [String]) {
    var names = DemangledNames()
    for index in indices where self[index].slice != nil {
      names.add(self[index].symbol)
      for trigger in self[index].triggers { names.add(trigger.text) }
    }
    var notes: [String] = []
    var (cPlusPlus, swift) = (CPlusPlusDemangler(), SwiftDemangler())
    if !names.unknownCPlusPlus.isEmpty {
      names.answerCPlusPlus(await cPlusPlus.texts(of: names.unknownCPlusPlus) { notes.append($0) })
    }
    // Without Swift's demangler the names stay as they are, and nothing is lost.
    if !names.unknownSwift.isEmpty { names.answerSwift(await swift.texts(of: names.unknownSwift) { _ in }) }
    for index in indices where self[index].slice != nil {
      self[index].name.demangled = names.text(self[index].symbol)
      for trigger in self[index].triggers.indices {
        let name = self[index].triggers[trigger].text
        self[index].triggers[trigger].demangled = names.text(name)
      }
    }
    return (self, notes)
  }
}

extension Collision {
  /// The name as a symbol: a Swift class's name in the runtime (`_TtC4Plug3Foo`) lacks the first underscore.
  fileprivate var symbol: String { name.text.hasPrefix("_Tt") ? "_\(name.text)" : name.text }
}
