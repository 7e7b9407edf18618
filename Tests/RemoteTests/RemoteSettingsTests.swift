import Findings
import Lanes
import Testing
import TestSupport

import RemoteClients

@testable import Remote

@Suite struct RemoteSettingsTests {
  private func settings(
    _ line: [RemoteOption: [String]] = [:], _ environment: [String: String] = [:],
    _ manifest: [RemoteOption: [String]] = [:]
  ) throws -> RemoteSettings? {
    let own = Dictionary(
      uniqueKeysWithValues: manifest.map { key, texts in
        (key, texts.map { RemoteLayer.Value($0, name: "remote.\(key.rawValue)", at: Place("npi.yml")) })
      })
    let variable: (String) -> String? = { name in environment[name] }
    return try RemoteSettings(
      [RemoteLayer(options: line), RemoteLayer(environment: variable), RemoteLayer(.manifest, own)],
      client: RemoteClients.client, variable: variable)
  }

  @Test func `the command line comes before the environment and the manifest`() throws {
    #expect(try settings() == nil)
    #expect(try settings([:], [:], [.cache: ["https://m.example"]])?.url.host == "m.example")
    let environment = ["NPI_PACK_REMOTE_CACHE": "https://e.example:8080/x/", "NPI_PACK_REMOTE_TIMEOUT": "3"]
    let found = try settings([.timeout: ["7"]], environment, [.cache: ["https://m.example"], .retries: ["0"]])
    #expect(found?.url.text == "https://e.example:8080/x")
    #expect(found?.url.host == "e.example:8080")
    #expect(found?.timeout == 7000 && found?.retries == 0)
  }

  @Test func `a manifest decides nothing for the user's cache`() throws {
    let manifest: [RemoteOption: [String]] = [
      .cache: ["https://m.example"], .header: ["X-Key=env:NPI_PACK_KEY"], .upload: ["always"], .ca: ["/etc/passwd"],
    ]
    let environment = ["NPI_PACK_KEY": "s"]
    let its = try settings([:], environment, manifest)
    #expect(its?.access.headers.map(\.text) == ["X-Key: s"])
    #expect(its?.uploads == true && its?.access.authority == "/etc/passwd")
    let own = try settings([.cache: ["https://own.example"]], environment, manifest)
    #expect(own?.access.headers.isEmpty == true && own?.uploads == false && own?.access.authority == nil)
  }

  @Test(arguments: ["X=env:AWS_SECRET_ACCESS_KEY", "X=file:/etc/hostname"])
  func `a manifest sends no secrets of the user`(_ header: String) {
    #expect(throws: Mistakes.self) {
      try settings([:], ["AWS_SECRET_ACCESS_KEY": "s"], [.cache: ["https://m.example"], .header: [header]])
    }
  }

  @Test func `results are given away in CI only with a credential`() throws {
    let cache: [RemoteOption: [String]] = [.cache: ["https://a.example"], .upload: ["auto"]]
    #expect(try settings(cache, ["CI": "true"])?.uploads == false)
    #expect(try settings(cache, ["NPI_PACK_REMOTE_TOKEN": "t"])?.uploads == false)
    #expect(try settings(cache, ["CI": "true", "NPI_PACK_REMOTE_TOKEN": "t"])?.uploads == true)
    #expect(
      try settings([.cache: ["https://a.example"]], ["CI": "true", "NPI_PACK_REMOTE_TOKEN": "t"])?.uploads == false)
  }

  @Test func `secrets are not shown`() throws {
    let found = try settings([.cache: ["https://a.example"]], ["NPI_PACK_REMOTE_TOKEN": "hush-hush"])
    #expect(found?.access.headers.map(\.text) == ["Authorization: Bearer hush-hush"])
    var text = ""
    dump(found, to: &text)
    text += "\(String(describing: found)) \(found?.summary ?? "")"
    #expect(!text.contains("hush"))
  }

  @Test(arguments: [
    (RemoteOption.cache, "ftp://a"), (.cache, "a.example"), (.cache, "https://"), (.cache, "https://:80"),
    (.cache, "https://u:p@a.example"), (.cache, "https://a.example/x?y"), (.cache, "https://a example"),
    (.cache, "grpcs://"), (.cache, "https://a.example:0"), (.cache, "https://[::1]:x"), (.header, "X"), (.header, "=x"),
    (.header, "X Y=z"), (.header, "X=a\nY: b"),
    (.header, "X=env:NOT_SET"), (.header, "X=file:/not/there"), (.timeout, "0"), (.timeout, "ten"), (.retries, "-1"),
    (.upload, "yes"), (.ca, "/not/there"), (.key, "/dev/null"), (.tokenFile, "/dev/null"), (.required, "maybe"),
  ]) func `a mistake names its option`(_ option: RemoteOption, _ text: String) {
    let error = #expect(throws: Mistakes.self) {
      try settings([.cache: ["https://a.example"]].merging([option: [text]]) { $1 })
    }
    #expect(error?.all.first?.message.hasPrefix("\(option.option): ") == true, "\(error?.all.first?.message ?? "")")
  }

  @Test func `an address has a host, a port and a path`() throws {
    let url = try RemoteURL("https://[::1]:8443//a/b/")
    #expect(url.hostName == "::1" && url.port == 8443 && url.path == "a/b" && url.isSecure && !url.isForGRPC)
    let other = try RemoteURL("http://cache.example.com")
    #expect(other.hostName == "cache.example.com" && other.port == nil && other.path.isEmpty && !other.isSecure)
  }

  #if REAPI
    @Test func `a name and a password are nothing for gRPC`() throws {
      #expect(throws: Mistakes.self) { try settings([.cache: ["grpcs://a.example"], .netrc: ["/dev/null"]]) }
      #expect(try RemoteURL("grpcs://a.example:1/main").isForGRPC)
    }
  #else
    @Test func `a server with gRPC needs another build`() {
      let error = #expect(throws: RemoteURLError.self) { try RemoteURL("grpcs://a.example") }
      #expect(error?.hint.contains("make install REAPI=1") == true)
    }
  #endif
}
