import Foundation
package import SystemPackage
import TestSupport

/// The benchmark's material: 200 MB of iOS static libraries, made here so that nobody has to ship them.
///
/// Generated C and Objective-C is compiled by the toolchain's clang for arm64, armv7 and armv7s, with and without debug
/// information, and bound into fat libraries of a few KB to 60 MB. The compiled base is about 60 MB; libraries draw their
/// members from it, some more than once. That does not flatter a compressor: deflate looks 32 KB back, and a repeated
/// member is always farther away than that.
package struct Corpus {
  /// Raise this when the generator changes: it names the cache's folder.
  static let version = 3

  package let tree: FilePath

  /// Makes the corpus under `cache`, or finds it there.
  package static func make(in cache: FilePath) throws -> Corpus {
    let home = cache.appending("v\(version)")
    let tree = home.appending("tree")
    if FileManager.default.fileExists(atPath: home.appending("complete").string) { return Corpus(tree: tree) }
    print("making the corpus in \(home) (once, about two minutes)")
    let objects = home.appending("objects")
    try? FileManager.default.removeItem(atPath: home.string)
    try FileManager.default.createDirectory(atPath: objects.string, withIntermediateDirectories: true)
    let members = try compile(into: objects)
    try bind(members, into: tree)
    try FileManager.default.removeItem(atPath: objects.string)
    try Data().write(to: URL(fileURLWithPath: home.appending("complete").string))
    return Corpus(tree: tree)
  }

  // MARK: compiling

  /// The same source's object file for each architecture.
  private struct Member {
    let name: String
    let slices: [FilePath]
  }

  private static let architectures = ["arm64", "armv7", "armv7s"]

  private static func compile(into folder: FilePath) throws -> [Member] {
    var members: [Member] = []
    var commands: [[String]] = []
    for index in 0..<96 {
      var source = SourceGenerator(seed: UInt64(index) &+ 41)
      let objectiveC = index % 3 == 1
      // From a helper of a few functions to a whole generated parser, as libraries have them.
      let functions = [6, 18, 40, 70, 130, 260][index % 6]
      let file = folder.appending("s\(index)." + (objectiveC ? "m" : "c"))
      try source.unit(functions: functions, objectiveC: objectiveC)
        .write(toFile: file.string, atomically: false, encoding: .utf8)
      var slices: [FilePath] = []
      for architecture in architectures {
        let object = folder.appending("s\(index)-\(architecture).o")
        var command = ["clang", "-c", "-target", "\(architecture)-apple-ios10.0", "-ffreestanding", "-w"]
        command += [["-Os", "-O2", "-O0"][index % 3 == 2 ? 2 : index % 2]]
        if index % 2 == 0 { command += ["-g"] }
        if objectiveC { command += ["-fobjc-runtime=ios-10.0"] }
        commands.append(command + [file.string, "-o", object.string])
        slices.append(object)
      }
      members.append(Member(name: source.word() + "_\(index).o", slices: slices))
    }
    try run(commands)
    return members
  }

  /// Runs commands, as many at a time as there are cores.
  static func run(_ commands: [[String]]) throws {
    let cores = max(1, ProcessInfo.processInfo.activeProcessorCount)
    var running: [Process] = []
    for command in commands {
      if running.count >= cores { try finish(running.removeFirst()) }
      running.append(try start(command))
    }
    for process in running { try finish(process) }
  }

  private static func start(_ command: [String]) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    try process.run()
    return process
  }

  private static func finish(_ process: Process) throws {
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw ToolError("a compiler refused a generated source") }
  }

  // MARK: binding

  /// Fat libraries of these sizes, in MB, all their slices together; they add up to about 200.
  private static let sizes = [
    60.0, 34, 24, 18, 14, 10, 8, 6.5, 5, 4.1, 3.5, 3, 2.4, 2, 1.5, 1.2, 1, 0.8, 0.6, 0.4, 0.2,
  ]

  private static func bind(_ members: [Member], into tree: FilePath) throws {
    var random = Seeded(seed: 7)
    let loaded = try members.map { member in
      (member.name, try member.slices.map { try Data(contentsOf: URL(fileURLWithPath: $0.string)) })
    }
    var small = loaded.sorted { $0.1[0].count < $1.1[0].count }.makeIterator()
    for (index, megabytes) in sizes.enumerated() {
      var order: [Int] = []
      var archives = architectures.map { _ in Data("!<arch>\n".utf8) }
      while Double(archives.reduce(0) { $0 + $1.count }) < megabytes * 1_000_000 {
        if order.isEmpty { order = loaded.indices.shuffled(using: &random) }
        let (name, slices) = loaded[order.removeLast()]
        for slice in slices.indices { append(slices[slice], named: name, to: &archives[slice]) }
      }
      let folder = tree.appending("Vendor/Library\(index)/lib")
      try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
      try fat(archives).write(to: URL(fileURLWithPath: folder.appending("libVendor\(index).a").string))
    }
    for index in 0..<24 {
      guard let (name, slices) = small.next() else { break }
      var archive = Data("!<arch>\n".utf8)
      append(slices[index % 3], named: name, to: &archive)
      let folder = tree.appending("Small")
      try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
      try archive.write(to: URL(fileURLWithPath: folder.appending("libSmall\(index).a").string))
    }
  }

  /// A BSD `ar` member with its name in front of its content, as `libtool -D` writes it.
  private static func append(_ object: Data, named name: String, to archive: inout Data) {
    let padded = name + String(repeating: "\0", count: 8 - name.utf8.count % 8)
    let header =
      field("#1/\(padded.utf8.count)", 16) + field("0", 12) + field("0", 6) + field("0", 6) + field("100644", 8)
      + field("\(padded.utf8.count + object.count)", 10) + "`\n"
    archive.append(Data((header + padded).utf8))
    archive.append(object)
    if archive.count % 2 == 1 { archive.append(10) }
  }

  private static func field(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: width - text.utf8.count)
  }

  private static func fat(_ slices: [Data]) -> Data {
    let types: [(UInt32, UInt32)] = [(0x0100_000C, 0), (12, 9), (12, 11)]
    var header: [UInt32] = [0xCAFE_BABE, UInt32(slices.count)]
    var body = Data()
    let start = 4096
    for (index, slice) in slices.enumerated() {
      while (start + body.count) % 8 != 0 { body.append(0) }
      header += [types[index].0, types[index].1, UInt32(start + body.count), UInt32(slice.count), 3]
      body.append(slice)
    }
    var data = Data(header.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } })
    data.append(Data(count: start - data.count))
    return data + body
  }
}
