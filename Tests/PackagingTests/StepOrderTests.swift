import Store
import SystemPackage
import Testing

@testable import Packaging

@Suite struct StepOrderTests {
  private let order = StepOrder(
    step: "ios", key: Digest(of: "key"), manifest: "npi.yml", out: "dist", configFiles: ["a.json"],
    settings: ["k=v", "l=\n"], version: "1.10", versionOrigin: "--version-from git", levels: ["unsigned=off"],
    isStrict: true)

  @Test func `a step is read as it was written`() {
    #expect(StepOrder(order.bytes) == order)
    var other = order
    (other.version, other.isStrict) = (nil, false)
    #expect(StepOrder(other.bytes) == other)
  }

  @Test func `half of a step is none`() {
    for count in 0..<order.bytes.count { #expect(StepOrder(Array(order.bytes.prefix(count))) == nil) }
  }
}
