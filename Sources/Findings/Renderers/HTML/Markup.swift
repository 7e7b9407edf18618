/// A piece of an HTML page. What is interpolated into one is escaped unless it is one itself, so text of others is never
/// markup.
struct Markup: ExpressibleByStringInterpolation, Sendable {
  let text: String

  init(stringLiteral value: String) { text = value }

  init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

  /// The text of a part of the page itself.
  init(own text: String) { self.text = text }

  /// A block whose text a click selects.
  init(_ edit: Edit) { text = ("<p>\(edit.instruction):</p><pre class=\"edit\">\(edit.text)</pre>" as Markup).text }

  struct Interpolation: StringInterpolationProtocol {
    fileprivate(set) var text = ""

    init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + 40 * interpolationCount)
    }

    mutating func appendLiteral(_ literal: String) { text += literal }
    mutating func appendInterpolation(_ text: String) { self.text += shownMarkup(text) }
    mutating func appendInterpolation(_ number: Int) { text += String(number) }
    mutating func appendInterpolation(_ markup: Markup?) { text += markup?.text ?? "" }
    mutating func appendInterpolation(_ parts: some Sequence<Markup>) { for part in parts { text += part.text } }
  }
}
