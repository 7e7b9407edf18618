import Lanes
import Testing
import TestSupport

import Remote
@testable import RemoteClients

@Suite struct TransfersTests {
  private func request(_ server: CacheServer) -> HTTPRequest {
    HTTPRequest(
      method: .get, url: server.url + "/cas/none", sink: .memory(limit: 100), milliseconds: 5000, patience: 5000)
  }

  /// The thread ends as soon as it may, again and again, and every request is answered.
  @Test(.tools, .timeLimit(.minutes(20))) func `no request is lost when the thread ends`() async throws {
    let server = try CacheServer()
    try server.set(delay: 0.05)
    let transfers = Transfers(HTTPAccess(), maxIdle: 0)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<40 {
        let request = request(server)
        group.addTask {
          try await Task.sleep(for: .milliseconds(30 * number))
          return try await transfers.perform(request).get().status
        }
      }
      for try await status in group { #expect(status == 404) }
    }
    #expect(try server.reply.log.count == 40)
  }

  @Test(.tools) func `a cancelled request ends at once`() async throws {
    let server = try CacheServer()
    try server.set("silent")
    let transfers = Transfers(HTTPAccess())
    let request = request(server)
    for pause in [0, 100] {
      let task = Task { await transfers.perform(request) }
      try await Task.sleep(for: .milliseconds(pause))
      task.cancel()
      guard case .failure(let failure) = await task.value else {
        Issue.record("it was answered")
        continue
      }
      #expect(failure.kind == .cancelled)
    }
  }
}
