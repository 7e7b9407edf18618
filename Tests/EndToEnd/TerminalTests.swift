import SystemPackage
import TestSupport
import Testing

/// A build as somebody at a terminal sees it: through a pseudo-terminal of Python's.
@Suite struct TerminalTests {
  @Test func statusLineWithABarOnLongWork() async throws {
    let scratch = Scratch()
    try scratch.write(
      "npi.yml",
      """
      name: A
      version: 1.0
      rules: { missing-library: off }
      deliverables: { ios: { kind: ios-zip, items: [large] } }
      """)
    try await Tool.check(["truncate", "-s", "64M", scratch("large").string])
    let program = """
      import os, pty, sys
      pid, fd = pty.fork()
      if pid == 0:
          os.execv(sys.argv[1], sys.argv[1:])
      out = b""
      try:
          while part := os.read(fd, 65536): out += part
      except OSError: pass
      sys.stdout.buffer.write(out.replace(b"\\x1b", b"<esc>").replace(b"\\r", b"<cr>"))
      sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
      """
    let shown = try await Tool.check(
      ["python3", "-c", program, Scenario.binary.string], in: scratch.path, environment: ["TERM": "xterm"])
    #expect(shown.contains("<cr><esc>[K[1/2] ios-zip A-1.0-ios.zip<cr>"), "\(shown)")
    #expect(shown.contains("ios-zip A-1.0-ios.zip [====================] 64/64 MB"), "\(shown)")
    // The status line is gone when the results come.
    #expect(shown.contains("<cr><esc>[Kmade dist/A-1.0-ios.zip"), "\(shown)")
  }
}
