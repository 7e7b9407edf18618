import Foundation
import SystemPackage
import TestSupport

extension Bench {
  /// A release into a Maven repository with 500 versions: its list is continued, and a module of 10 MB gets its
  /// checksums. The peer is a script that writes the same files and keeps nothing. Both write through to the disk.
  mutating func maven() async throws {
    let scratch = Scratch()
    var random = Seeded(seed: 3)
    try scratch.write("big.jar", (0..<10 << 20).map { _ in UInt8.random(in: 0...255, using: &random) })
    let versions = (0..<500).map { "<version>1.\($0)</version>" }.joined(separator: "\n      ")
    try scratch.write(
      "repository/com/example/rally/maven-metadata.xml",
      """
      <metadata><groupId>com.example</groupId><artifactId>rally</artifactId>
        <versioning><latest>1.499</latest><release>1.499</release><versions>
            \(versions)
        </versions></versioning></metadata>
      """)
    for version in 0..<500 {
      try scratch.write("repository/com/example/rally/1.\(version)/rally-1.\(version).jar", "PK\(version)")
    }
    try scratch.write(
      "npi.yml",
      """
      name: rally
      version: "1.500"
      deliverables: { maven: { kind: maven, of: big.jar, group: com.example, repository: repository } }
      """)
    try scratch.write("merge.py", Bench.mergeByHand)
    var times: [Double] = []
    try await compare("a Maven repository with 500 versions", with: "a script", rounds: 7) {
      for folder in [".npi", "dist"] { try? FileManager.default.removeItem(atPath: scratch(folder).string) }
      times.append(try await Bench.seconds { try await Tool.check([Bench.tool, "--quiet"], in: scratch.path) })
    } theirs: {
      try? FileManager.default.removeItem(atPath: scratch("theirs").string)
      try await Tool.check(["python3", "merge.py"], in: scratch.path)
    }
    let time = Bench.median(times)
    report("  merged in \(Bench.text(time)) s", (time < 1, "under a second"))
    let list = "com/example/rally/maven-metadata.xml"
    let program = """
      import sys, xml.etree.ElementTree as E
      print(*(v.text for v in E.parse(sys.argv[1]).iter('version')))
      """
    let ours = try await Tool.check(["python3", "-c", program, "dist/maven/\(list)"], in: scratch.path)
    let theirs = try await Tool.check(["python3", "-c", program, "theirs/\(list)"], in: scratch.path)
    guard ours == theirs else { throw ToolError("the lists of versions differ") }
  }

  private static let mergeByHand = """
    import hashlib, os, shutil, xml.etree.ElementTree as E
    root = 'theirs/com/example/rally'
    os.makedirs(root + '/1.500')
    tree = E.parse('repository/com/example/rally/maven-metadata.xml')
    v = tree.find('versioning')
    v.find('latest').text = v.find('release').text = '1.500'
    E.SubElement(v.find('versions'), 'version').text = '1.500'
    def put(path, data):
        with open(path, 'wb') as f:
            f.write(data); f.flush(); os.fsync(f.fileno())
    def release(path, data):
        put(path, data)
        for name in 'md5', 'sha1', 'sha256', 'sha512':
            put(path + '.' + name, hashlib.new(name, data).hexdigest().encode())
    release(root + '/maven-metadata.xml', E.tostring(tree.getroot()))
    release(root + '/1.500/rally-1.500.jar', open('big.jar', 'rb').read())
    release(root + '/1.500/rally-1.500.pom', b'<project/>')
    release(root + '/1.500/rally-1.500.module', b'{}')
    """
}
