/// A file of a web app, by its name, and what it names.
package struct WebDocument: Sendable {
  package enum Language: Sendable { case page, styleSheet, script }

  /// What its relative addresses begin with.
  package struct Base: Sendable {
    package let text: [UInt8]
    package let isCut: Bool
  }

  package let language: Language
  /// Whether it is rendered before it is shown, from wherever the app likes.
  package let isTemplate: Bool
  /// Whether the code of its sections is JavaScript.
  private let hasScripts: Bool
  /// In the order of the file.
  package private(set) var references: [WebReference] = []
  package private(set) var base: Base?
  /// It names so much that not all of it was kept.
  package private(set) var isCut = false

  /// Nil for a file of any other kind. `app.css.erb` is a style sheet, and a template.
  package init?(named name: [UInt8]) {
    var parts = String(decoding: name.suffix(100), as: UTF8.self).lowercased().split(
      separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 1, let last = parts.popLast() else { return nil }
    let isTemplate = ["ejs", "erb", "jst", "rhtml", "eco"].contains(last)
    let inner = isTemplate && parts.count > 1 ? String(parts.last ?? "") : String(last)
    switch inner {
    case "css": language = .styleSheet
    case "js", "mjs": language = .script
    case "html", "htm", "xhtml", "svg": language = .page
    default:
      guard isTemplate else { return nil }
      language = .page
    }
    self.isTemplate = isTemplate
    hasScripts = last == "ejs" || last == "jst"
  }

  /// Takes time in proportion to the file, whatever is in it.
  package mutating func read(_ bytes: [UInt8]) {
    var text = bytes
    var list = WebReferenceList()
    // In a script `<%` is a comparison, unless it is a template; in a page it is nothing else.
    let sections = isTemplate || language == .page ? TemplateSections(bytes) : nil
    if let sections { text = sections.text }
    switch language {
    case .page: (list, base) = HTMLReferences.read(text)
    case .styleSheet: list.addCSS(text)
    case .script: list.addJavaScript(text)
    }
    if hasScripts, let sections {
      for code in sections.code {
        var references = JavaScriptReferences(bytes, code, isInTemplate: true)
        references.add(to: &list)
      }
    }
    references = list.placed(in: bytes)
    isCut = list.isFull
  }
}
