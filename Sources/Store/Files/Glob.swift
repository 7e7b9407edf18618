/// A pattern for paths relative to the root, in the manner of bash with `globstar`:
///
/// - `*` any characters, `?` one character, `[a-z]`, `[!a-z]` one of (not of) a set, all within one part of a path;
/// - `**` as a whole part: any number of folders, also none; as the last part: every file below, at any depth;
/// - `{a,b}`: either; `\` takes the meaning from the next character;
/// - a name that begins with a dot is matched only by a part that begins with a dot, and `**` does not go into it;
/// - a folder that matches stands for everything below it, dot names too, as with `cp -r`;
/// - links that wildcards find are matched but never followed.
///
/// Names are compared as bytes; `?` and sets take a whole UTF-8 character where there is one.
package struct Glob: Hashable, Sendable {
  let pattern: [UInt8]
  /// One list of parts for each way to choose among the braces.
  let alternatives: [[GlobPart]]

  package init(_ text: String) throws(GlobError) {
    pattern = Array(text.utf8)
    var alternatives: [[GlobPart]] = []
    for choice in try GlobParser.choices(pattern) { alternatives.append(try GlobParser.parts(choice)) }
    self.alternatives = alternatives
  }

  package var text: String { String(decoding: pattern, as: UTF8.self) }

  /// True if a text is more than a plain path: it has a `*`, `?`, `[` or `{` in it.
  package static func isPattern(_ text: String) -> Bool { text.utf8.contains { "*?[{".utf8.contains($0) } }

  package static func == (a: Glob, b: Glob) -> Bool { a.pattern == b.pattern }

  package func hash(into hasher: inout Hasher) { hasher.combine(pattern) }

  /// A place in a pattern that the first names of a path lead to.
  struct Progress: Hashable {
    var part: Int
    /// Whether a `**` stands for one of the names.
    var isSwallowed = false
  }

  /// Matches the names in all ways at once. `visit` gets each place that is reached, once, and the names that are left
  /// there, until it returns true. So the cost of several `**` grows only with their number.
  static func walk(
    _ parts: [GlobPart], _ names: [[UInt8]], _ visit: (Progress, ArraySlice<[UInt8]>) -> Bool
  ) {
    var places: Set<Progress> = [Progress(part: 0)]
    for index in 0...names.count where !places.isEmpty {
      var work = Array(places)
      var next: Set<Progress> = []
      while let place = work.popLast() {
        if visit(place, names[index...]) { return }
        guard place.part < parts.count, index < names.count else { continue }
        let behind = Progress(part: place.part + 1, isSwallowed: place.isSwallowed)
        if case .anyDepth = parts[place.part] {
          if behind.part < parts.count, places.insert(behind).inserted { work.append(behind) }
          if !isHidden(names[index]) { next.insert(Progress(part: place.part, isSwallowed: true)) }
        } else if parts[place.part].matches(names[index]) {
          next.insert(behind)
        }
      }
      places = next
    }
  }

  /// Whether a file at the path, or below it if it is a folder, or a folder above it, can match.
  package func touches(_ names: [[UInt8]]) -> Touch {
    alternatives.map { Glob.touches($0, names) }.max() ?? .no
  }

  package enum Touch: Int, Comparable {
    case no
    /// Only if the path is a folder, which its name does not tell.
    case perhaps
    case yes

    package static func < (a: Touch, b: Touch) -> Bool { a.rawValue < b.rawValue }
  }

  private static func touches(_ parts: [GlobPart], _ names: [[UInt8]]) -> Touch {
    var best = Touch.no
    walk(parts, names) { place, rest in
      if place.part == parts.count {
        // The pattern has ended: it matches this, or a folder above it.
        best = .yes
      } else if rest.isEmpty {
        // The path has ended: if it is a folder, the pattern goes into it.
        let isFile = place.isSwallowed && (names.last.map(looksLikeFile) ?? true)
        best = max(best, !place.isSwallowed ? .yes : isFile ? .no : .perhaps)
      } else if place.part == parts.count - 1, case .anyDepth = parts[place.part], !rest.contains(where: isHidden) {
        best = .yes
      }
      return best == .yes
    }
    return best
  }

  private static func looksLikeFile(_ name: [UInt8]) -> Bool { name.dropFirst().contains(0x2E) }

  package static func isHidden(_ name: [UInt8]) -> Bool { name.first == 0x2E }
}

/// A pattern that means nothing, or nothing inside the tree.
package struct GlobError: Error, Hashable, Sendable {
  /// Lower case, no full stop.
  package let message: String
  package let hint: String?
}

enum GlobPart: Sendable {
  case literal([UInt8])
  case wildcard([GlobToken])
  case anyDepth

  func matches(_ name: [UInt8]) -> Bool {
    switch self {
    case .literal(let bytes): return bytes == name
    case .anyDepth: return !Glob.isHidden(name)
    case .wildcard(let tokens):
      // Only a literal dot matches a leading dot.
      if Glob.isHidden(name) && tokens.first != .character(0x2E) { return false }
      return GlobPart.matches(tokens, GlobParser.characters(name[...]))
    }
  }

  /// Backtracking to the last star is enough, and costs at most the product of the lengths.
  private static func matches(_ tokens: [GlobToken], _ name: [UInt32]) -> Bool {
    var (token, position) = (0, 0)
    var star: (token: Int, position: Int)?
    while position < name.count {
      if token < tokens.count, tokens[token] == .anything {
        star = (token, position)
        token += 1
      } else if token < tokens.count, tokens[token].matches(name[position]) {
        token += 1
        position += 1
      } else if let last = star {
        star = (last.token, last.position + 1)
        (token, position) = (last.token + 1, last.position + 1)
      } else {
        return false
      }
    }
    return tokens[token...].allSatisfy { $0 == .anything }
  }
}

/// One element of a part with wildcards. A character is its code point, or 0x110000 plus a byte that is not UTF-8.
enum GlobToken: Sendable, Equatable {
  case character(UInt32)
  case anyCharacter
  case anything
  case set([ClosedRange<UInt32>], negated: Bool)

  func matches(_ character: UInt32) -> Bool {
    switch self {
    case .character(let own): own == character
    case .anyCharacter: true
    case .anything: false
    case .set(let ranges, let negated): ranges.contains { $0.contains(character) } != negated
    }
  }
}
