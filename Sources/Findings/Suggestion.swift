/// The candidate that the user most likely meant: at most one edit for each three letters. Nil if none is near.
package func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
  let limit = max(1, word.count / 3)
  var best: (distance: Int, candidate: String)?
  for candidate in candidates {
    let distance = editDistance(Array(word.lowercased()), Array(candidate.lowercased()))
    if distance <= limit, distance < word.count, best.map({ distance < $0.distance }) ?? true {
      best = (distance, candidate)
    }
  }
  return best?.candidate
}

/// `did you mean 'X'?`, if there is a near one.
package func didYouMean(_ word: String, among candidates: some Sequence<String>) -> String? {
  nearest(to: word, among: candidates).map { "did you mean '\($0)'?" }
}

/// What to choose from instead of a word that is none of the candidates: `did you mean 'X'?`, else all of a few (`few` says
/// what they are), else the three nearest.
package func suggestion(for word: String, among candidates: [String], few: String) -> String {
  if let meant = didYouMean(word, among: candidates) { return meant }
  guard candidates.count > mostListed else { return "\(few): \(candidates.joined(separator: ", "))" }
  return "the nearest are \(nearest(3, to: word, among: candidates).joined(separator: ", "))"
}

/// So many are read.
private let mostListed = 24

/// Those that have the longest piece in common with the word come first, of these the ones with the fewest edits.
private func nearest(_ count: Int, to word: String, among candidates: [String]) -> [String] {
  let word = Array(word.lowercased())
  let scores = candidates.map { candidate in
    let candidate = Array(candidate.lowercased())
    return (-longestCommonPiece(word, candidate), editDistance(word, candidate))
  }
  return candidates.indices.sorted { scores[$0] < scores[$1] }.prefix(count).map { candidates[$0] }
}

private func longestCommonPiece(_ a: [Character], _ b: [Character]) -> Int {
  var longest = 0
  // How long the piece is that ends at each place of `b` and at this one of `a`.
  var row = Array(repeating: 0, count: b.count + 1)
  for own in a {
    for index in b.indices.reversed() { row[index + 1] = own == b[index] ? row[index] + 1 : 0 }
    longest = max(longest, row.max() ?? 0)
  }
  return longest
}

/// Insertions, deletions, substitutions and swaps of neighbours that turn one word into the other.
private func editDistance(_ a: [Character], _ b: [Character]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...b.count)
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      var cost = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
      row.append(cost)
    }
    (beforeLast, last) = (last, row)
  }
  return last[b.count]
}
