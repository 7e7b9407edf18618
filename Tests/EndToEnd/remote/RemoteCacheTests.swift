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

/// A machine fetches the results of another one.
@Suite struct RemoteCacheTests {
  /// The example plugin, whose commands declare all that they read.
  private static let example: @Sendable (Scratch, String) throws -> Void = { scratch, tree in
    let folder = scratch(tree).removingLastComponent()
    try FileManager.default.createDirectory(atPath: scratch(tree).string, withIntermediateDirectories: true)
    for part in ["npi.yml", "ios", "android"] {
      _ = try Tool.runSync(["cp", "-R", ExamplePlugin.folder.appending(part).string, scratch(tree).string], in: folder)
    }
    var declared: [String] = []
    for line in try scratch.text("\(tree)/npi.yml").split(separator: "\n", omittingEmptySubsequences: false) {
      declared.append(String(line))
      if line.hasPrefix("    run:") || line.hasPrefix("    shell:") { declared.append("    declares-all: true") }
    }
    try scratch.write("\(tree)/npi.yml", declared.joined(separator: "\n"))
  }

  @Test(.tools) func everyStepComesFromThere() async throws {
    let (server, machines) = (try CacheServer(), try await Machines(Self.example))
    let first = try await machines.build("a", server.url, ["--remote-upload", "always", "--no-sandbox"])
    #expect(first.status == 0 && first.err.contains(", 9 misses, 9 uploads ("), "\(first.err)")
    let second = try await machines.build("other/folder/b", server.url)
    let steps = second.err.split(separator: "\n").filter { $0.hasPrefix("[") }
    #expect(steps.count == 9 && steps.allSatisfy { $0.hasSuffix("(from the remote cache)") }, "\(second.err)")
    #expect(second.err.contains("remote: 9 hits (") && second.err.contains(", 0 misses, 0 uploads, 0 errors"))
    #expect(try machines.isRight("a") && machines.isRight("other/folder/b"))
    let why = try await Tool.check(
      [Scenario.binary.string, "why", "ios"], in: machines.scratch("other/folder/b/p"),
      environment: machines.environment("other/folder/b"))
    #expect(why.contains("it was restored from the remote cache 127.0.0.1:\(server.port) the last time"), "\(why)")
    // The fetched results are kept in the own store.
    try await Tool.check(["rm", "-rf", ".npi", "dist", "build"], in: machines.scratch("other/folder/b/p"))
    try server.set("silent")
    let third = try await machines.build("other/folder/b", server.url, isNew: false)
    #expect(
      third.status == 0 && third.err.contains("(from the store)") && !third.err.contains("remote:"), "\(third.err)")
  }

  /// nginx as the page for operators configures it: requests with the token may write, and all may read.
  @Test(.tools) func nginx() async throws {
    let machines = try await Machines()
    let port = Int.random(in: 20_000...30_000)
    try machines.scratch.write("nginx/cache/.keep", "")
    try machines.scratch.write(
      "nginx/nginx.conf",
      """
      daemon off;
      pid \(machines.scratch("nginx/pid"));
      error_log stderr;
      events {}
      http {
        access_log off;
        client_body_temp_path \(machines.scratch("nginx/cache/tmp"));
        client_max_body_size 0;
        map "$request_method $http_authorization" $refused {
          default 0;
          ~^PUT 1;
          "PUT Bearer secret-of-main" 0;
        }
        server {
          listen 127.0.0.1:\(port);
          location ~ "^/(ac|cas)/[0-9a-f]{64}$" {
            root \(machines.scratch("nginx/cache"));
            dav_methods PUT;
            create_full_put_path on;
            if ($refused) { return 403; }
          }
        }
      }
      """)
    // Without the server's rights it cannot be another user.
    try await Tool.check(["chmod", "-R", "a+rwX", machines.scratch.path.string])
    let nginx = Process()
    nginx.executableURL = URL(fileURLWithPath: "/usr/sbin/nginx")
    nginx.arguments = ["-c", machines.scratch("nginx/nginx.conf").string]
    nginx.standardError = FileHandle.nullDevice
    nginx.standardOutput = FileHandle.nullDevice
    try nginx.run()
    defer {
      kill(nginx.processIdentifier, SIGQUIT)
      nginx.waitUntilExit()
    }
    let url = "http://127.0.0.1:\(port)"
    for _ in 0..<100 where nginx.isRunning {
      let status = try await Tool.run([Scenario.binary.string, "cache", "--remote-cache", url])
      if status.status == 0 { break }
    }
    let stranger = try await machines.build("c", url, ["--remote-upload", "always"])
    #expect(
      stranger.status == 0 && stranger.err.contains("takes nothing from this user (403): check the credential"),
      "\(stranger.err)")
    let main = try await machines.build(
      "a", url, ["--remote-upload", "auto"], environment: ["NPI_PACK_REMOTE_TOKEN": "secret-of-main", "CI": "true"])
    #expect(main.err.contains("5 uploads (") && main.err.contains(", 0 errors"), "\(main.err)")
    let reader = try await machines.build("b", url, ["--remote-upload", "auto"], environment: ["CI": "true"])
    #expect(
      reader.err.contains("remote: 5 hits (") && reader.err.contains(", 0 misses, 0 uploads, 0 errors"), "\(reader.err)"
    )
    #expect(try machines.isRight("b"))
    let verified = try await Tool.run(
      [Scenario.binary.string, "cache", "verify", "--remote-cache", url],
      environment: ["NPI_PACK_REMOTE_TOKEN": "secret-of-main", "NPI_PACK_STORE": machines.scratch("v").string])
    #expect(verified.status == 0 && verified.out.contains("under a wrong digest: taken"), "\(verified.all)")
  }

  /// A server for another name than the user's, and one that only the user's own authority vouches for.
  @Test(.tools) func certificates() async throws {
    let machines = try await Machines()
    let pem = machines.scratch("server.pem").string
    func server(_ name: String) async throws -> CacheServer {
      try await Tool.check(
        [
          "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=\(name)", "-addext",
          "subjectAltName=\(name)", "-keyout", pem + ".key", "-out", pem + ".crt",
        ])
      try await Tool.check(["sh", "-c", "cat \(pem).key \(pem).crt > \(pem)"])
      return try CacheServer([pem])
    }
    let right = try await server("IP:127.0.0.1")
    let https = right.url.replacing("http:", with: "https:")
    let first = try await machines.build("a", https, ["--remote-ca", pem + ".crt", "--remote-upload", "always"])
    #expect(first.err.contains("5 uploads (") && first.err.contains(", 0 errors"), "\(first.err)")
    let unknown = try await machines.build("b", https)
    #expect(unknown.status == 0 && unknown.err.lowercased().contains("certificate"), "\(unknown.err)")
    let wrong = try await server("DNS:elsewhere.example")
    let build = try await machines.build(
      "b", wrong.url.replacing("http:", with: "https:"), ["--remote-ca", pem + ".crt"])
    #expect(build.status == 0 && build.err.contains("goes on without it"), "\(build.err)")
    #expect(try machines.isRight("b"))
  }

  /// A server that speaks gRPC where HTTP was said answers with a frame of HTTP/2.
  @Test(.tools) func anotherProtocol() async throws {
    let machines = try await Machines()
    let server = Process()
    let port = Pipe()
    server.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    server.arguments = [
      "python3", "-c",
      """
      import socket
      listener = socket.create_server(("127.0.0.1", 0))
      print(listener.getsockname()[1], flush=True)
      while True:
          client = listener.accept()[0]
          client.sendall(bytes.fromhex("000006040000000000000500004000"))
          client.recv(4096)
          client.close()
      """,
    ]
    server.standardOutput = port
    try server.run()
    defer { kill(server.processIdentifier, SIGKILL) }
    let number =
      String(decoding: port.fileHandleForReading.availableData, as: UTF8.self).split(separator: "\n").first ?? ""
    let build = try await machines.build("b", "http://127.0.0.1:\(number)")
    #expect(build.status == 2)
    #expect(
      build.err.contains("--remote-cache: 127.0.0.1:\(number) does not speak HTTP: is it a server with gRPC?"),
      "\(build.err)")
    #expect(!machines.scratch.exists("b/p/dist/Other.zip"))
  }

  /// Two hundred deliverables: the look-ups overlap. A round trip takes longer than the work between two of them, also on a
  /// busy machine.
  @Test(.tools, .timeLimit(.minutes(20))) func roundTrips() async throws {
    let server = try CacheServer()
    let machines = try await Machines { scratch, tree in
      let zips = (0..<200).map { "  z\($0): { kind: ios-zip, items: [src/f\($0)], name: Z\($0).zip }" }
      try scratch.write(
        "\(tree)/npi.yml",
        """
        name: Many
        version: 1.0
        rules: { missing-library: off, empty-deliverable: off }
        deliverables:
        \(zips.joined(separator: "\n"))
        """)
      var random = Seeded(seed: 3)
      for number in 0..<200 {
        try scratch.write("\(tree)/src/f\(number)", (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &random) })
      }
    }
    _ = try await machines.build("a", server.url, ["--remote-upload", "always", "--remote-timeout", "60"])
    try server.set(delay: 0.5)
    let build = try await machines.build("b", server.url, ["--remote-timeout", "60"])
    #expect(build.err.contains("remote: 201 hits ("), "\(build.err)")
    let reply = try server.reply
    // A result and a blob each.
    #expect(reply.log.count == 2 * 201)
    #expect(reply.depth <= 20)
    #expect(try machines.isRight("b"))
  }

  /// The many small files of one output are asked for and given side by side.
  @Test(.tools, .timeLimit(.minutes(20))) func roundTripsOfOneOutput() async throws {
    let server = try CacheServer()
    let machines = try await Machines { scratch, tree in
      try scratch.write(
        "\(tree)/npi.yml",
        """
        name: Many
        version: 1.0
        rules: { missing-library: off, empty-deliverable: off }
        steps:
          copy: { run: [cp, -R, src, build/tree], inputs: [src], outputs: [build/tree], declares-all: true }
        deliverables:
          ios: { kind: ios-zip, items: [build/tree/*] }
        """)
      var random = Seeded(seed: 3)
      for number in 0..<240 {
        try scratch.write("\(tree)/src/f\(number)", (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &random) })
      }
    }
    try server.set(delay: 0.5)
    _ = try await machines.build("a", server.url, ["--remote-upload", "always", "--remote-timeout", "60"])
    // A blob that is not small is asked for before it is given.
    let given = try server.reply.depth
    try server.set(delay: 0.5)
    let build = try await machines.build("b", server.url, ["--remote-timeout", "60"])
    #expect(build.err.contains(" hits (") && build.err.contains(", 0 misses"), "\(build.err)")
    #expect(try machines.isRight("b"))
    let taken = try server.reply.depth
    #expect(given <= 20 && taken <= 14, "\(given), \(taken)")
  }
}
