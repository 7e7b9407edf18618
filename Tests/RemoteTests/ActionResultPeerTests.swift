import Foundation
import Lanes
import Store
import SystemPackage
import TestSupport
import Testing

@testable import Remote

/// The message as BuildGrid's own code writes and reads it, which is made from the specification of the Remote Execution API.
@Suite struct ActionResultPeerTests {
  private static let program = """
    import sys
    from buildgrid._protos.build.bazel.remote.execution.v2.remote_execution_pb2 import ActionResult
    result = ActionResult.FromString(open(sys.argv[1], "rb").read())
    for file in result.output_files: print(file.path, file.digest.hash, file.digest.size_bytes)
    print(result.stdout_raw.hex(), result.stdout_digest.hash, result.stdout_digest.size_bytes)
    other = ActionResult(exit_code=3, stderr_raw=b"words")
    file = other.output_files.add(path="dist/a.zip", is_executable=True)
    file.digest.hash, file.digest.size_bytes = "ab" * 32, 1 << 33
    other.stdout_digest.hash, other.stdout_digest.size_bytes = "cd" * 32, 7
    other.execution_metadata.worker = "a worker"
    other.execution_metadata.queued_timestamp.GetCurrentTime()
    open(sys.argv[2], "wb").write(other.SerializeToString())
    """

  @Test(.tools) func `BuildGrid reads ours, and we read its own`() async throws {
    let scratch = Scratch()
    let (one, two) = (Digest(of: "one"), Digest(of: "two"))
    let samples: [(ActionResult, String)] = [
      (
        ActionResult(blobs: [.init(digest: one, size: 5)], content: .bytes([0xDE, 0xAD])), "\(one) \(one) 5\ndead  0\n"
      ),
      (
        ActionResult(
          blobs: [.init(digest: one, size: 1 << 40), .init(digest: two, size: 0)],
          content: .blob(.init(digest: two, size: 9))),
        "\(one) \(one) \(1 << 40)\n\(two) \(two) 0\n \(two) 9\n"
      ),
    ]
    for (sample, text) in samples {
      try scratch.write("ours", sample.bytes)
      let read = try await Tool.check(
        ["python3", "-c", Self.program, scratch("ours").string, scratch("other").string])
      #expect(read == text)
      let other = ActionResult(try scratch.read("other"))
      #expect(
        other?.blobs == [.init(digest: try #require(Digest(hex: String(repeating: "ab", count: 32))), size: 1 << 33)])
      #expect(
        other?.content == .blob(.init(digest: try #require(Digest(hex: String(repeating: "cd", count: 32))), size: 7)))
    }
  }
}
