import TestSupport

@testable import LinkSupport

/// What clang leaves of a file for link-time optimisation, drawn by chance, as text for `llvm-as-19`. Its names are those of
/// `RandomObject`.
struct RandomModule: Sendable {
  var name: String
  private(set) var definitions: [String] = []
  private(set) var locals: [String] = []
  private var lines: [String] = []
  private var own: Set<String> = []
  private var used: Set<String> = []
  private var kept: [String] = []

  var text: String {
    let declarations = used.subtracting(own).sorted().map { name in
      name.hasPrefix("f") || name.hasPrefix("use") ? "declare void @\(name)()" : "@\"\(name)\" = external global i64"
    }
    let list = kept.map { "ptr @\"\($0)\"" }.joined(separator: ", ")
    let keeping =
      kept.isEmpty
      ? [] : ["@llvm.used = appending global [\(kept.count) x ptr] [\(list)], section \"llvm.metadata\""]
    return (declarations + lines + keeping).joined(separator: "\n") + "\n"
  }

  init(_ number: Int, of count: Int, names: Int, _ random: inout Seeded) {
    name = "o\(number).o"
    function("use\(number)", "", (0..<random.number(4)).map { _ in Self.reference(count, names, &random) })
    for _ in 0..<(1 + random.number(4)) {
      let index = random.number(names)
      switch random.number(12) {
      case 0...5:
        let calls = random.once(in: 3) ? [Self.reference(count, names, &random)] : []
        function("f\(index)", Self.linkage(&random), calls)
      case 6, 7: variable("d\(index)", Self.linkage(&random), count: 1 + random.number(4))
      case 8, 9: common("d\(index)", &random)
      case 10: alias("f\(index)", of: "use\(number)", &random)
      default:
        // Here for the optimiser only: for all others it is a reference.
        function("f\(index)", "available_externally", [])
      }
    }
    if random.once(in: 5) { addClass("C\(random.number(3))", number) }
    if random.once(in: 8) { list("__objc_catlist", of: "use\(number)", number) }
    if random.once(in: 8) { list("__mod_init_func,mod_init_funcs", of: "use\(number)", number) }
    if random.once(in: 8), let name = own.sorted().first { kept.append(name) }
  }

  private static func linkage(_ random: inout Seeded) -> String {
    let linkages = [
      "", "", "", "hidden", "weak", "weak", "weak_odr", "weak hidden", "linkonce", "linkonce_odr",
      "linkonce_odr hidden",
      "unnamed", "internal",
    ]
    return linkages[random.number(linkages.count)]
  }

  private static func reference(_ count: Int, _ names: Int, _ random: inout Seeded) -> String {
    switch random.number(6) {
    case 0...2: "f\(random.number(names))"
    case 3: "d\(random.number(names))"
    case 4: "use\(random.number(count))"
    default: "OBJC_CLASS_$_C\(random.number(3))"
    }
  }

  /// Whether the name is free; it is this file's from now on.
  private mutating func take(_ name: String, _ linkage: String) -> Bool {
    guard own.insert(name).inserted else { return false }
    switch linkage {
    case "internal": locals.append("_\(name)")
    case "available_externally": break
    default: definitions.append("_\(name)")
    }
    return true
  }

  private mutating func function(_ name: String, _ linkage: String, _ calls: [String]) {
    guard take(name, linkage) else { return }
    let words = linkage == "unnamed" ? ("linkonce_odr", "unnamed_addr") : (linkage, "")
    lines.append("define \(words.0) void @\(name)() \(words.1) {")
    for (number, target) in calls.enumerated() {
      used.insert(target)
      lines.append(
        target.hasPrefix("f") || target.hasPrefix("use")
          ? "call void @\(target)()" : "%v\(number) = load volatile i8, ptr @\"\(target)\"")
    }
    lines += ["ret void", "}"]
  }

  private mutating func variable(_ name: String, _ linkage: String, count: Int) {
    guard take(name, linkage) else { return }
    // A constant, if its address says nothing.
    let words = linkage == "unnamed" ? "linkonce_odr unnamed_addr constant" : "\(linkage) global"
    lines.append("@\(name) = \(words) [\(count) x i32] [\((0..<count).map { "i32 \($0)" }.joined(separator: ", "))]")
  }

  private mutating func common(_ name: String, _ random: inout Seeded) {
    guard take(name, "common") else { return }
    let scope = random.once(in: 5) ? "hidden " : ""
    lines.append(
      "@\(name) = common \(scope)global [\(1 << random.number(3)) x i32] zeroinitializer, align \(1 << random.number(5))"
    )
  }

  private mutating func alias(_ name: String, of target: String, _ random: inout Seeded) {
    let linkage = ["", "", "hidden", "weak"][random.number(4)]
    guard take(name, linkage) else { return }
    lines.append("@\(name) = \(linkage) alias void (), ptr @\(target)")
  }

  private mutating func addClass(_ name: String, _ number: Int) {
    for symbol in ["OBJC_CLASS_$_\(name)", "OBJC_METACLASS_$_\(name)"] {
      guard take(symbol, "") else { continue }
      lines.append("@\"\(symbol)\" = global [5 x ptr] zeroinitializer, section \"__DATA, __objc_data\", align 8")
    }
    list("__objc_classlist,regular,no_dead_strip", of: "OBJC_CLASS_$_\(name)", number)
  }

  /// A list that the runtime reads.
  private mutating func list(_ section: String, of target: String, _ number: Int) {
    let name = "list\(number).\(kept.count)"
    lines.append("@\"\(name)\" = private global [1 x ptr] [ptr @\"\(target)\"], section \"__DATA,\(section)\", align 8")
    kept.append(name)
  }
}
