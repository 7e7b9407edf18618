import Findings

/// A report format in one file: a line for each finding and each plugin.
struct ToyFormat: Renderer {
  static let name = "toy"
  private let context: ReportContext

  init(_ context: ReportContext) { self.context = context }

  static func isReport(head: String, tail: String) -> Bool { head.hasPrefix("toy report\n") }

  func render(_ reports: [AppReport]) -> String {
    let report = AppReport.together(reports)
    let findings = report.report.findings.map { "\($0.level.rawValue) \($0.rule): \(printable($0.message))\n" }
    let plugins = report.compared.map { "compared \(printable($0.name))\n" }
    return "toy report\n" + (findings + plugins).joined() + "end\n"
  }
}
