import Artifacts
import BuildEngine
package import Findings
import Rules
import Store
import SystemPackage

/// One step of a plugin's build, for a worker that has the plugin's manifest and the step's inputs. With them it comes to
/// the same step with the same key.
package struct StepOrder: Equatable {
  var step: String
  var key: Digest
  /// Relative to the plugin's folder.
  var manifest: FilePath
  var out: FilePath
  var configFiles: [FilePath]
  var settings: [String]
  /// The version, if it does not come from the manifest, and the option that names it.
  var version: String?
  var versionOrigin: String
  /// `RULE=LEVEL`
  var levels: [String]
  var isStrict: Bool

  private static let header = Array("npi-pack step 1\n".utf8)

  var bytes: [UInt8] {
    var writer = RecordWriter()
    writer.add(step)
    writer.add(key)
    writer.add(manifest)
    writer.add(out)
    writer.add(configFiles) { $0.add($1) }
    writer.add(settings) { $0.add($1) }
    writer.add(optional: version) { $0.add($1) }
    writer.add(versionOrigin)
    writer.add(levels) { $0.add($1) }
    writer.add(isStrict)
    return StepOrder.header + writer.bytes
  }

  /// Nil if the bytes are no order.
  package init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: StepOrder.header) else { return nil }
    var reader = RecordReader(bytes[StepOrder.header.count...])
    guard let step = reader.text(), let key = reader.digest(), let manifest = reader.path(), let out = reader.path(),
      let configFiles = reader.list({ $0.path() }), let settings = reader.list({ $0.text() }),
      let version = reader.optional({ $0.text() }), let versionOrigin = reader.text(),
      let levels = reader.list({ $0.text() }), let isStrict = reader.flag()
    else { return nil }
    self.init(
      step: step, key: key, manifest: manifest, out: out, configFiles: configFiles, settings: settings,
      version: version, versionOrigin: versionOrigin, levels: levels, isStrict: isStrict)
  }

  init(
    step: String, key: Digest, manifest: FilePath, out: FilePath, configFiles: [FilePath], settings: [String],
    version: String?, versionOrigin: String, levels: [String], isStrict: Bool
  ) {
    (self.step, self.key, self.manifest, self.out) = (step, key, manifest, out)
    (self.configFiles, self.settings, self.version) = (configFiles, settings, version)
    (self.versionOrigin, self.levels, self.isStrict) = (versionOrigin, levels, isStrict)
  }

  /// Where the outputs are kept.
  static let store = Graph.stateFolder.appending("store")

  /// Carries the step out in the current folder, and returns its sealed record.
  package func carryOut() async throws(Mistakes) -> [UInt8] {
    var options = Project.Options()
    (options.manifest, options.out, options.configFiles, options.settings) = (manifest, out, configFiles, settings)
    let project = try await Project.open(options, version: version.map { ($0, versionOrigin) })
    let graph = try project.graph(policy: try FindingPolicy(levels: levels, strict: isStrict), only: step)
    let store = ContentStore(StepOrder.store, limit: .max)
    let result: BuildResult
    do {
      result = try await project.scheduler(graph, NoProgress(), store, writes: true).run([step])
    } catch { throw Mistakes(from: error) }
    if let record = store.record(of: key) { return ContentStore.sealed(record, of: key) }
    if let failure = result.steps.lazy.compactMap(\.failure).first {
      throw Mistakes(failure.message, notes: failure.notes, hint: failure.hint)
    }
    throw Mistakes("the step '\(step)' has another key here", hint: "a program, or npi-pack, is not the same")
  }
}
