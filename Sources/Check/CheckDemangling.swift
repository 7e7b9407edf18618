import Artifacts
import Collisions

extension AppCheck.Outcome {
  /// Names as their authors wrote them.
  mutating func demangle() async {
    var names = DemangledNames()
    let indices = report.findings.indices.filter { report.findings[$0].slice != "android" }
    for index in indices {
      names.add(report.findings[index].name)
      for trigger in report.findings[index].triggers ?? [] { names.add(trigger) }
    }
    var said: [String] = []
    var (cPlusPlus, swift) = (CPlusPlusDemangler(), SwiftDemangler())
    if !names.unknownCPlusPlus.isEmpty {
      names.answerCPlusPlus(await cPlusPlus.texts(of: names.unknownCPlusPlus) { said.append($0) })
    }
    // Without Swift's program the names stay as they are: nothing is lost by it.
    if !names.unknownSwift.isEmpty { names.answerSwift(await swift.texts(of: names.unknownSwift) { _ in }) }
    for index in indices {
      if let text = names.text(report.findings[index].name) { report.findings[index].demangled = text }
      if let triggers = report.findings[index].triggers {
        report.findings[index].demangledTriggers = triggers.map { names.text($0) ?? $0 }
      }
    }
    notes += said
  }
}
