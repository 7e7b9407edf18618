import Store
import SystemPackage
import Testing
import TestSupport

@testable import BuildEngine

/// Against the index that git itself writes.
@Suite struct GitIndexTests {
  @Test(arguments: [2, 3, 4], ["sha1", "sha256"]) func whatGitTracksIsFound(_ version: Int, _ format: String)
    async throws
  {
    let scratch = Scratch()
    let long = String(repeating: "long", count: 50)
    for name in ["a", "ios/A.m", "ios/deep/b", "ios/deep/\(long)", "iosx", "plugins/p/src/x.c", "z"] {
      try scratch.write(name, name)
    }
    // An entry that is only meant to be added has more flags, in version 3.
    let script = """
      git init -q --object-format=\(format) . && git add a ios iosx plugins && git add -N z && git update-index --index-version \(version)
      mkdir -p new/empty && touch new/untracked
      """
    try await Tool.check(["sh", "-ec", script], in: scratch.path)
    let index = try #require(GitIndex(RealDisk(scratch.path)))
    #expect(index.first(below: "ios") == "ios/A.m")
    #expect(index.first(below: "ios/deep")?.string.hasPrefix("ios/deep/") == true)
    for folder in ["new", "io", "iosx", "z", "a", "ios/A.m", "src"] {
      #expect(index.first(below: FilePath(folder)) == nil)
    }
    let below = try #require(GitIndex(RealDisk(scratch("plugins/p"))))
    #expect(below.first(below: "src") == "src/x.c" && below.first(below: "ios") == nil)
    // A worktree has a file in place of the folder.
    try await Tool.check(
      [
        "sh", "-ec",
        "git -c user.name=a -c user.email=a commit -qm a && git worktree add -q ../\(scratch.path.lastComponent?.string ?? "")-w && ln -s \"$PWD-w\" w",
      ],
      in: scratch.path)
    let tree = try FileSystem.realPath(scratch("w"))
    #expect(try #require(GitIndex(RealDisk(tree))).first(below: "ios") == "ios/A.m")
    try await Tool.check(["rm", "-r", tree.string])
    // Cut off anywhere, it is no reason to fail.
    let bytes = try scratch.read(".git/index")
    for count in 0..<bytes.count {
      _ = GitIndex(bytes: Array(bytes[..<count]), nameLength: format == "sha1" ? 20 : 32).first(below: "zz")
    }
  }
}
