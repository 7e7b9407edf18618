import Foundation
import TestSupport

/// What Python's `html.parser` sees of a page: it was written by others, from the same standard.
enum WebOracle {
  /// Of each page the values of `src` and `href` in start tags, in order.
  static func attributes(of pages: [[UInt8]]) async throws -> [[String]] {
    let scratch = Scratch()
    for (index, page) in pages.enumerated() { try scratch.write("\(index).html", page) }
    try scratch.write(
      "read.py",
      """
      import html.parser, json, sys
      class Reader(html.parser.HTMLParser):
          def __init__(self):
              super().__init__()
              self.found = []
          def handle_starttag(self, tag, attributes):
              seen = set()
              for name, value in attributes:
                  if name in seen: continue
                  seen.add(name)
                  if (tag, name) in (("img", "src"), ("a", "href"), ("script", "src")) and value: self.found.append(value.strip())
      all = []
      for index in range(int(sys.argv[1])):
          reader = Reader()
          reader.feed(open(f"{index}.html", encoding="utf-8", newline="").read())
          reader.close()
          all.append(reader.found)
      print(json.dumps(all))
      """)
    let text = try await Tool.check(["python3", "read.py", "\(pages.count)"], in: scratch.path)
    return try JSONDecoder().decode([[String]].self, from: Data(text.utf8))
  }
}
