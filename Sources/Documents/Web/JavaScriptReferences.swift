/// Collects the certain references of a script: modules (`import`, `export … from`, `import()`), workers, `fetch("…")`,
/// `x.src = "…"`, navigation (`location = "…"`, `x.href = "…"`), and arguments of functions that begin with a scheme.
///
/// A concatenated text counts up to its unknown part. `require("…")` does not count, because a bundler resolves it.
struct JavaScriptReferences {
  private var tokens: JavaScriptTokens
  /// The last four tokens, the newest first.
  private var before: [JavaScriptTokens.Token] = []
  /// A reference whose meaning depends on the next token.
  private var found: (use: WebReference.Use, token: JavaScriptTokens.Token)?
  private let isInTemplate: Bool

  /// - Parameter isInTemplate: the code is a section of a template, where `include("…")` names another template.
  init(_ bytes: [UInt8], _ range: Range<Int>? = nil, isInTemplate: Bool = false) {
    tokens = JavaScriptTokens(bytes, range)
    self.isInTemplate = isInTemplate
  }

  mutating func add(to list: inout WebReferenceList) {
    while let token = tokens.next() {
      finish(before: token, &list)
      if token.kind == .text, let use = use(of: token) { found = (use, token) }
      if before.count == 4 { before.removeLast() }
      before.insert(token, at: 0)
    }
    finish(before: nil, &list)
  }

  /// Adds the text that was found: for `"a" + b` as the beginning of a longer one, for `"a".trim()` not at all.
  private mutating func finish(before next: JavaScriptTokens.Token?, _ list: inout WebReferenceList) {
    guard let (use, token) = found else { return }
    found = nil
    var isCut = token.isCut
    if let next, next.kind == .sign, !isCut {
      isCut = tokens.isSign(next, "+")
      guard isCut || [",", ")", ";", "}", "]", ":"].contains(where: { tokens.isSign(next, $0) }) else { return }
    }
    list.add(use, token.value[...], isCut: isCut, at: token.range.lowerBound)
  }

  private func isSign(_ index: Int, _ sign: String) -> Bool {
    index < before.count && tokens.isSign(before[index], sign)
  }

  private func word(_ index: Int) -> String {
    index < before.count && before[index].kind == .word ? tokens.word(before[index].range) : ""
  }

  private func use(of token: JavaScriptTokens.Token) -> WebReference.Use? {
    // The name of a property may be a keyword.
    let isProperty = isSign(1, ".")
    if !isProperty, word(0) == "from" || word(0) == "import" { return .module }
    if isSign(0, "=") {
      switch word(1) {
      case "src" where isSign(2, "."): return .request
      case "href" where isSign(2, "."), "location": return .link
      default: return nil
      }
    }
    if isSign(0, "(") {
      let isMethod = isSign(2, ".")
      switch word(1) {
      case "import" where !isMethod: return .module
      case "Worker" where word(2) == "new", "SharedWorker" where word(2) == "new": return .request
      case "importScripts" where !isMethod: return .request
      case "fetch" where !isMethod || ["window", "self", "globalThis"].contains(word(3)): return .request
      case "assign" where isMethod && word(3) == "location", "replace" where isMethod && word(3) == "location":
        return .link
      case "open" where isMethod && word(3) == "window": return .link
      case "include" where isInTemplate && !isMethod: return .template
      // Code that compares addresses does not open them.
      case let name where JavaScriptReferences.comparing.contains(name): return nil
      default: return token.value.hasScheme ? .mention : nil
      }
    }
    return isSign(0, ",") && token.value.hasScheme ? .mention : nil
  }

  private static let comparing: Set<String> = [
    "startsWith", "indexOf", "lastIndexOf", "includes", "match", "search", "split", "replace", "replaceAll", "test",
    "RegExp",
    "slice", "endsWith", "localeCompare", "equals", "is",
  ]
}

extension WebReferenceList {
  /// Adds the references of a script, or of the handler of an event.
  mutating func addJavaScript(_ bytes: [UInt8], _ range: Range<Int>? = nil) {
    var references = JavaScriptReferences(bytes, range)
    references.add(to: &self)
  }
}
