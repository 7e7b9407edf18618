import ArgumentParser
import Findings
import Packaging
import Rules

/// Completions for words that only npi-pack knows; the parser makes the shell scripts.
extension CompletionKind {
  /// Steps, deliverables and outputs of the manifest that the command line names.
  static let targets = offering { Project.targets(CommandWords.manifest($0)) ?? [] }
  static let settings = offering { Project.configurationKeys(CommandWords.manifest($0)).map { "\($0)=" } }
  static let recipes = offering { _ in Recipe.builtIn.map(\.name) }
  static let kinds = offering { _ in KindHelp.names }
  static let rules = offering { _ in RuleCatalogue.all.map(\.id.rawValue) }
  static let levels = offering { _ in
    RuleCatalogue.all.flatMap { rule in Level.allCases.map { "\(rule.id.rawValue)=\($0.rawValue)" } }
  }

  /// Bash expands completions, and a manifest may come from a stranger: words with characters that mean something to a
  /// shell are left out.
  private static func offering(_ words: @escaping @Sendable ([String]) -> [String]) -> CompletionKind {
    .custom { line, _, _ in
      words(line).filter { word in
        word == printable(word)
          && word.unicodeScalars.allSatisfy { scalar in
            !scalar.isASCII || scalar.properties.isAlphabetic || "0123456789._/+:@%,=-".unicodeScalars.contains(scalar)
          }
      }
    }
  }
}
