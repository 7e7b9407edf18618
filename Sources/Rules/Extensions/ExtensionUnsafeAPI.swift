package import Artifacts
package import Findings
import ObjectFiles

/// No API that iOS does not give to extensions. No linker checks static code for it: undefined symbols and the
/// selectors in the code show the use, and in dynamic libraries also the mark of their linker.
package enum ExtensionUnsafeAPI: HostRule {
  package static let id: RuleID = "extension-unsafe-api"
  package static let kinds: Set<ArtifactKind>? = .apple
  package static let facts: [any Facts.Type] = [CodeFacts.self, CodeNames.self, CodeUses.self, PropertyListFacts.self]
  package static let parameters = [
    RuleParameter(
      name: "apis", kind: .table,
      summary: "by where Apple says so: classes, functions as nm prints them, +[Class method:] and -[Class method:]"),
    RuleParameter(
      name: "until", kind: .map, summary: "by where Apple says so: the iOS from which on extensions may use them: 9.0"),
    RuleParameter(
      name: "points", kind: .table,
      summary: "methods that only extensions of some points may call, and the identifiers of those points"),
  ]

  package static func check(_ inventory: Inventory, _ judging: Judging) throws(CannotJudge) -> [Finding] {
    if judging.tables["apis"] == nil, judging.tables["points"] == nil { throw CannotJudge("no APIs are listed") }
    return names(inventory, judging) + methods(inventory, judging) + unmarked(inventory, judging)
  }

  private static func names(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    let apis = NameTable((judging.tables["apis"] ?? []).map { ($0.key, $0.values.filter { UnsafeMethod($0) == nil }) })
    return inventory.unresolved { apis.key(of: $0.classOfSymbol ?? $0) != nil }.compactMap { use in
      let source = apis.key(of: use.text.classOfSymbol ?? use.text) ?? ""
      if isOver(source, use.item, judging) { return nil }
      return finding(judging, use.shown, "", source, use.item, at: use.site(in: inventory))
        .identified(by: [use.item.name])
    }
  }

  /// Whether the code runs only where extensions may use it.
  private static func isOver(_ source: String, _ item: Item, _ judging: Judging) -> Bool {
    guard let text = judging.tables["until"]?.first(where: { $0.key == source })?.values.first,
      let end = OSVersion(text: text)
    else { return false }
    let builds = item.facts(CodeFacts.self)?.slices.flatMap(\.builds).filter(\.platform.isIOS) ?? []
    return !builds.isEmpty && builds.allSatisfy { $0.minimumOS >= end }
  }

  private static func methods(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    var methods: [(method: UnsafeMethod, text: String, source: String, points: [String])] = []
    func add(_ text: String, _ source: String, _ points: [String]) {
      if let method = UnsafeMethod(text) { methods.append((method, text, source, points)) }
    }
    for (source, texts) in judging.tables["apis"] ?? [] { for text in texts { add(text, source, []) } }
    for (text, points) in judging.tables["points"] ?? [] { add(text, "", points) }
    let extensions = AppExtension.all(of: inventory)
    // A method of that name in the artifact itself may be the one that is meant.
    let own = Set(
      inventory.code.flatMap { $0.names.slices }
        .flatMap { $0.classes.flatMap(\.methods) + $0.categories.flatMap(\.methods) })
    var seen: Set<String> = []
    var findings: [Finding] = []
    for (item, slice) in inventory.uses {
      let names = item.facts(CodeNames.self)?.slices.first { $0.architecture == slice.architecture }
      for (method, text, source, points) in methods {
        guard let member = slice.selectors[method.selector], !own.contains(method.kind + method.selector) else {
          continue
        }
        if method.needsClass, names?.undefined.contains(where: { $0.text.classOfSymbol == method.className }) != true {
          continue
        }
        var limits = ""
        if !points.isEmpty {
          // The extension points that a library by itself is for are not known.
          guard let point = inventory.appExtension(of: item, extensions)?.point,
            !points.contains(point)
          else { continue }
          limits = " of the point '\(point)'"
        }
        guard seen.insert("\(item.name) \(text)").inserted else { continue }
        let site = member.map(inventory.site(item).inside) ?? inventory.site(item)
        findings.append(finding(judging, text, limits, source, item, at: site).identified(by: [item.name]))
      }
    }
    return findings
  }

  private static func finding(
    _ judging: Judging, _ api: String, _ limits: String, _ source: String, _ item: Item, at site: Place
  ) -> Finding {
    finding(
      judging, "\(item.lastPart) uses \(api), which app extensions\(limits) cannot use", about: [api], at: site,
      notes: source.isEmpty ? [] : ["unavailable: \(source)"],
      hint: "do without, or leave it out of the extension: #ifdef, or a class of its own for the app")
  }

  /// Findings on dynamic libraries beside an extension that were not linked for extensions.
  private static func unmarked(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    guard inventory.role == .appExtension || !AppExtension.all(of: inventory).isEmpty else { return [] }
    var seen: Set<[UInt8]> = []
    return inventory.uses.compactMap { item, slice in
      guard slice.isDynamicLibrary, !slice.isExtensionSafe, seen.insert(item.path).inserted else { return nil }
      return finding(
        judging, "\(item.lastPart) was not linked for app extensions", about: ["linking"], at: inventory.site(item),
        hint: "build it with 'Require Only App-Extension-Safe API' (APPLICATION_EXTENSION_API_ONLY)",
        edit: Edit(.xcconfig, "APPLICATION_EXTENSION_API_ONLY = YES"))
    }
  }
}

/// `+[UIApplication sharedApplication]`
private struct UnsafeMethod {
  /// `+` or `-`
  let kind: String
  let className: String
  let selector: String
  /// A class method is called on its class, and a selector of one word may be any class's unless this class is named.
  var needsClass: Bool { kind == "+" || selector.utf8.count { $0 == UInt8(ascii: ":") } < 2 }

  /// Nil for classes and functions.
  init?(_ text: String) {
    guard let kind = text.first, kind == "+" || kind == "-", text.dropFirst().first == "[", text.last == "]" else {
      return nil
    }
    let words = text.dropFirst(2).dropLast().split(separator: " ")
    guard words.count == 2 else { return nil }
    self.kind = String(kind)
    className = String(words[0])
    selector = String(words[1])
  }
}
