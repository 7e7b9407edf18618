import Foundation
import SystemPackage
import TestSupport
import Testing

/// What `check` says of policies by chance is what a few naive lines of Python say of the same files.
@Suite struct MessagesTests {
  private static let kinds = ["events", "queries", "commands", "views"]

  private static let program = """
    import glob, json
    policies = [json.load(open(path)) for path in sorted(glob.glob("*.policy.json"))]
    def ends(key):
        return {(kind, name, p["plugin"]) for p in policies for kind, names in p[key].items() for name in names}
    sent, received = ends("sends"), ends("receives")
    for kind, name in {(k, n) for k, n, _ in sent | received}:
        senders = [p for k, n, p in sent if (k, n) == (kind, name)]
        handlers = [p for k, n, p in received if (k, n) == (kind, name)]
        if kind == "events":
            if handlers and not senders: print("unhandled-message warning", name)
            continue
        if senders and not handlers: print("unhandled-message error", name)
        if len(handlers) > 1: print("duplicate-handler error", name)
    for path in glob.glob("*.o"):
        if not glob.glob(path[:-len("-ios.o")] + ".policy.json"): print("missing-policy warning", path)
    """

  @Test(arguments: Seeded.seeds(12)) func agreesWithPython(_ seed: Int) async throws {
    var random = Seeded(seed: 100 + seed)
    let scratch = Scratch()
    for number in 0..<20 {
      let plugin = "P\(number)"
      let hasPolicy = !random.once(in: 10)
      if random.once(in: 3) { try scratch.write("\(plugin)-1.0-ios.o", "") }
      guard hasPolicy else { continue }
      func messages(_ share: Int) -> String {
        let members = Self.kinds.map { kind -> String in
          let names = (0..<20 * 3).filter { _ in random.once(in: share) }.map {
            "\"P\($0 / 3).\("abc".dropFirst($0 % 3).prefix(1))\""
          }
          return "\"\(kind)\": [\(names.joined(separator: ", "))]"
        }
        return "{\(members.joined(separator: ", "))}"
      }
      let policy = "{\"plugin\": \"\(plugin)\", \"sends\": \(messages(30)), \"receives\": \(messages(20))}"
      try scratch.write("\(plugin)-1.0.policy.json", policy)
    }
    let expected = try await Tool.check(["python3", "-c", Self.program], in: scratch.path)
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path.string).shuffled(using: &random)
    let store = scratch("store").string
    for environment in [[:], ["NPI_PACK_STORE": store], ["NPI_PACK_STORE": store]] {
      let result = try await Tool.run(
        [Scenario.binary.string, "check", "--format", "json"] + names, in: scratch.path, environment: environment)
      let report = try #require(try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any])
      let findings = try #require(report["findings"] as? [[String: Any]])
      let found = findings.map { "\($0["rule"] ?? "") \($0["level"] ?? "") \($0["name"] ?? "")" }
      #expect(found.sorted() == expected.split(separator: "\n").map(String.init).sorted())
      #expect(!found.isEmpty)
    }
  }
}
