/// A file of a web app and its references.
package struct WebDocument: Sendable {
  package enum Language: Sendable { case page, styleSheet, script }

  /// The address of the `base` element, to which relative addresses are joined.
  package struct Base: Sendable {
    package let text: [UInt8]
    package let isCut: Bool
  }

  package let language: Language
  /// Whether the file is rendered before it is shown. The address of the result is unknown.
  package let isTemplate: Bool
  /// Whether the code of its sections is JavaScript.
  private let hasScripts: Bool
  /// In the order of the file.
  package private(set) var references: [WebReference] = []
  package private(set) var base: Base?
  /// Whether the file has more references than are kept.
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

  /// The cost is linear in the bytes.
  package mutating func read(_ bytes: [UInt8]) {
    var text = bytes
    var list = WebReferenceList()
    // In a script that is no template `<%` is a comparison. In a page it always begins a section.
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
