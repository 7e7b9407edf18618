import Documents
import Findings
import Packaging
import Rewriting
import SystemPackage

/// A step of `npi.yml` that gives names of a plugin new ones.
struct FixStep {
  enum Change {
    case prefix(String, keep: [String], only: [String], classes: Bool)
    case packages([(old: String, new: String)])
  }

  let name: String
  /// The plugin, as the user named it.
  let input: String
  let output: String
  let change: Change
  /// For the user: what it does, and what to look at.
  private(set) var comments: [String]
  private(set) var keepsDebug = true

  init(name: String, input: String, output: String, _ change: Change, comments: [String]) {
    (self.name, self.input, self.output, self.change, self.comments) = (name, input, output, change, comments)
  }

  /// Makes the file or folder. Throws the reason why it is refused.
  ///
  /// - Parameter input: the plugin.
  mutating func run(_ input: FilePath, to output: FilePath) async throws(Mistakes) {
    var notes: [String]
    switch change {
    case .packages(let packages):
      notes = try await Relocate.run(input, to: output, JavaFileRelocation(PackageMap(packages), strings: false))
    case .prefix(let prefix, let keep, let only, let classes):
      let symbols = SymbolRewrite(prefix, keep: keep, only: only, classes: classes)
      do throws(Mistakes) {
        notes = try await PrefixSymbols.run(input, to: output, symbols, keepsDebug: true)
      } catch {
        do throws(Mistakes) {
          notes = try await PrefixSymbols.run(input, to: output, symbols, keepsDebug: false)
        } catch _ {
          throw error
        }
        keepsDebug = false
      }
    }
    comments += notes.map { "\(name): \($0)" }
  }

  var hasClasses: Bool { if case .prefix(_, _, _, true) = change { true } else { false } }

  var member: YAMLValue.Member {
    func member(_ key: String, _ text: String) -> YAMLValue.Member { YAMLValue.Member(key, .text(text)) }
    let files = [member("input", input), member("output", output)]
    switch change {
    case .packages(let packages):
      let map = YAMLValue.map(packages.map { member($0.old, $0.new) })
      return YAMLValue.Member(name, .map([member("kind", "relocate")] + files + [YAMLValue.Member("packages", map)]))
    case .prefix(let prefix, let keep, let only, let classes):
      var members = [member("kind", "prefix-symbols")] + files + [member("prefix", prefix)]
      if !keep.isEmpty { members.append(YAMLValue.Member("keep", .texts(keep))) }
      if !only.isEmpty { members.append(YAMLValue.Member("only", .texts(only))) }
      if classes { members.append(YAMLValue.Member("classes", .flag(true))) }
      if !keepsDebug { members.append(member("debug", "drop")) }
      return YAMLValue.Member(name, .map(members))
    }
  }
}
