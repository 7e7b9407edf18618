/// An SVG image that is written piece by piece, as a file of its own or as a part of an HTML page.
package struct SVGDrawing {
  private var lines: [String]

  /// `style` applies to elements of the class `drawing`, for a page has other elements, too.
  package init(width: Int, height: Int, _ title: String, _ style: String) {
    lines = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" class="drawing" width="\(width)" height="\(height)" \
      viewBox="0 0 \(width) \(height)" role="img">
      """,
      "<title>\(shownMarkup(title))</title>",
      "<style>",
      ".drawing text { font: 12px system-ui, sans-serif; fill: currentColor }",
      style,
      "</style>",
    ]
  }

  /// Adds an element that has no text of others.
  package mutating func add(_ element: String) { lines.append(element) }

  /// Adds a text, which is cut if it is long.
  package mutating func text(_ text: String, _ x: Int, _ y: Int, _ kind: String? = nil, most: Int = 60) {
    let kind = kind.map { " class=\"\($0)\"" } ?? ""
    lines.append("<text\(kind) x=\"\(x)\" y=\"\(y)\">\(shownMarkup(Self.cut(text, most)))</text>")
  }

  /// The image, with a final newline.
  package var text: String { (lines + ["</svg>"]).joined(separator: "\n") + "\n" }

  package static func cut(_ text: String, _ most: Int) -> String {
    text.unicodeScalars.count <= most
      ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(most - 1))) + "…"
  }
}
