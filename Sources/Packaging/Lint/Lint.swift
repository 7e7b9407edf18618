import Artifacts
package import Findings
package import Remote
package import Rules
import Store
package import SystemPackage

/// Checks finished deliverables, or trees, against their host's rules.
package struct Lint: Sendable {
  /// The artifacts or entries that could not be read. The rest was checked.
  package private(set) var mistakes: [Mistake] = []
  /// One-liners for the user.
  package private(set) var notes: [String] = []
  /// The rules that judged, and those that could not.
  package private(set) var coverage = Coverage()

  package var report: Report { policy.report(findings) }
  /// Whether a finding that is an error reports something that could not be read.
  package var hasUnread: Bool {
    report.findings.contains { $0.level == .error && !unreadable.isDisjoint(with: $0.sites) }
  }

  /// - Parameters:
  ///   - recipe: a recipe's name or path; without one the manifest above an artifact, or the release record beside it,
  ///     names the host.
  ///   - app: the app that contains extensions: its folder, `.app` or `Info.plist`; nil: as the manifest says.
  ///   - remote: a cache that may have results, or workers that make them.
  package static func run(
    _ paths: [FilePath], recipe: String?, app: FilePath? = nil, policy: FindingPolicy, remote: RemoteSettings? = nil
  ) async throws(Mistakes) -> Lint {
    let shared = try remote.map { settings throws(Mistakes) in try SharedLint(settings) }
    var lint: Lint
    do {
      lint = Lint(
        policy, given: try recipe.map { try HostRules.of(recipes: [$0], in: "") },
        app: try app.map { try ContainingApp.read($0) })
    } catch { throw Mistakes(from: error) }
    var all: [FilePath] = []
    for path in paths { await lint.collect(path) { _ in all += try artifacts(path) } }
    let configurations = all.filter { Kinds.artifact(named: $0.string) == .config }
    lint.configurations = configurations.count
    if configurations.count == 1 { lint.beside = try? Configuration.read(configurations[0]) }
    // With several configurations it is not known which deliverable belongs to which plugin.
    let platforms = Set(all.compactMap { Kinds.deliverable(named: $0.string)?.platform })
    if configurations.count < 2, !platforms.isEmpty { lint.platforms = platforms }
    do { try await lint.judge(all, shared) } catch { throw Mistakes(from: error) }
    if let first = lint.hostless.first {
      let all = "\(first)\(andMore(lint.hostless.count - 1))"
      lint.notes.insert(
        "no host is known for \(all): only general rules were checked (--recipe NAME)", at: 0)
    }
    return lint
  }

  private let policy: FindingPolicy
  /// The recipe and the app that the user names.
  private let given: HostRules.Found?
  private let givenApp: ContainingApp?
  // Artifacts of one call belong to one plugin, unless there are several configurations.
  private var configurations = 0
  private var beside: Configuration?
  private var platforms: Set<Inventory.Platform>?

  private var findings: [Finding] = []
  private var namesakes = Namesakes<[FindingIdentity], String>()
  private var hostless: [FilePath] = []
  private var unreadable: Set<Place> = []

  private init(_ policy: FindingPolicy, given: HostRules.Found?, app: ContainingApp?) {
    (self.policy, self.given, givenApp) = (policy, given, app)
  }

  private mutating func collect(_ path: FilePath, _ work: (inout Lint) async throws -> Void) async {
    do { try await work(&self) } catch let error where error is Mistakes || error is FileError {
      mistakes += Mistakes(from: error).all
    } catch {
      mistakes.append(Mistake("\(path) cannot be read: \(error)"))
    }
  }

  private mutating func judge(_ artifacts: [FilePath], _ shared: SharedLint?) async throws {
    var made: [Digest: LintResult] = [:]
    // Questions are asked side by side, for a number of artifacts whose orders take little memory.
    let size = shared == nil ? 1 : Lint.maxAskedAtOnce
    for start in stride(from: 0, to: artifacts.count, by: size) {
      let part = artifacts[start..<min(start + size, artifacts.count)]
      let orders = part.map { artifact in Result { try order(artifact) } }
      let answers = try await shared?.answers(to: orders.map { try? $0.get() }) ?? part.map { _ in nil }
      for (artifact, (order, answer)) in zip(part, zip(orders, answers)) {
        await collect(artifact) { lint in
          let order = try order.get()
          if let known = answer?.result { return lint.add(known, of: order) }
          let result = try await order.result()
          if let answer, answer.isFor(order) { made[answer.key] = result }
          lint.add(result, of: order)
        }
      }
    }
    notes += try await shared?.finish(made) ?? []
  }

  private static let maxAskedAtOnce = 256

  private mutating func order(_ artifact: FilePath) throws -> LintOrder {
    let host = try given ?? HostRules.find(for: artifact)
    if !host.isKnown { hostless.append(artifact) }
    var order = LintOrder(artifact, host, policy.settings(host.rules))
    order.configuration = host.configuration ?? beside
    order.platforms = host.isKnown ? platforms : nil
    order.app = givenApp
    return order
  }

  private mutating func add(_ result: LintResult, of order: LintOrder) {
    let artifact = order.file
    if !result.hasConfiguration, configurations > 1 {
      notes.append("\(artifact): there are \(configurations) configurations: lint it with its own alone")
    }
    if let first = result.unopened.first {
      notes.append(
        "\(artifact): \(first)\(andMore(result.unopened.count - 1)) was not looked into: lint archives by their own names"
      )
    }
    result.coverage.parts.forEach { coverage.add($0) }
    let path = (try? FileSystem.realPath(artifact).string) ?? artifact.string
    let name = PluginNames.stable((artifact.string, order.host.plugin)) { _ in path }
    for finding in result.findings {
      let finding = finding.of(plugin: name)
      // The zip and the AAR of a plugin are no namesakes: their names differ not only in the version.
      let kind = StableName.unversioned(artifact.lastComponent?.string ?? "")
      let own = namesakes.name(name, of: path, in: finding.of(plugin: "\(name)/\(kind)").identities)
      findings.append(finding.of(plugin: own))
    }
    mistakes += result.mistakes
    unreadable.formUnion(result.unreadable)
  }

  /// A release record stands for its deliverables.
  private static func artifacts(_ path: FilePath) throws -> [FilePath] {
    guard try FileSystem.status(of: path, followingLinks: true) != nil else { throw Mistakes("there is no \(path)") }
    guard path.string.hasSuffix(".release.json") else { return [path] }
    let record = try ReleaseRecord.read(path)
    return try record.deliverables.compactMap { deliverable in
      let file = path.removingLastComponent().appending(deliverable.path)
      if let mistake = try ReleaseRecord.mistake(in: file, of: deliverable, readsAll: true) {
        throw Mistakes([mistake])
      }
      return deliverable.isForManagers ? nil : file
    }
  }
}
