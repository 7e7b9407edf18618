package import Findings

/// The reason why no manifest is written: the tree allows several answers, or none. Neither the tree nor the command is
/// wrong.
package struct Refusal: Error {
  package let mistake: Mistake

  init(_ message: String, notes: [String] = [], hint: String? = nil) {
    mistake = Mistake(message, notes: notes, hint: hint)
  }

  static func tooMany(_ count: Int, _ what: String) -> Refusal {
    Refusal("\(count) \(what) are here, which is more than one plugin has", hint: "name a folder: --take libs/ios")
  }
}

/// The user's answers on the command line: paths and names from the lists of a refusal.
struct Answers: Sendable {
  let taken: [String]
  /// The folder as the user gave it, for the commands in a refusal.
  let directory: String

  struct Candidate {
    /// The name in the list of a refusal.
    let name: String
    let path: String

    init(_ path: String, name: String? = nil) { (self.path, self.name) = (path, name ?? path) }
  }

  /// Whether the user named a path or a folder above it.
  func names(_ path: String) -> Bool { taken.contains { $0 != "." && PathText.isBelow(path, $0) } }

  /// The index of the chosen candidate: the only one, or the one that the user named. Nil if there are no candidates.
  func choose(_ candidates: [Candidate], _ question: String) throws(Refusal) -> Int? {
    if candidates.count < 2 { return candidates.indices.first }
    // Candidates with the same name are listed by their paths.
    let counts = Dictionary(candidates.map { ($0.name, 1) }, uniquingKeysWith: +)
    let names = candidates.map { counts[$0.name] == 1 ? $0.name : $0.path }
    let named = candidates.indices.filter { taken.contains(names[$0]) || self.names(candidates[$0].path) }
    if named.count == 1 { return named[0] }
    throw refusal(question, names)
  }

  /// The command line that answers with a name or path.
  func command(take answer: String) -> String {
    let words = answer.hasPrefix("-") ? ["--take=\(answer)"] : ["--take", answer]
    return ShellText.line(["npi-pack", "init"] + (directory == "." ? [] : folder(directory)) + words)
  }

  /// The command line for a folder below this one.
  func command(in folder: String) -> String {
    ShellText.line(["npi-pack", "init"] + self.folder(directory == "." ? folder : PathText.join(directory, folder)))
  }

  private func folder(_ path: String) -> [String] { ["-C", path.hasPrefix("-") ? "./\(path)" : path] }

  private static let maxListed = 20

  /// - Parameters:
  ///   - others: parts that are no candidates, with the reasons.
  ///   - command: makes the command line for a candidate; nil stands for `--take`.
  func refusal(
    _ question: String, _ candidates: [String], others: [LeftOut] = [], command: ((String) -> String)? = nil
  ) -> Refusal {
    let listed = candidates.prefix(Answers.maxListed)
    let rest = candidates.count - listed.count
    return Refusal(
      question,
      notes: listed.map(command ?? { self.command(take: $0) }) + (rest > 0 ? ["and \(rest) more"] : [])
        + others.prefix(Answers.maxListed).map { "\(printable($0.path)): \(printable($0.reason))" },
      hint: "run the command of the one that you mean")
  }
}
