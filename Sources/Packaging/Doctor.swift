import Artifacts
import BuildEngine
package import Findings
package import Remote
import Rules
import Store
import Subprocess
import SystemPackage

/// The command `doctor`: what this machine has of what a manifest needs.
package struct Doctor: Sendable {
  package private(set) var lines: [String] = []
  /// Whether nothing is missing.
  package private(set) var isWell = true

  package init(_ project: Project, _ remote: RemoteSettings?) async throws(Mistakes) {
    do {
      try await addPrograms(of: project)
      addSandbox(of: project)
      let caches = try await CacheReport.status(remote)
      lines += caches.lines
      isWell = isWell && caches.isWell
    } catch {
      throw Mistakes(from: error)
    }
  }

  // MARK: Programs

  private mutating func addPrograms(of project: Project) async throws {
    let steps = try project.graph(policy: try FindingPolicy()).steps
    defer { for step in steps { addSurroundings(of: step) } }
    let disk = try RealDisk(project.root)
    let made = Set(steps.flatMap(\.outputs))
    var users: [Program: [String]] = [:]
    for step in steps { for program in step.action.programs { users[program, default: []].append(step.name) } }
    users[Program(word: "git")] = []
    for (program, users) in users.sorted(by: { $0.key.word < $1.key.word }) {
      let word = program.word
      if let path = program.pathInTree, made.contains(path) {
        lines.append("program: \(word), which a step makes")
      } else if let path = try? program.path(on: disk, .current) {
        // A step's own PATH may lead into the tree, of which nothing is run here.
        let version = program.searchPath == nil ? await Doctor.version(of: word, at: path) : nil
        lines.append("program: \(word): \(path)\(version.map { ", \($0)" } ?? "")")
      } else if users.isEmpty {
        lines.append("program: \(word): missing; release and --version-from need it")
      } else {
        isWell = false
        let package = Doctor.packages[word].map { ": install \($0)" } ?? ""
        lines.append(
          "program: \(word): missing; \(listed(users, limit: 3)) \(users.count == 1 ? "needs" : "need") it\(package)")
      }
    }
  }

  // MARK: SDKs and secrets

  /// Variables that lead to what a step's program works with, and to nothing else.
  private static let kits: Set<String> = [
    "ANDROID_HOME", "ANDROID_NDK_HOME", "ANDROID_SDK_ROOT", "DEVELOPER_DIR", "JAVA_HOME", "SDKROOT",
  ]

  /// A command has no other environment than its step's, so that an SDK of this machine counts only if the step names it.
  private mutating func addSurroundings(of step: Step) {
    for name in step.action.secrets {
      let isSet = HostProcess.variable(name) != nil
      lines.append("secret: \(name): \(isSet ? "set" : "not set; \(step.name) needs it")")
      isWell = isWell && isSet
    }
    guard let command = step.action as? CommandAction else { return }
    for (name, value) in command.environment where Doctor.kits.contains(name) {
      let isThere = (try? FileSystem.status(of: FilePath(value), followingLinks: true))?.kind == .directory
      lines.append("kit: \(name) of \(step.name): \(value)\(isThere ? "" : ", which is not there")")
      isWell = isWell && isThere
    }
    let isGradle = command.words.first.map { ["gradle", "gradlew"].contains($0.lastPathPart) } ?? false
    if isGradle, !command.environment.contains(where: { $0.name.hasPrefix("ANDROID_") }) {
      lines.append("kit: \(step.name) names no Android SDK (env: {ANDROID_HOME: …})")
    }
  }

  /// The package to install for a program, where it has another name.
  private static let packages: [String: String] = {
    #if os(macOS)
      let (jdk, native) = ("openjdk@17 (brew)", "Xcode's command line tools: xcode-select --install")
      return [
        "javac": jdk, "java": jdk, "jar": jdk, "clang": native, "make": native, "libtool": native, "lipo": native,
        "cmake": "cmake (brew)", "ninja": "ninja (brew)",
      ]
    #else
      let (jdk, llvm) = ("openjdk-17-jdk-headless", "a Swift toolchain, or LLVM")
      return [
        "javac": jdk, "java": jdk, "jar": jdk, "clang": llvm, "llvm-ar": llvm, "llvm-lipo": "llvm", "aapt2": "aapt",
        "ninja": "ninja-build", "xcodebuild": "Xcode, on a Mac", "xcrun": "Xcode, on a Mac", "bwrap": "bubblewrap",
      ]
    #endif
  }()

  /// Programs that are known to print a version and nothing else: others may do anything when they are run.
  private static let versioned: Set<String> = [
    "clang", "clang++", "cmake", "gcc", "git", "java", "javac", "llvm-ar", "llvm-lipo", "make", "ninja", "node",
    "python3",
    "ruby", "swift", "swiftc",
  ]

  /// The first line of `--version`; nil if there is none within some seconds.
  private static func version(of word: String, at path: FilePath) async -> String? {
    guard versioned.contains(word) else { return nil }
    return await withTaskGroup(of: String?.self) { group in
      group.addTask {
        let result = try? await Subprocess.run(
          .path(path), arguments: ["--version"], output: .string(limit: 64 << 10), error: .discarded)
        return result?.standardOutput.lines.first { !$0.isEmpty }.map { String($0) }
      }
      group.addTask {
        try? await Task.sleep(for: .seconds(5))
        return nil
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
  }

  // MARK: Sandbox

  private mutating func addSandbox(of project: Project) {
    do {
      _ = try project.sandbox(true, BuildOptions()) { _ in }
      lines.append("sandbox: bubblewrap can run")
    } catch {
      let reason = error.all.first?.message.replacingText("--sandbox: ", with: "") ?? ""
      lines.append("sandbox: none: \(reason)")
    }
  }
}
