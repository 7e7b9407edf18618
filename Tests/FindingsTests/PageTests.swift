import Findings
import Testing

/// What a reader and a browser rely on in the page of a report.
@Suite struct PageTests {
  /// A page of this many plugins, each finding about two of them.
  private static func page(plugins: Int, findings: Int, name: String = "Plugin") -> String {
    let paths = (0..<plugins).map { "\(name)\($0).xcframework" }
    let all = (0..<findings).map { number in
      let own = [paths[number % plugins], paths[(number / plugins + number + 1) % plugins]]
      var finding = Finding(
        "duplicate-symbol", number % 3 == 0 ? .error : .warning, "both have \(name)\(number)", at: own.map { Place($0) }
      )
      finding.hint = "leave out one of \(name)"
      finding.scope.plugins = Set(own).sorted()
      finding.scope.slices = ["ios-arm64"]
      finding.scope.names = [FindingScope.Name(raw: "_\(name)\(number)", demangled: "\(name)::f\(number)()")]
      return finding
    }
    var report = AppReport(Report(all))
    report.compared = paths.map { ComparedPlugin(name: $0, version: name, path: $0) }
    report.verdict = AppVerdict(
      "this app does not link", [AppVerdict.Cause(.error, name, advice: name, plugins: [paths[0]])])
    return HTMLRenderer().render([report])
  }

  private static func values(of attribute: String, in page: String) -> [String] {
    page.split(separator: " \(attribute)=\"").dropFirst().map { String($0.prefix { $0 != "\"" }) }
  }

  @Test func idsAreUniqueAndLinksLeadToThem() {
    let page = Self.page(plugins: 5, findings: 40)
    let ids = Self.values(of: "id", in: page)
    #expect(Set(ids).count == ids.count)
    let links = Self.values(of: "href", in: page)
    #expect(links.allSatisfy { $0.hasPrefix("#") && ids.contains(String($0.dropFirst())) })
    #expect((1...40).allSatisfy { ids.contains("f\($0)") && links.contains("#f\($0)") })
  }

  @Test func aLargePageStaysSmallAndNeedsNoNetwork() {
    let page = Self.page(plugins: 50, findings: 5000)
    #expect(page.utf8.count < 3_000_000)
    for outside in ["src=", "@import", "url(", "href=\"http"] { #expect(!page.contains(outside), "\(outside)") }
  }

  @Test(arguments: ["</script><b>", "\"><img onerror=1>", "</style><i>", "<!--", "&lt;\u{301}<u>"])
  func textOfOthersIsText(_ name: String) {
    let (page, plain) = (Self.page(plugins: 3, findings: 6, name: name), Self.page(plugins: 3, findings: 6))
    func tags(_ text: String) -> Int { text.unicodeScalars.count { $0 == "<" } }
    #expect(tags(page) == tags(plain))
    #expect(!page.contains(name))
  }
}
