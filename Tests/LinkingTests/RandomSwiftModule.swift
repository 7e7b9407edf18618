import SystemPackage
import TestSupport

@testable import LinkSupport

/// Two files of a Swift module, and copies of it: the same once more, or a version where something was changed.
struct RandomSwiftModule: Sendable {
  var name: String
  /// Of each declaration its text and the file that it is in.
  private var declarations: [(text: String, isInSecond: Bool)] = []

  /// Each stands by itself; what others refer to is always there.
  private static let always = [
    "public protocol Titled { func title() }",
    "public struct Box<T> { public var value: T ; public func get() -> T { value } }",
    "public final class Story: Titled { public func title() { helper0() } }",
    "open class Base { public init() {} ; open func run() {} }",
    "public func helper0() {}",
  ]
  private static let sometimes = [
    "public class Sub: Base { override public func run() { helper0() } }",
    "public func makeBase() -> Base { Sub() }\npublic class Sub: Base {}",
    "public enum Kind { case one, two(Story) }",
    "extension Story { public func add(_ box: Box<Story>) { title() } }",
    "extension Box { public func map<U>(_ f: (T) -> U) -> U { f(value) } }",
    "public func open(_ box: Box<Story>) -> Story { box.get() }",
    "@inline(never) func helper1() { own() }\nprivate func own() {}",
    "@inlinable public func helper2<T>(_ value: T) -> T { value }",
    "@_cdecl(\"shared_helper\") public func sharedHelper() { helper0() }",
    "@_silgen_name(\"entry\") public func entry() {}",
    "extension Base: Titled { public func title() { run() } }",
    "public struct Pair { public var first: Story ; public var second: Base }",
  ]
  /// The first two define one class.
  private static let exclusive = 2

  init(_ name: String, _ random: inout Seeded) {
    self.name = name
    var chosen = Self.sometimes.dropFirst(Self.exclusive).filter { text in
      // What is no name of the module's own clashes with all others.
      text.hasPrefix("@_") ? random.once(in: 5) : random.once(in: 2)
    }
    chosen.append(Self.sometimes[random.number(Self.exclusive)])
    declarations = (Self.always + chosen).map { ($0, random.once(in: 2)) }
  }

  /// With something left out, more, or elsewhere.
  func varied(_ random: inout Seeded) -> RandomSwiftModule {
    var copy = self
    let own = Self.always.count..<copy.declarations.count
    switch random.number(4) {
    case 0: copy.declarations.remove(at: random.number(own.count) + own.lowerBound)
    case 1:
      copy.declarations.append(("public final class Addition: Titled { public func title() {} }", random.once(in: 2)))
    case 2: copy.declarations[random.number(copy.declarations.count)].isInSecond.toggle()
    default:
      copy.declarations[2].text = copy.declarations[2].text.replacing("helper0()", with: "helper0(); helper0()")
    }
    return copy
  }

  /// Its two object files.
  func compiled(_ flags: [String]) async throws -> [DrawnObject] {
    let scratch = Scratch()
    // Without the standard library there is no precedence of `=`.
    let first = "precedencegroup AssignmentPrecedence { assignment: true }\n"
    for (file, isSecond) in [("A", false), ("B", true)] {
      let texts = declarations.filter { $0.isInSecond == isSecond }.map(\.text)
      try scratch.write("\(file).swift", (isSecond ? "" : first) + texts.joined(separator: "\n") + "\n")
    }
    try await Tool.check(
      ["swiftc", "-frontend", "-c", "-parse-stdlib", "-parse-as-library", "-enable-objc-interop", "-module-name", name]
        + ["-target", "arm64-apple-ios13.0", "-primary-file", "A.swift", "-primary-file", "B.swift"]
        + ["-o", "A.o", "-o", "B.o"] + flags, in: scratch.path)
    var objects: [DrawnObject] = []
    for file in ["A", "B"] {
      func names(_ flags: String) async throws -> [String] {
        try await Tool.check(["llvm-nm-19", flags, "\(file).o"], in: scratch.path).split(separator: "\n").map(
          String.init)
      }
      let definitions = try await names("-gUj")
      let all = try await names("-Uj")
      objects.append(
        DrawnObject(
          name: "\(name)\(file).o", content: try scratch.read("\(file).o"), definitions: definitions,
          locals: Array(Set(all).subtracting(definitions))))
    }
    return objects
  }
}
