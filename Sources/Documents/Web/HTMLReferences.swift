import Findings

/// Collects the references in the attributes, style sheets and scripts of a page.
struct HTMLReferences {
  private var list = WebReferenceList()
  private var base: WebDocument.Base?

  static func read(_ bytes: [UInt8]) -> (list: WebReferenceList, base: WebDocument.Base?) {
    var references = HTMLReferences()
    references.add(HTMLTokens(bytes), isTemplate: false)
    return (references.list, references.base)
  }

  /// - Parameter isTemplate: the tokens come from a `script` element that holds a template of HTML.
  private mutating func add(_ tokens: HTMLTokens, isTemplate: Bool) {
    var tokens = tokens
    while let tag = tokens.next() {
      let name = tokens.bytes[tag.name].knownName
      let attributes = Attributes(tag: tag, tokens: tokens)
      if name == "base", base == nil, let href = attributes.value("href") {
        // iOS opens no longer path (PATH_MAX). A limit is needed because each reference is joined to the base.
        let isCut = href.count > 1024 || href.contains(WebReferenceList.unknown)
        base = WebDocument.Base(text: isCut ? [] : href, isCut: isCut)
        continue
      }
      add(name, attributes, tokens)
      if let content = tag.content, !content.isEmpty {
        add(content, of: name, attributes, tokens, isTemplate: isTemplate)
      }
    }
  }

  private struct Attributes {
    let tag: HTMLTokens.Tag
    let tokens: HTMLTokens

    func value(_ name: String) -> [UInt8]? {
      tag.attributes.first { tokens.bytes[$0.name].knownName == name }.map { tokens.value($0.value) }
    }

    func word(_ name: String) -> String {
      String(decoding: (value(name) ?? []).prefix(200), as: UTF8.self).lowercased()
    }
  }

  private mutating func add(_ tag: String, _ attributes: Attributes, _ tokens: HTMLTokens) {
    var seen: Set<String> = []
    for attribute in attributes.tag.attributes where !attribute.value.isEmpty {
      let name = tokens.bytes[attribute.name].knownName
      // The first of two attributes with one name counts.
      guard !name.isEmpty, seen.insert(name).inserted else { continue }
      let value = tokens.value(attribute.value)
      let offset = attribute.value.lowerBound
      list.place = offset
      defer { list.place = nil }
      if name == "style" {
        list.addCSS(value)
      } else if name.hasPrefix("on") {
        list.addJavaScript(value)
      } else if name == "srcset" || name == "imagesrcset" {
        addCandidates(value, offset)
      } else if tag == "meta", name == "content", attributes.word("http-equiv") == "refresh" {
        addRefresh(value, offset)
      } else if let use = use(tag, name, attributes) {
        list.add(use, value[...], at: offset)
      } else if value.hasScheme {
        list.add(.mention, value[...], at: offset)
      }
    }
  }

  private func use(_ tag: String, _ name: String, _ attributes: Attributes) -> WebReference.Use? {
    switch (tag, name) {
    case ("link", "href"):
      let words = Set(attributes.word("rel").words.map(String.init))
      return words.isDisjoint(with: HTMLReferences.linkedAssets) ? nil : .asset
    case ("a", "href"), ("area", "href"), ("a", "xlink:href"), ("form", "action"), (_, "formaction"): return .link
    case ("image", "href"), ("use", "href"), ("feimage", "href"), (_, "xlink:href"): return .asset
    case ("object", "data"), ("video", "poster"), ("html", "manifest"): return .asset
    case ("body", "background"), ("table", "background"), ("td", "background"), ("th", "background"): return .asset
    case ("img", "src"), ("script", "src"), ("source", "src"), ("video", "src"), ("audio", "src"), ("track", "src"),
      ("embed", "src"), ("iframe", "src"), ("frame", "src"), ("input", "src"):
      return .asset
    default: return nil
    }
  }

  private static let linkedAssets: Set<String> = [
    "stylesheet", "icon", "apple-touch-icon", "apple-touch-icon-precomposed", "apple-touch-startup-image", "mask-icon",
    "manifest", "preload", "modulepreload", "prefetch",
  ]

  /// `a.png 1x, b.png 2x` (4.8.4.4, parsing a srcset attribute): an address ends at a space, or at a comma behind it.
  private mutating func addCandidates(_ value: [UInt8], _ offset: Int) {
    var at = 0
    while at < value.count {
      while at < value.count, value[at].isWebSpace || value[at] == UInt8(ascii: ",") { at += 1 }
      let start = at
      while at < value.count, !value[at].isWebSpace { at += 1 }
      var end = at
      while end > start, value[end - 1] == UInt8(ascii: ",") { end -= 1 }
      list.add(.asset, value[start..<end], at: offset)
      guard end == at else { continue }
      var depth = 0
      while at < value.count, depth > 0 || value[at] != UInt8(ascii: ",") {
        if value[at] == UInt8(ascii: "(") { depth += 1 }
        if value[at] == UInt8(ascii: ")"), depth > 0 { depth -= 1 }
        at += 1
      }
    }
  }

  /// `5; url=next.html`
  private mutating func addRefresh(_ value: [UInt8], _ offset: Int) {
    guard let sign = value.firstIndex(where: { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ",") }) else { return }
    var rest = value[(sign + 1)...].trimmingWebSpace()
    if rest.count > 3, rest.prefix(3).map({ $0 | 0x20 }) == Array("url".utf8) {
      let after = rest.dropFirst(3).trimmingWebSpace()
      if after.first == UInt8(ascii: "=") { rest = after.dropFirst().trimmingWebSpace() }
    }
    if let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      rest = rest.dropFirst().prefix { $0 != quote }
    }
    list.add(.link, rest, at: offset)
  }

  private mutating func add(
    _ content: Range<Int>, of tag: String, _ attributes: Attributes, _ tokens: HTMLTokens, isTemplate: Bool
  ) {
    if tag == "style" { list.addCSS(tokens.bytes, content) }
    guard tag == "script", attributes.value("src") == nil else { return }
    let type = attributes.word("type")
    if type.isEmpty || type == "module" || type.contains("javascript") || type.contains("ecmascript") {
      list.addJavaScript(tokens.bytes, content)
    } else if !isTemplate, type.contains("template") || type.contains("html") || type.contains("ejs") {
      // The element holds a template, which scripts fill in. Templates within a template are not read.
      add(HTMLTokens(tokens.bytes, content), isTemplate: true)
    }
  }
}
