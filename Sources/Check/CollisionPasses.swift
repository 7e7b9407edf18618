import Artifacts
import Collisions
import Findings
import Rules

// What becomes of collisions between the families and the report: each pass makes a list of another one.
extension [Collision] {
  /// With the levels that the user has set, and without what is off.
  consuming func levelled(by policy: FindingPolicy) -> [Collision] {
    for index in indices {
      let (rule, level) = (self[index].rule, self[index].level)
      self[index].chosenLevel = policy.level(of: rule, [:], otherwise: level)
    }
    removeAll { $0.level == .off }
    return self
  }

  /// Without what a baseline or a suppression accepts. What was suppressed until a day that has passed says so.
  consuming func unaccepted(by policy: FindingPolicy, _ plugins: [PluginName]) -> [Collision] {
    if !policy.acceptsAny { return self }
    removeAll { policy.isAccepted($0.identity(plugins)) }
    for index in indices { self[index].remark = policy.ended([self[index].identity(plugins)]) }
    return self
  }

  /// With names as their authors wrote them, and what is to be said of that.
  consuming func demangled() async -> (collisions: [Collision], notes: [String]) {
    var names = DemangledNames()
    for index in indices where self[index].slice != nil {
      names.add(self[index].name.text)
      for trigger in self[index].triggers { names.add(trigger.text) }
    }
    var notes: [String] = []
    var (cPlusPlus, swift) = (CPlusPlusDemangler(), SwiftDemangler())
    if !names.unknownCPlusPlus.isEmpty {
      names.answerCPlusPlus(await cPlusPlus.texts(of: names.unknownCPlusPlus) { notes.append($0) })
    }
    // Without Swift's program the names stay as they are: nothing is lost by it.
    if !names.unknownSwift.isEmpty { names.answerSwift(await swift.texts(of: names.unknownSwift) { _ in }) }
    for index in indices where self[index].slice != nil {
      self[index].name.demangled = names.text(self[index].name.text)
      for trigger in self[index].triggers.indices {
        let name = self[index].triggers[trigger].text
        self[index].triggers[trigger].demangled = names.text(name)
      }
    }
    return (self, notes)
  }
}
