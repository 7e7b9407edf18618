import Foundation
import SystemPackage
import Testing
import TestSupport

#if os(Linux)
  /// Swift packages and Maven repositories, as SwiftPM and Maven themselves take them, without a network: SwiftPM trusts
  /// another certificate in a sandbox, and Maven's plugins are those of the system.
  @Suite struct PackageManagerTests {
    // MARK: SwiftPM

    /// SwiftPM takes a package's zip from a server on this machine, whose certificate it trusts in a sandbox of its own.
    private static let server = """
      import functools, http.server, ssl, sys, threading
      handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory='www')
      server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), handler)
      context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
      context.load_cert_chain('cert.pem', 'key.pem')
      server.socket = context.wrap_socket(server.socket, server_side=True)
      open('port.new', 'w').write(str(server.server_port))
      import os; os.rename('port.new', 'port')
      threading.Thread(target=server.serve_forever, daemon=True).start()
      sys.stdin.read()
      """

    @Test func swiftPMResolvesThePackageAndRefusesAnotherZip() async throws {
      let scratch = Scratch()
      try scratch.write("server.py", Self.server)
      try await Tool.check(
        [
          "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
          "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "key.pem", "-out", "cert.pem",
        ], in: scratch.path)
      try scratch.write("www/x", "")
      let server = Process()
      let end = Pipe()
      server.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      server.arguments = ["python3", "server.py"]
      server.currentDirectoryURL = URL(fileURLWithPath: scratch.path.string)
      (server.standardInput, server.standardError) = (end, FileHandle.nullDevice)
      try server.run()
      defer { try? end.fileHandleForWriting.close() }
      while !scratch.exists("port"), server.isRunning { try await Task.sleep(for: .milliseconds(20)) }
      let port = try scratch.text("port")
      try await Self.writePlugin(scratch, url: "https://127.0.0.1:\(port)/{version}/{file}")
      try await ExamplePlugin.pack(scratch.path)
      try await Tool.check(
        ["sh", "-c", "mkdir www/1.4.0 && cp dist/Rally.xcframework.zip www/1.4.0"], in: scratch.path)
      let resolve = [
        "bwrap", "--dev-bind", "/", "/", "--ro-bind", "cert.pem", "/etc/ssl/certs/ca-certificates.crt", "swift",
        "package", "--package-path", "dist/swiftpm", "--scratch-path", "resolved", "--cache-path", "cache",
        "--disable-sandbox", "resolve",
      ]
      try await Tool.check(resolve, in: scratch.path)
      #expect(scratch.exists("resolved/artifacts/swiftpm/Rally/Rally.xcframework/Info.plist"))
      // Another zip at the same address.
      try await Tool.check(
        ["sh", "-c", "rm -rf resolved cache www/1.4.0/*; zip -q www/1.4.0/Rally.xcframework.zip npi.yml"],
        in: scratch.path)
      let refused = try await Tool.run(resolve, in: scratch.path)
      #expect(refused.status != 0)
      #expect(refused.err.contains("checksum") && refused.err.contains("Rally"), "\(refused.err)")
    }

    private static func writePlugin(_ scratch: Scratch, url: String) async throws {
      try scratch.write("r.c", "int RLStart(void) { return 1; }\n")
      for (name, target) in [("d", "arm64-apple-ios13.0"), ("s", "arm64-apple-ios14.0-simulator")] {
        let object = ["clang", "-target", target, "-ffreestanding", "-c", "r.c", "-o", "\(name).o"]
        try await Tool.check(object, in: scratch.path)
        try await Tool.check(
          ["llvm-libtool-darwin-19", "-static", "-D", "-o", "\(name).a", "\(name).o"], in: scratch.path)
      }
      try scratch.write(
        "npi.yml",
        """
        name: Rally
        version: 1.4.0
        deliverables:
          ios: { kind: xcframework, libraries: [d.a, s.a] }
          package: { kind: swiftpm, of: ios, url: "\(url)" }
        """)
    }

    // MARK: Maven

    /// A project of two repositories: ours, whose checksums have to be right, and that of the system.
    private static func project(_ repository: FilePath, _ version: String) -> String {
      """
      <project><modelVersion>4.0.0</modelVersion><groupId>t</groupId><artifactId>t</artifactId><version>1</version>
      <repositories>
        <repository><id>central</id><url>file:///usr/share/maven-repo</url>
          <releases><checksumPolicy>ignore</checksumPolicy></releases></repository>
        <repository><id>rally</id><url>file://\(repository)</url>
          <releases><checksumPolicy>fail</checksumPolicy></releases></repository>
      </repositories>
      <pluginRepositories><pluginRepository><id>central</id><url>file:///usr/share/maven-repo</url></pluginRepository>
      </pluginRepositories>
      <dependencyManagement><dependencies><dependency><groupId>com.example</groupId><artifactId>rally-bom</artifactId>
        <version>1.0</version><type>pom</type><scope>import</scope></dependency></dependencies></dependencyManagement>
      <dependencies><dependency><groupId>com.example</groupId><artifactId>rally</artifactId>\(version)
        <type>aar</type></dependency></dependencies></project>
      """
    }

    /// What Maven resolves of the project, each as `group:artifact:type:version:scope`.
    private static func resolved(_ scratch: Scratch, _ version: String) async throws -> (lines: [String], err: String) {
      let number = Int.random(in: 0..<Int.max)
      try scratch.write("\(number)/pom.xml", project(scratch("repository"), version))
      let run = try await Tool.run(
        [
          "mvn", "-B", "-q", "-Dmaven.repo.local=\(scratch("\(number)/local"))",
          "org.apache.maven.plugins:maven-dependency-plugin:3.5.0:list", "-DoutputFile=list",
        ], in: scratch("\(number)"))
      let list = (try? scratch.text("\(number)/list")) ?? ""
      let lines = list.split(separator: "\n").compactMap { line in
        line.split(separator: " ").first.map(String.init).flatMap { $0.filter { $0 == ":" }.count == 4 ? $0 : nil }
      }
      return (lines, run.out + run.err)
    }

    /// Gradle's module metadata by its specification, and by the files that it names.
    private static let metadataCheck = """
      import hashlib, json, os, sys
      path = sys.argv[1]
      m = json.load(open(path))
      assert list(m)[0] == 'formatVersion' and m['formatVersion'] == '1.1'
      assert set(m) <= {'formatVersion', 'component', 'createdBy', 'variants'}
      c = m['component']
      assert all(isinstance(c[k], str) for k in ('group', 'module', 'version'))
      names = [v['name'] for v in m['variants']]
      assert len(set(names)) == len(names)
      def versioned(d):
          assert set(d) <= {'group', 'module', 'version', 'excludes'} and isinstance(d['version']['requires'], str)
          assert all(set(e) == {'group', 'module'} for e in d.get('excludes', []))
      for v in m['variants']:
          assert set(v) <= {'name', 'attributes', 'dependencies', 'files', 'capabilities'}
          assert all(isinstance(a, (str, bool)) for a in v['attributes'].values())
          for d in v.get('dependencies', []): versioned(d)
          for f in v['files']:
              data = open(os.path.join(os.path.dirname(path), f['url']), 'rb').read()
              assert f['size'] == len(data)
              for k in ('md5', 'sha1', 'sha256', 'sha512'): assert f[k] == hashlib.new(k, data).hexdigest()
      print(*names)
      """

    @Test func mavenResolvesTheRepository() async throws {
      let scratch = Scratch()
      try scratch.write(
        "AndroidManifest.xml",
        """
        <manifest xmlns:android="http://schemas.android.com/apk/res/android" package="com.example.rally">
          <uses-sdk android:minSdkVersion="21" /></manifest>
        """)
      try scratch.write("src/com/example/Rally.java", "package com.example; public class Rally {}")
      try await Tool.check(
        ["javac", "-nowarn", "-d", "classes", "src/com/example/Rally.java"], in: scratch.path)
      func release(_ version: String) async throws {
        try scratch.write(
          "npi.yml",
          """
          name: Rally
          version: \(version)
          steps: { core: { kind: jar, resources: src, output: core.jar } }
          deliverables:
            aar: { kind: aar, manifest: AndroidManifest.xml, classes: classes }
            maven:
              kind: maven
              group: com.example
              of:
                - from: aar
                  artifact: rally
                  dependencies: ["com.example:rally-core", { of: "junit:junit:4.13.2", scope: runtime, exclude: "org.hamcrest:*" }]
                  sources: src
                - { from: core.jar, artifact: rally-core }
              bom: rally-bom
              repository: repository
          """)
        try await ExamplePlugin.pack(scratch.path)
        try await Tool.check(["cp", "-R", "dist/maven/.", "repository"], in: scratch.path)
      }
      try await Tool.check(["mkdir", "repository"], in: scratch.path)
      try await release("1.0")
      func expected(_ version: String) -> [String] {
        [
          "com.example:rally:aar:\(version):compile", "com.example:rally-core:jar:\(version):compile",
          "junit:junit:jar:4.13.2:runtime",
        ]
      }
      for (name, variants) in [
        ("rally", "apiElements runtimeElements sourcesElements\n"), ("rally-core", "apiElements runtimeElements\n"),
      ] {
        let module = "repository/com/example/\(name)/1.0/\(name)-1.0.module"
        #expect(try await Tool.check(["python3", "-c", Self.metadataCheck, module], in: scratch.path) == variants)
      }
      // The bill of materials tells the version.
      let first = try await Self.resolved(scratch, "")
      #expect(first.lines == expected("1.0"), "\(first.err)")
      try await release("1.1")
      // Maven goes through the list of versions to find one for a range.
      let second = try await Self.resolved(scratch, "<version>[1.0,)</version>")
      #expect(
        second.lines == [
          "com.example:rally:aar:1.1:compile", "com.example:rally-core:jar:1.0:compile",
          "junit:junit:jar:4.13.2:runtime",
        ], "\(second.err)")
      let old = try await Self.resolved(scratch, "<version>[1.0,1.1)</version>")
      #expect(old.lines == expected("1.0"), "\(old.err)")
      // Maven compares the SHA-1 of what it takes.
      try scratch.write("repository/com/example/rally-core/1.0/rally-core-1.0.jar", "damaged")
      let damaged = try await Self.resolved(scratch, "")
      #expect(damaged.lines.isEmpty && damaged.err.contains("hecksum"), "\(damaged.err)")
    }
  }
#endif
