import Artifacts
import Collisions

extension AppCheck.Outcome {
  /// Names as their authors wrote them.
  mutating func demangle() async {
    var names = DemangledNames()
    let indices = report.collisions.indices.filter { report.collisions[$0].slice != nil }
    for index in indices {
      names.add(report.collisions[index].name.text)
      for trigger in report.collisions[index].triggers { names.add(trigger.text) }
    }
    var said: [String] = []
    var (cPlusPlus, swift) = (CPlusPlusDemangler(), SwiftDemangler())
    if !names.unknownCPlusPlus.isEmpty {
      names.answerCPlusPlus(await cPlusPlus.texts(of: names.unknownCPlusPlus) { said.append($0) })
    }
    // Without Swift's program the names stay as they are: nothing is lost by it.
    if !names.unknownSwift.isEmpty { names.answerSwift(await swift.texts(of: names.unknownSwift) { _ in }) }
    for index in indices {
      report.collisions[index].name.demangled = names.text(report.collisions[index].name.text)
      for trigger in report.collisions[index].triggers.indices {
        let name = report.collisions[index].triggers[trigger].text
        report.collisions[index].triggers[trigger].demangled = names.text(name)
      }
    }
    notes += said
  }
}
