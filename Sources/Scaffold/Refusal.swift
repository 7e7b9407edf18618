package import Findings

/// Why no manifest is written: the tree allows several answers, or none. Nothing is wrong with the tree or the command.
package struct Refusal: Error {
  package let mistake: Mistake

  init(_ message: String, notes: [String] = [], hint: String? = nil) {
    mistake = Mistake(message, notes: notes, hint: hint)
  }

  static func tooMany(_ count: Int, _ what: String) -> Refusal {
    Refusal("\(count) \(what) are here, which is more than one plugin has", hint: "name a folder: --take libs/ios")
  }
}

/// The answers that the user gave on the command line: paths and names from the lists of a refusal.
struct Answers: Sendable {
  let taken: [String]
  /// How the command was given the folder, for the commands that a refusal names.
  let directory: String

  struct Candidate {
    /// As a refusal lists it.
    let name: String
    let path: String

    init(_ path: String, name: String? = nil) { (self.path, self.name) = (path, name ?? path) }
  }

  /// Whether the user named a path, or a folder that it is in.
  func names(_ path: String) -> Bool { taken.contains { $0 != "." && PathText.isBelow(path, $0) } }

  /// The index of the candidate that is meant: the only one, or the one that the user named. Nil where there is none.
  func choose(_ candidates: [Candidate], _ question: String) throws(Refusal) -> Int? {
    if candidates.count < 2 { return candidates.indices.first }
    // Candidates with the same name are listed by their paths.
    let counts = Dictionary(candidates.map { ($0.name, 1) }, uniquingKeysWith: +)
    let names = candidates.map { counts[$0.name] == 1 ? $0.name : $0.path }
    let named = candidates.indices.filter { taken.contains(names[$0]) || self.names(candidates[$0].path) }
    if named.count == 1 { return named[0] }
    throw refusal(question, names)
  }

  /// The command that answers with a name or path, as it is to be typed.
  func command(take answer: String) -> String {
    let words = answer.hasPrefix("-") ? ["--take=\(answer)"] : ["--take", answer]
    return ShellText.line(["npi-pack", "init"] + (directory == "." ? [] : folder(directory)) + words)
  }

  /// The command for a folder below the one that is looked at.
  func command(in folder: String) -> String {
    ShellText.line(["npi-pack", "init"] + self.folder(directory == "." ? folder : PathText.join(directory, folder)))
  }

  private func folder(_ path: String) -> [String] { ["-C", path.hasPrefix("-") ? "./\(path)" : path] }

  private static let maxListed = 20

  /// - Parameters:
  ///   - others: what is no candidate, and why.
  ///   - command: takes a candidate; nil: `--take` does.
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
