import Foundation
import Lanes
import SystemPackage
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Builds that are killed while they fetch and give, and secrets while everything goes wrong.
@Suite struct RemoteKillTests {
  /// Twenty kills while results are fetched, twenty while they are given.
  @Test(.tools, .timeLimit(.minutes(20)), arguments: ["never", "always"]) func killed(_ upload: String) async throws {
    let (server, machines) = (try CacheServer(), try await Machines())
    _ = try await machines.build("full", server.url, ["--remote-upload", "always"])
    try server.set(content: "save")
    let words = ["--remote-cache", server.url, "--remote-upload", upload]
    var random = Seeded(seed: upload == "never" ? 1 : 2)
    var kills = 0
    for round in 0..<200 where kills < 20 {
      try server.set(delay: 0.2, content: upload == "never" ? "load" : "clear")
      let machine = "k\(round)"
      try Machines.small(machines.scratch, "\(machine)/p")
      let build = try RunningBuild(words, in: machines.scratch("\(machine)/p"))
      let moment = Double.random(in: 0.02...0.9, using: &random)
      // A thread of its own wakes up in time where others work.
      let status = try await blocking {
        Thread.sleep(forTimeInterval: moment)
        build.signal(SIGKILL)
        return build.end()
      }
      if status == -SIGKILL { kills += 1 }
      // A blob that is there under its name has the content of that name.
      let broken = try await Tool.run(
        [
          "sh", "-c",
          "cd \(machines.scratch("\(machine)/p-store/cas")) 2>/dev/null || exit 0; sha256sum */* | awk '{ n = $2; sub(/.*\\//, \"\", n); if (n != $1) print }'",
        ])
      #expect(broken.out == "", "round \(round)")
      try server.set()
      let next = try RunningBuild(words, in: machines.scratch("\(machine)/p"))
      #expect(try await blocking { next.end() } == 0, "\(next.err)")
      #expect(try machines.isRight(machine), "round \(round)")
    }
    #expect(kills == 20)
    // The killed builds gave only whole results away.
    let reader = try await machines.build("reader", server.url)
    #expect(reader.status == 0 && reader.err.contains(", 0 errors"), "\(reader.err)")
    #expect(try machines.isRight("reader"))
  }

  #if os(Linux)
    /// The commands of a tree run as the same user: they cannot read the credential in the environment of npi-pack.
    @Test(.tools) func environmentIsHidden() async throws {
      let (server, machines) = (try CacheServer(), try await Machines())
      try machines.scratch.write(
        "n/p/npi.yml",
        """
        name: Nosy
        version: 1.0
        steps:
          nosy: { shell: "cat /proc/$PPID/environ > out || echo refused > out", outputs: [out] }
        """)
      try await Tool.check(["chmod", "-R", "a+rwX", machines.scratch.path.string])
      // Root may read everything.
      let asNobody = getuid() == 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []
      for (token, text) in [("hush", "refused\n"), (nil, nil)] {
        try await Tool.check(["rm", "-rf", machines.scratch("n/p/out").string])
        let build = try await Tool.run(
          asNobody + [Scenario.binary.string, "-B", "nosy", "--remote-cache", server.url, "--no-sandbox"],
          in: machines.scratch("n/p"),
          environment: machines.environment("n").merging(["NPI_PACK_REMOTE_TOKEN": token]) { $1 })
        #expect(build.status == 0, "\(build.err)")
        #expect(try machines.scratch.text("n/p/out").hasSuffix("refused\n") == (text != nil))
      }
    }
  #endif

  /// The credential reaches the server, and nothing else has it: no output, trace, state, store or list of processes.
  @Test(.tools, arguments: ["token", "token-file", "header", "manifest", "netrc"]) func secret(_ way: String)
    async throws
  {
    let (server, machines) = (try CacheServer(), try await Machines())
    // One of its own: the search for another one is in the list of processes, too.
    let secret = "hush-\(way)-4f1d2c"
    try machines.scratch.write("outside/token", secret + "\n")
    try machines.scratch.write("outside/netrc", "machine 127.0.0.1 login user password \(secret)\n")
    let token = machines.scratch("outside/token").string
    var words = ["--remote-upload", "always", "-v", "--explain", "--trace", "trace.json"]
    var environment: [String: String?] = [:]
    switch way {
    case "token": environment["NPI_PACK_REMOTE_TOKEN"] = secret
    case "token-file": words += ["--remote-token-file", token]
    case "header": words += ["--remote-header", "Authorization=file:\(token)"]
    case "netrc": words += ["--remote-netrc", machines.scratch("outside/netrc").string]
    default: environment["NPI_PACK_OWN_TOKEN"] = secret
    }
    for fault in ["none", "unauthorized", "failing", "redirect", "login", "wrong-bytes", "down"] {
      try server.set(fault, delay: 0.02, content: "clear")
      let machine = "s-\(fault)"
      try Machines.small(machines.scratch, "\(machine)/p")
      if way == "manifest" {
        let text = try machines.scratch.text("\(machine)/p/npi.yml")
        try machines.scratch.write(
          "\(machine)/p/npi.yml",
          text + "\nremote: { cache: '\(server.url)', header: ['Authorization=env:NPI_PACK_OWN_TOKEN'] }\n")
      }
      let named = way == "manifest" ? [] : ["--remote-cache", server.url]
      let script = """
        \(Scenario.binary) build "$@" & build=$!
        while kill -0 $build 2>/dev/null; do cat /proc/[0-9]*/cmdline >> ../lists 2>/dev/null; sleep 0.01; done
        wait $build
        """
      let build = try await Tool.run(
        ["sh", "-c", script, "sh"] + named + words, in: machines.scratch("\(machine)/p"),
        environment: machines.environment(machine).merging(environment) { $1 })
      #expect(build.status == 0, "\(build.err)")
      let sent = way == "netrc" ? "Basic " + Data("user:\(secret)".utf8).base64EncodedString() : secret
      let log = try server.reply.log
      #expect(
        !log.isEmpty
          && log.allSatisfy {
            $0.hasSuffix(way == "header" || way == "manifest" || way == "netrc" ? " \(sent)" : " Bearer \(sent)")
          })
      for text in [secret, Data("user:\(secret)".utf8).base64EncodedString()] {
        #expect(!build.all.contains(text), "\(fault)")
        let found = try await Tool.run(["grep", "-rlaF", text, machines.scratch(machine).string])
        #expect(found.out == "", "\(fault)")
      }
      #expect(machines.scratch.exists("\(machine)/p/trace.json") && machines.scratch.exists("\(machine)/lists"))
    }
  }
}
