import Foundation
import SystemPackage
import Testing
import TestSupport

/// The same inputs give the same bytes wherever, whenever and by whomever they are packed.
@Suite struct ReproducibilityTests {
  /// What differs from the first build, and how the second one is made.
  enum Difference: String, CaseIterable {
    case zone, language, mask, folder, oneJob, manyJobs, times, creationOrder, user
  }

  /// Only root can run the tool as somebody else.
  private static let possible = Difference.allCases.filter { $0 != .user || getuid() == 0 }

  @Test(arguments: possible) func sameBytes(_ difference: Difference) async throws {
    let first = try await ExamplePlugin.packed.value
    let second = Scratch()
    let folder = difference == .folder ? "a b/ü/deeper" : "plugin"
    try await ExamplePlugin.copy(to: second, as: folder)
    var words: [String] = []
    var environment: [String: String?] = [:]
    var wrapper: [String] = []
    var binary = Scenario.binary.string
    switch difference {
    case .zone: environment["TZ"] = "Pacific/Kiritimati"
    case .language: environment = ["LANG": "tr_TR.UTF-8", "LC_ALL": "tr_TR.UTF-8"]
    case .mask: wrapper = ["sh", "-c", "umask 077; exec \"$@\"", "sh"]
    case .folder: break
    case .oneJob: words = ["-j", "1"]
    case .manyJobs: words = ["-j", "8"]
    case .times:
      try await Tool.check(["sh", "-c", "find . -type f | xargs touch -d '2001-02-03 04:05:06'"], in: second(folder))
    case .creationOrder: try await recreate(second(folder))
    case .user:
      // Who may go through the folders above the binary is not ours to say.
      binary = second("npi-pack").string
      try await Tool.check(["cp", Scenario.binary.string, binary])
      // Another user owns the copy and runs the tool, with a home of its own.
      try await Tool.check(["chmod", "-R", "a+rwX", second.path.string])
      wrapper = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "env", "HOME=\(second.path)"]
    }
    try await Tool.check(wrapper + [binary] + words, in: second(folder), environment: environment)
    for output in ExamplePlugin.outputs {
      let a = try first.read("plugin/\(output)")
      let b = try second.read("\(folder)/\(output)")
      #expect(a == b, "\(output) differs by \(difference)")
    }
  }

  /// The same files, made in the opposite order, so that the file system lists them otherwise.
  private func recreate(_ folder: FilePath) async throws {
    try await Tool.check(
      [
        "sh", "-c",
        """
        for part in ios android; do
          mv $part old
          find old -depth -type f | sort -r | while read f; do
            d=$part/${f#old/}; mkdir -p "$(dirname "$d")" && cp "$f" "$d"
          done
          rm -r old
        done
        """,
      ],
      in: folder)
  }

  @Test func sourceDateEpochDatesTheEntries() async throws {
    let scratch = Scratch()
    try await ExamplePlugin.copy(to: scratch)
    try await ExamplePlugin.pack(
      scratch("plugin"), environment: ["SOURCE_DATE_EPOCH": "1700000000", "TZ": "Asia/Tokyo"])
    let listing = try await Tool.check(
      [
        "python3", "-c", "import sys, zipfile; print({i.date_time for i in zipfile.ZipFile(sys.argv[1]).infolist()})",
        scratch("plugin").pushing(FilePath(ExamplePlugin.zip)).string,
      ])
    #expect(listing == "{(2023, 11, 14, 22, 13, 20)}\n")
  }
}
