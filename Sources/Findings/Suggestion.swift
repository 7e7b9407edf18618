/// The candidate that the user most likely meant: at most one edit for each three letters. Nil if none is near, or if
/// the word is too long to be typed.
package func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
  // Foreign text may have megabytes, and each letter is compared with each of a candidate.
  guard word.utf8.count <= maxWordLength else { return nil }
  let word = Word(word)
  let limit = max(1, word.count / 3)
  var best: (distance: Int, candidate: String)?
  for candidate in candidates where candidate.utf8.count <= 4 * maxWordLength {
    let other = Word(candidate)
    guard abs(other.count - word.count) <= limit else { continue }
    let distance = word.distance(to: other)
    if distance <= limit, distance < word.count, best.map({ distance < $0.distance }) ?? true {
      best = (distance, candidate)
    }
  }
  return best?.candidate
}

/// In bytes.
private let maxWordLength = 200

/// The letters of a word in lower case; of plain ASCII, which nearly all words are, its bytes.
private enum Word {
  case ascii([UInt8])
  case letters([Character])

  init(_ text: String) {
    let bytes = text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    self = bytes.allSatisfy { $0 < 0x80 } ? .ascii(bytes) : .letters(Array(text.lowercased()))
  }

  var count: Int {
    switch self {
    case .ascii(let bytes): bytes.count
    case .letters(let letters): letters.count
    }
  }

  private var letters: [Character] {
    switch self {
    case .ascii(let bytes): bytes.map { Character(Unicode.Scalar($0)) }
    case .letters(let letters): letters
    }
  }

  func distance(to other: Word) -> Int {
    if case .ascii(let own) = self, case .ascii(let bytes) = other { return editDistance(own, bytes) }
    return editDistance(letters, other.letters)
  }
}

/// `did you mean 'X'?`, if there is a near candidate.
package func didYouMean(_ word: String, among candidates: some Sequence<String>) -> String? {
  nearest(to: word, among: candidates).map { "did you mean '\($0)'?" }
}

/// A hint for a word that is none of the candidates: `did you mean 'X'?`, else the whole list if it is short (`few`
/// introduces it), else the three nearest.
package func suggestion(for word: String, among candidates: [String], few: String) -> String {
  if let meant = didYouMean(word, among: candidates) { return meant }
  guard candidates.count > maxListed else { return "\(few): \(candidates.joined(separator: ", "))" }
  return "the nearest are \(nearest(3, to: word, among: candidates).joined(separator: ", "))"
}

/// A longer list would not be read.
private let maxListed = 24

/// Candidates with the longest common substring come first, and among these those with the fewest edits.
private func nearest(_ count: Int, to word: String, among candidates: [String]) -> [String] {
  let word = String(word.prefix(maxWordLength)).lowercased()
  let scores = candidates.map { candidate in
    (
      -longestCommonPiece(Array(word.utf8), Array(candidate.lowercased().utf8)),
      Word(word).distance(to: Word(candidate))
    )
  }
  return candidates.indices.sorted { scores[$0] < scores[$1] }.prefix(count).map { candidates[$0] }
}

private func longestCommonPiece(_ a: [UInt8], _ b: [UInt8]) -> Int {
  var longest = 0
  // The length of the common substring that ends at each place of `b` and at this place of `a`.
  var row = Array(repeating: 0, count: b.count + 1)
  for own in a {
    for index in b.indices.reversed() { row[index + 1] = own == b[index] ? row[index] + 1 : 0 }
    longest = max(longest, row.max() ?? 0)
  }
  return longest
}

/// Insertions, deletions, substitutions and swaps of neighbours that turn one word into the other.
private func editDistance<Letter: Equatable>(_ a: [Letter], _ b: [Letter]) -> Int {
  var beforeLast = Array(repeating: 0, count: b.count + 1)
  var last = Array(0...b.count)
  var row = last
  for i in a.indices {
    row[0] = i + 1
    for j in b.indices {
      var cost = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
      row[j + 1] = cost
    }
    (beforeLast, last, row) = (last, row, beforeLast)
  }
  return last[b.count]
}
