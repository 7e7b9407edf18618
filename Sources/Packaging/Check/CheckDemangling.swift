import Artifacts
import Collisions

extension Check.Outcome {
  /// Names of C++, as their author wrote them.
  mutating func demangle() async {
    // Without the underscore that Mach-O puts before every name.
    let names = report.findings.map { Array($0.name.utf8.dropFirst()) }
    let mangled = names.indices.filter { DemangledCPlusPlus.isMangled(names[$0]) }
    if mangled.isEmpty { return }
    var demangler = CPlusPlusDemangler()
    var said: [String] = []
    let texts = await demangler.texts(of: mangled.map { names[$0] }) { said.append($0) }
    notes += said
    for (index, text) in zip(mangled, texts) where !text.isEmpty {
      report.findings[index].demangled = String(decoding: text, as: UTF8.self)
    }
  }
}
