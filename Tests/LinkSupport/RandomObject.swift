import TestSupport

/// An object file drawn by chance, as text for the assembler, and what a test must know of it.
struct RandomObject: Sendable {
  var name: String
  var text = ""
  /// What others see of it and could have elsewhere.
  var definitions: [String] = []
  /// What is its own.
  var locals: [String] = []

  /// So many names of functions and of data all objects of a group draw from: the more, the fewer duplicates.
  static let names = 14

  init(_ number: Int, of count: Int, names: Int = RandomObject.names, _ random: inout Seeded) {
    name = "o\(number).o"
    var text = Assembly()
    var taken: Set<String> = []
    if random.once(in: 5) {
      let name = "_f\(random.number(names))"
      text.absolute(name, 40)
      definitions.append(name)
      taken.insert(name)
    }
    // Its own function, for which others can load it.
    let own = "_use\(number)"
    var references = (0..<random.number(4)).map { _ in Self.reference(count, names, &random) }
    if random.once(in: 3) { references.append(".weak_reference") }
    text.code("\(own)", .global, calls: references)
    definitions.append(own)
    for _ in 0..<(1 + random.number(4)) {
      let index = random.number(names)
      switch random.number(12) {
      case 0...4:
        guard taken.insert("_f\(index)").inserted else { continue }
        let scope = Scope.drawn(&random)
        let calls = random.once(in: 3) ? [Self.reference(count, names, &random)] : []
        text.code("_f\(index)", scope, calls: calls)
        scope == .local ? locals.append("_f\(index)") : definitions.append("_f\(index)")
      case 5...7:
        guard taken.insert("_d\(index)").inserted else { continue }
        let scope = Scope.drawn(&random)
        text.data("_d\(index)", scope, alignment: random.number(5), words: 1 + random.number(4))
        scope == .local ? locals.append("_d\(index)") : definitions.append("_d\(index)")
      case 8, 9:
        guard taken.insert("_d\(index)").inserted else { continue }
        text.common(
          "_d\(index)", size: 4 << random.number(3), alignment: random.number(4), isHidden: random.once(in: 5))
        definitions.append("_d\(index)")
      default:
        guard taken.insert("_f\(index)").inserted else { continue }
        text.alias("_f\(index)", of: own)
        definitions.append("_f\(index)")
      }
    }
    for _ in 0..<(random.once(in: 4) ? 1 + random.number(4) : 0) { addLabel(&text, &taken, &random) }
    if random.once(in: 4) { text.lines.append(Self.build(&random)) }
    let hasObjC = random.once(in: 3)
    if hasObjC { addObjC(number, &text, &random) }
    if random.once(in: 12) { text.option("-l\(["x", "y", "none"][random.number(3)])") }
    if random.once(in: 12) { text.initializer(own) }
    // lld's comparison of categories takes it for granted that metadata is cut at its symbols.
    if hasObjC || !random.once(in: 6) { text.lines.append(".subsections_via_symbols") }
    self.text = text.lines.joined(separator: "\n") + "\n"
  }

  private static func reference(_ count: Int, _ names: Int, _ random: inout Seeded) -> String {
    switch random.number(6) {
    case 0...2: "_f\(random.number(names))"
    case 3: random.once(in: 4) ? "\(["l", "_s"][random.number(2)])00\(random.number(4))" : "_d\(random.number(names))"
    case 4: "_use\(random.number(count))"
    default: "_OBJC_CLASS_$_C\(random.number(3))"
    }
  }

  /// A label on what linkers put together anew, as `ld -r` leaves them.
  private mutating func addLabel(_ text: inout Assembly, _ taken: inout Set<String>, _ random: inout Seeded) {
    let name = "\(["l", "L", "_s"][random.number(3)])00\(random.number(4))"
    guard taken.insert(name).inserted else { return }
    let (section, content) = Assembly.labelled[random.number(Assembly.labelled.count)]
    text.label(name, [.global, .hidden, .hidden, .weak][random.number(4)], section, content)
    definitions.append(name)
  }

  /// What it is built for: seldom for something else than the link.
  private static func build(_ random: inout Seeded) -> String {
    switch random.number(12) {
    case 0: ".build_version \(["tvos", "iossimulator", "macos", "macCatalyst"][random.number(4)]), 13, 0"
    case 1, 2: ".build_version ios, 16, 0"
    default: ".build_version ios, \(11 + random.number(3)), 0"
    }
  }

  private mutating func addObjC(_ number: Int, _ text: inout Assembly, _ random: inout Seeded) {
    func methods() -> [String] {
      Array(Set((0..<random.number(3)).map { _ in random.once(in: 8) ? "load" : "m\(random.number(3))" })).sorted()
    }
    let index = random.number(3)
    // Apple's linker looks at categories only if it has seen one. Compilers of before 2016 did not set the flag.
    let flags = random.once(in: 10) ? 0 : 64
    text.lines += [".section __DATA,__objc_imageinfo,regular,no_dead_strip", ".long 0, \(flags)"]
    if random.once(in: 2) {
      text.objcClass("C\(index)", instance: methods(), own: methods())
      definitions += ["_OBJC_CLASS_$_C\(index)", "_OBJC_METACLASS_$_C\(index)"]
    }
    if random.once(in: 2) {
      let other = random.number(4)
      text.category("K\(number)", on: other == 3 ? "Outside" : "C\(other)", instance: methods(), own: methods())
    }
  }
}

/// Who sees a definition.
enum Scope: Sendable {
  case local, global, hidden, weak, weakHidden, autoHide

  static func drawn(_ random: inout Seeded) -> Scope {
    switch random.number(12) {
    case 0...3: .global
    case 4...7: .weak
    case 8: .hidden
    case 9: .weakHidden
    case 10: .autoHide
    default: .local
    }
  }

  func lines(_ name: String) -> [String] {
    switch self {
    case .local: []
    case .global: [".globl \(name)"]
    case .hidden: [".globl \(name)", ".private_extern \(name)"]
    case .weak: [".globl \(name)", ".weak_definition \(name)"]
    case .weakHidden: [".globl \(name)", ".weak_definition \(name)", ".private_extern \(name)"]
    case .autoHide: [".globl \(name)", ".weak_def_can_be_hidden \(name)"]
    }
  }
}

/// Text for the assembler, for arm64.
struct Assembly {
  var lines: [String] = []
  private var count = 0
  private var numbers: Set<String> = []

  mutating func code(_ name: String, _ scope: Scope, calls: [String]) {
    lines += [".section __TEXT,__text,regular,pure_instructions"] + scope.lines(name) + [".p2align 2", "\(name):"]
    // No number of the same file can be called.
    for target in calls where !numbers.contains(target) {
      if target == ".weak_reference" {
        if numbers.contains("_f7") { continue }
        lines += [".weak_reference _f7", "bl _f7"]
      } else if ["_d", "_OBJC", "l", "_s"].contains(where: target.hasPrefix) {
        lines += ["adrp x0, \(target)@GOTPAGE", "ldr x0, [x0, \(target)@GOTPAGEOFF]"]
      } else {
        lines.append("bl \(target)")
      }
    }
    lines.append("ret")
  }

  mutating func data(_ name: String, _ scope: Scope, alignment: Int, words: Int) {
    lines += [".section __DATA,__data"] + scope.lines(name) + [".p2align \(alignment)", "\(name):"]
    lines += (0..<words).map { ".long \($0)" }
  }

  /// Sections by what linkers make of names in them, and something to stand there.
  static let labelled = [
    ("__TEXT,__cstring,cstring_literals", ".asciz \"text\""),
    ("__TEXT,__objc_methtype,cstring_literals", ".asciz \"v16@0:8\""),
    ("__TEXT,__literal4,4byte_literals", ".long 7"),
    ("__TEXT,__literal8,8byte_literals", ".quad 7"),
    ("__TEXT,__literal16,16byte_literals", ".quad 7, 8"),
    ("__DATA,__cfstring", ".quad ___CFConstantStringClassReference\n.long 1992, 0\n.quad l_text, 4"),
    ("__DATA,__objc_selrefs,literal_pointers,no_dead_strip", ".quad l_text"),
    ("__DATA,__mine,literal_pointers", ".quad l_text"),
    ("__DATA,__objc_classrefs,regular,no_dead_strip", ".quad _OBJC_CLASS_$_Outside"),
    ("__DATA,__objc_superrefs,regular,no_dead_strip", ".quad _OBJC_CLASS_$_Outside"),
    ("__TEXT,__ustring", ".short 65, 66, 0, 0"),
    ("__TEXT,__const", ".quad 7"),
    ("__DATA,__const", ".quad l_text"),
    ("__DATA,__objc_const", ".quad 0"),
    ("__DATA,__thread_data,thread_local_regular", ".quad 7"),
    ("__LLVM,__cmdline", ".asciz \"-O\""),
    ("__DWARF,__debug_mine,regular,debug", ".quad 7"),
  ]

  mutating func label(_ name: String, _ scope: Scope, _ section: String, _ content: String) {
    if !lines.contains("l_text: .asciz \"ours\"") {
      lines += [".section __TEXT,__objc_methname,cstring_literals", "l_text: .asciz \"ours\""]
    }
    lines += [".section \(section)"] + scope.lines(name)
    lines += [section.contains("cstring") || section.contains("cmdline") ? "" : ".p2align 3", "\(name):", content]
  }

  mutating func common(_ name: String, size: Int, alignment: Int, isHidden: Bool) {
    lines.append(".comm \(name),\(size),\(alignment)")
    if isHidden { lines.append(".private_extern \(name)") }
  }

  mutating func absolute(_ name: String, _ value: Int) {
    lines += [".globl \(name)", "\(name) = \(value)"]
    numbers.insert(name)
  }

  mutating func alias(_ name: String, of target: String) { lines += [".globl \(name)", ".set \(name), \(target)"] }
  mutating func option(_ words: String...) {
    lines.append(".linker_option " + words.map { "\"\($0)\"" }.joined(separator: ", "))
  }

  mutating func initializer(_ function: String) {
    lines += [".section __DATA,__mod_init_func,mod_init_funcs", ".p2align 3", ".quad \(function)"]
  }

  mutating func objcClass(_ name: String, instance: [String], own: [String]) {
    lines += [".section __TEXT,__objc_classname,cstring_literals", "l_name_\(name): .asciz \"\(name)\""]
    let isNonLazy = own.contains("load")
    let instance = methodList("__OBJC_$_INSTANCE_METHODS_\(name)", "-[\(name)", instance)
    let own = methodList("__OBJC_$_CLASS_METHODS_\(name)", "+[\(name)", own)
    lines += [
      ".section __DATA,__objc_const", ".p2align 3",
      "__OBJC_METACLASS_RO_$_\(name): .long 3, 40, 40, 0", ".quad 0, l_name_\(name), \(own), 0, 0, 0, 0",
      "__OBJC_CLASS_RO_$_\(name): .long 2, 8, 8, 0", ".quad 0, l_name_\(name), \(instance), 0, 0, 0, 0",
      ".section __DATA,__objc_data", ".p2align 3",
      ".globl _OBJC_CLASS_$_\(name)",
      "_OBJC_CLASS_$_\(name): .quad _OBJC_METACLASS_$_\(name), 0, 0, 0, __OBJC_CLASS_RO_$_\(name)",
      ".globl _OBJC_METACLASS_$_\(name)",
      "_OBJC_METACLASS_$_\(name): .quad _OBJC_METACLASS_$_\(name), _OBJC_CLASS_$_\(name), 0, 0, __OBJC_METACLASS_RO_$_\(name)",
      ".section __DATA,__objc_classlist,regular,no_dead_strip", ".p2align 3", ".quad _OBJC_CLASS_$_\(name)",
    ]
    if isNonLazy {
      lines += [
        ".section __DATA,__objc_nlclslist,regular,no_dead_strip", ".p2align 3", ".quad _OBJC_CLASS_$_\(name)",
      ]
    }
  }

  mutating func category(_ name: String, on className: String, instance: [String], own: [String]) {
    lines += [".section __TEXT,__objc_classname,cstring_literals", "l_name_\(name): .asciz \"\(name)\""]
    let isNonLazy = own.contains("load")
    let instance = methodList("__OBJC_$_CATEGORY_INSTANCE_METHODS_\(name)", "-[\(className)(\(name))", instance)
    let own = methodList("__OBJC_$_CATEGORY_CLASS_METHODS_\(name)", "+[\(className)(\(name))", own)
    lines += [
      ".section __DATA,__objc_const", ".p2align 3",
      "__OBJC_$_CATEGORY_\(name): .quad l_name_\(name), _OBJC_CLASS_$_\(className), \(instance), \(own), 0, 0, 0",
      ".long 64, 0",
      ".section __DATA,__objc_catlist,regular,no_dead_strip", ".p2align 3", ".quad __OBJC_$_CATEGORY_\(name)",
    ]
    if isNonLazy {
      lines += [
        ".section __DATA,__objc_nlcatlist,regular,no_dead_strip", ".p2align 3", ".quad __OBJC_$_CATEGORY_\(name)",
      ]
    }
  }

  /// Its name, or 0 if there is no method.
  private mutating func methodList(_ name: String, _ owner: String, _ selectors: [String]) -> String {
    if selectors.isEmpty { return "0" }
    var entries: [String] = []
    for selector in selectors {
      count += 1
      lines += [
        ".section __TEXT,__objc_methname,cstring_literals", "l_selector\(count): .asciz \"\(selector)\"",
        ".section __TEXT,__objc_methtype,cstring_literals", "l_type\(count): .asciz \"v16@0:8\"",
        ".section __TEXT,__text,regular,pure_instructions", ".p2align 2", "\"\(owner) \(selector)]\": ret",
      ]
      entries.append(".quad l_selector\(count), l_type\(count), \"\(owner) \(selector)]\"")
    }
    lines += [".section __DATA,__objc_const", ".p2align 3", "\(name): .long 24, \(selectors.count)"] + entries
    return name
  }
}
