import Artifacts
package import Collisions
package import Findings
package import Remote
package import Rules
import Store
package import SystemPackage

/// The apps of one run of `check`, each checked by itself: those of an apps file, or the one of a command line.
package struct CheckApps: Sendable {
  struct App: Sendable {
    /// Nil for the app of a command line.
    var name: String?
    /// Nil if none of its files exists.
    var check: AppCheck?
    /// The files that it names and that do not exist.
    var mistakes: [Mistake] = []

    func outcome(
      _ policy: FindingPolicy, _ store: CheckStore, _ named: CheckPlugins?
    ) async throws -> AppCheck.Outcome {
      var (own, mistakes): (AppCheck.Outcome?, [Mistake]) = (nil, mistakes)
      do {
        if let named { own = try await check?.run(policy.judging(name), store, named) }
      } catch {
        let error = Mistakes(from: error)
        guard name != nil else { throw error }
        mistakes += error.all
      }
      return AppCheck.Outcome(
        report: own?.report ?? CollisionReport(), mistakes: mistakes + (own?.mistakes ?? []), notes: own?.notes ?? [])
    }
  }

  private let apps: [App]

  package init(_ check: AppCheck) { apps = [App(check: check)] }

  /// The apps of a YAML file. Settings that it does not give are those of `otherwise`.
  package init(_ file: FilePath, _ otherwise: AppCheck) throws(Mistakes) {
    apps = try AppsFile(file, otherwise).apps
  }

  /// Checks the app of a command line once more, with other files in the place of some plugins.
  package func outcome(
    replacing plugins: [FilePath: FilePath], _ policy: FindingPolicy
  ) async throws -> AppCheck.Outcome? {
    guard var check = apps.first?.check else { return nil }
    check.replaced = plugins
    return try await check.run(policy)
  }

  /// How far a run is.
  package struct Progress: Sendable {
    package let done: Int
    package let total: Int
    /// The first that is not done.
    package let app: String
    /// The number of plugins whose facts came from the remote cache.
    package let fetched: Int
  }

  /// - Parameters:
  ///   - remote: the cache on another machine; nil for none.
  ///   - told: is called before each app.
  package func run(
    _ policy: FindingPolicy, remote: RemoteSettings? = nil, told: (Progress) -> Void = { _ in }
  ) async throws(Mistakes) -> Outcome {
    var outcome = Outcome()
    let store = try CheckStore(remote)
    func tell(_ number: Int, done: Int = 0) {
      guard number < apps.count else { return }
      let fetched = store.remote?.cache.tally.hits ?? 0
      told(Progress(done: done, total: apps.count, app: apps[number].name ?? "", fetched: fetched))
    }
    var named: [CheckPlugins?] = []
    try? await inOrder(apps.count, { [apps] number in await apps[number].check?.named }, { named.append($0) })
    tell(0)
    if let remote = store.remote {
      // Each question takes as long as the network does, so no app waits for those of the app before it.
      do { try await remote.bring(CheckPlugins.each(of: named)) { tell(0) } } catch { throw Mistakes(from: error) }
    }
    // Apps that are checked side by side would each read what they have in common.
    let new = await PluginIndex.read(CheckPlugins.shared(by: named), store)
    async let isGiven: Void? = store.remote?.give(new)
    let atOnce = apps.contains { $0.check?.namesFiles ?? false } ? 1 : CheckPlugins.atOnce(named)
    var (found, next): ([Int: AppCheck.Outcome], Int) = ([:], 0)
    do {
      _ = try await someAtOnce(Array(apps.indices), atOnce: atOnce) { [apps, named] number in
        (number, try await apps[number].outcome(policy, store, named[number]))
      } _: { number, own in
        found[number] = own
        while found[next] != nil { next += 1 }
        tell(next, done: found.count)
        return true
      }
      _ = try await isGiven
    } catch { throw Mistakes(from: error) }
    outcome.apps = apps.enumerated().compactMap { number, app in found[number].map { (app.name, $0) } }
    outcome.notesOfRun = store.notes
    if let tally = try store.finish() { outcome.notesOfRun.append(tally) }
    return outcome
  }
}

// Results of all apps.
extension CheckApps {
  package struct Outcome: Sendable {
    fileprivate(set) var apps: [(name: String?, outcome: AppCheck.Outcome)] = []
    fileprivate var notesOfRun: [String] = []

    package func reports(_ detail: AppReport.Detail) async -> [AppReport] {
      var reports: [AppReport] = []
      for (name, outcome) in apps {
        var report = outcome.report
        if detail == .page { report.measure() }
        reports.append(await report.report(app: name, detail, canBeRead: outcome.mistakes.isEmpty))
      }
      return reports
    }

    /// The report of the app of a command line.
    package var report: CollisionReport? { apps.first { $0.name == nil }?.outcome.report }

    package var hasErrors: Bool {
      apps.contains { $0.outcome.report.collisions.contains { $0.level == .error } }
    }

    /// Unreadable parts, each once; the rest was checked.
    package var mistakes: [Mistake] {
      shared(\.mistakes).map { mistake, names in
        // A place in the apps file already tells the app.
        guard !names.isEmpty, mistake.place?.position == nil else { return mistake }
        var mistake = mistake
        mistake.notes.append("in \(Outcome.list(names))")
        return mistake
      }
    }

    /// One-liners for the user. Those that are not true of all apps name their apps.
    package var notes: [String] {
      notesOfRun
        + shared(\.notes).map { note, names in
          names.isEmpty || names.count == apps.count ? note : "\(Outcome.list(names)): \(note)"
        }
    }

    /// Items that several apps have in common appear once, with the apps' names.
    private func shared<T: Hashable>(_ items: (AppCheck.Outcome) -> [T]) -> [(item: T, names: [String])] {
      var found: [(item: T, names: [String])] = []
      var numbers: [T: Int] = [:]
      for (name, outcome) in apps {
        for item in items(outcome) {
          let number = numbers[item] ?? found.count
          if number == found.count { found.append((item, [])) }
          numbers[item] = number
          if let name, found[number].names.last != name { found[number].names.append(name) }
        }
      }
      return found
    }

    private static func list(_ names: [String]) -> String {
      listed(names, limit: names.count <= 4 ? 4 : 3)
    }
  }
}
