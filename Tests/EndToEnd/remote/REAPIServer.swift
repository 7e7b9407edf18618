#if REAPI
  import Foundation
  import SystemPackage
  import TestSupport
  import Testing

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #endif

  /// A server of the Remote Execution API that we did not write, on loopback. It ends with the test.
  final class REAPIServer: Sendable {
    /// `127.0.0.1:…`
    let address: String
    private let process = Process()

    /// A cache that misbehaves on demand. The URL's scheme is gRPC's.
    ///
    /// - Parameter words: `zstd` for one that takes compressed streams.
    static func misbehaving(_ words: [String] = []) throws -> (CacheServer, url: String) {
      let server = try CacheServer(
        words, script: "reapi.py", python: folder.appending("buildgrid/bin/python3").string)
      return (server, "grpc://127.0.0.1:\(server.port)")
    }

    private static let folder = FilePath(#filePath).removingLastComponent().removingLastComponent()
      .removingLastComponent().removingLastComponent().appending(".build/servers")

    /// - Parameter words: the program below `.build/servers`, and its arguments for a port.
    private init(_ words: (Int) throws -> [String]) throws {
      let port = Int.random(in: 20_000...30_000)
      let words = try words(port)
      address = "127.0.0.1:\(port)"
      process.executableURL = URL(fileURLWithPath: REAPIServer.folder.appending(words[0]).string)
      process.arguments = Array(words.dropFirst())
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
    }

    deinit { kill(process.processIdentifier, SIGKILL) }

    /// Returns when the port takes connections.
    private func isUp() async throws {
      let number = address.split(separator: ":").last.map(String.init) ?? ""
      let wait =
        "for i in $(seq 600); do (: < /dev/tcp/127.0.0.1/\(number)) 2>/dev/null && exit 0; sleep 0.1; done; exit 1"
      try await Tool.check(["bash", "-c", wait])
    }

    /// buildbox-casd: no encryption, and no name of an instance.
    ///
    /// - Parameter workers: the folders of this machine that its workers see, as `/usr:/usr`; nil if it has no workers.
    static func casd(_ scratch: Scratch, workers: [String]? = nil) async throws -> REAPIServer {
      let runner = workers.map { folders in
        ["--buildbox-run=\(folder.appending("buildbox-run"))", "--jobs=2"]
          + folders.map { "--runner-arg=--ro-bind-mount=\($0)" }
      }
      let server = try REAPIServer { port in
        ["casd", "--bind=127.0.0.1:\(port)", "--quota-high=2G", "--cache-failures=0"] + (runner ?? [])
          + [scratch("casd").string]
      }
      try await server.isUp()
      return server
    }

    /// BuildGrid with TLS, and with tokens that are signed by a secret; its instance is `main`.
    static func buildGrid(_ scratch: Scratch) async throws -> (REAPIServer, authority: String, token: String) {
      let pem = scratch("bgd").string
      try await Tool.check([
        "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
        "subjectAltName=DNS:localhost", "-keyout", pem + ".key", "-out", pem + ".crt",
      ])
      try scratch.write("secret", "the-secret-of-this-test-is-long-enough")
      let server = try REAPIServer { port in
        try scratch.write(
          "bgd.yml",
          """
          server:
            - !channel
              address: 127.0.0.1:\(port)
              insecure-mode: false
              credentials: { tls-server-key: \(pem).key, tls-server-cert: \(pem).crt }
          authorization: { method: jwt, secret: \(scratch("secret")), algorithm: hs256 }
          storages:
            - !lru-storage &blobs
              size: 256M
          caches:
            - !lru-action-cache &results
              storage: *blobs
              max-cached-refs: 1000
              allow-updates: true
          instances:
            - name: main
              services:
                - !action-cache
                  cache: *results
                - !cas
                  storage: *blobs
                - !bytestream
                  storage: *blobs
          thread-pool-size: 30
          """)
        return ["buildgrid/bin/bgd", "server", "start", scratch("bgd.yml").string]
      }
      let token = try await Tool.check([
        folder.appending("buildgrid/bin/python3").string, "-c",
        """
        import jwt, time
        claims = {"sub": "test", "iat": int(time.time()), "exp": int(time.time()) + 3600}
        print(jwt.encode(claims, "the-secret-of-this-test-is-long-enough", algorithm="HS256"))
        """,
      ])
      try await server.isUp()
      return (server, pem + ".crt", String(token.dropLast()))
    }
  }
#endif
