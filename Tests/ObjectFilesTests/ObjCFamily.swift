import TestSupport

/// Objective-C by chance: a few protocols, classes and categories that belong together, as source, and as what is in it in
/// the words of `details(of:_:)`. Every name begins with the seed: families can be compiled together.
struct ObjCFamily {
  struct Method {
    /// `+` or `-`
    var sign: Character
    /// Of the selector; all but the first have an argument, as the first has if there are others.
    var pieces: [String]
    var hasArguments: Bool
    var isOptional = false

    var selector: String { hasArguments ? pieces.map { $0 + ":" }.joined() : pieces[0] }
    func declaration() -> String {
      let parts = pieces.enumerated().map { "\($1):(int)a\($0)" }
      return "\(sign) (int)\(hasArguments ? parts.joined(separator: " ") : pieces[0])"
    }
    func sent(to receiver: String) -> String {
      "[\(receiver) \(hasArguments ? pieces.map { $0 + ":1" }.joined(separator: " ") : pieces[0])];"
    }
  }

  struct Property {
    var name: String
    /// `@property` and what follows.
    var declaration: String
    var attributes: String
    var isClass = false
    /// In the implementation: `@dynamic`, `@synthesize`.
    var statement = ""
    /// Which the property brings.
    var ivar: String?
    var methods: [String] = []

    var line: String { "\(isClass ? "+" : "")\(name)=\(attributes)" }
  }

  struct Container {
    var name: String
    /// Of a class; of a category the class.
    var superclass: String?
    var isForeign = false
    var adopted: [String] = []
    var ivars: [(declaration: String, line: String?)] = []
    var properties: [Property] = []
    var methods: [Method] = []
    var hasLoad = false
  }

  let seed: Int
  private(set) var source = ""
  private(set) var details: [String] = []
  private var random: Seeded
  private var count = 0
  private var protocols: [Container] = []
  private var forward: String?
  private var classes: [Container] = []
  private var categories: [Container] = []
  private var references: Set<String> = []

  /// `withForward`: may adopt a protocol that is declared and not defined.
  init(seed: Int, withForward: Bool) {
    self.seed = seed
    random = Seeded(seed: seed)
    if withForward, random.once(in: 6) { forward = name("Q") }
    for _ in 0..<random.number(4) { addProtocol() }
    for _ in 0...random.number(2) { addClass(isForeign: true) }
    for _ in 0...random.number(4) { addClass(isForeign: false) }
    for _ in 0..<random.number(4) { addCategory() }
    writeDeclarations()
    for item in classes where !item.isForeign { writeClass(item) }
    for item in categories { writeCategory(item) }
    writeProtocolDetails()
    details += references
  }

  private mutating func name(_ kind: String) -> String {
    count += 1
    return "F\(seed)_\(kind)\(count)"
  }

  // MARK: What there is

  private mutating func addProtocol() {
    var item = Container(name: name("P"), adopted: someProtocols())
    for _ in 0..<random.number(4) {
      var method = method()
      method.isOptional = random.once(in: 3)
      item.methods.append(method)
    }
    for _ in 0..<random.number(3) {
      let name = name("p").lowercased()
      let (isClass, isReadOnly) = (random.once(in: 3), random.once(in: 2))
      let words = [isClass ? "class" : nil, isReadOnly ? "readonly" : nil].compactMap { $0 }
      let getter = "\(isClass ? "+" : "-")\(name)"
      let setter = "\(isClass ? "+" : "-")set\(name.prefix(1).uppercased())\(name.dropFirst()):"
      item.properties.append(
        Property(
          name: name, declaration: "@property\(words.isEmpty ? "" : "(\(words.joined(separator: ",")))") int \(name);",
          attributes: isReadOnly ? "Ti,R" : "Ti", isClass: isClass, methods: isReadOnly ? [getter] : [getter, setter]))
    }
    protocols.append(item)
  }

  private mutating func addClass(isForeign: Bool) {
    let superclass = isForeign || random.once(in: 4) ? nil : random.one(of: classes)?.name
    var item = Container(name: name(isForeign ? "X" : "C"), superclass: superclass, isForeign: isForeign)
    item.methods = (0..<(random.number(4) + (isForeign ? 1 : 0))).map { _ in method() }
    if !isForeign {
      item.adopted = someProtocols()
      for _ in 0..<random.number(4) { item.ivars.append(ivar()) }
      for _ in 0..<random.number(4) {
        let property = property(&item, inClass: true)
        item.properties.append(property)
      }
      item.hasLoad = random.once(in: 4)
    }
    classes.append(item)
  }

  private mutating func addCategory() {
    guard let extended = random.one(of: classes)?.name else { return }
    var item = Container(name: name("K"), superclass: extended, adopted: someProtocols())
    item.methods = (0..<random.number(3)).map { _ in method() }
    for _ in 0..<random.number(3) {
      let property = property(&item, inClass: false)
      item.properties.append(property)
    }
    item.hasLoad = random.once(in: 4)
    categories.append(item)
  }

  private mutating func someProtocols() -> [String] {
    var names = protocols.map(\.name) + [forward].compactMap { $0 }
    names.shuffle(using: &random)
    return Array(names.prefix(random.number(3)))
  }

  private mutating func method() -> Method {
    let first = name("m").lowercased()
    let pieces = [first] + ["with", "and"].prefix(random.number(3))
    return Method(
      sign: random.once(in: 3) ? "+" : "-", pieces: pieces, hasArguments: pieces.count > 1 || random.once(in: 2))
  }

  private mutating func ivar() -> (declaration: String, line: String?) {
    let name = name("v").lowercased()
    var types = [
      ("int \(name);", "i"), ("id \(name);", "@"), ("double \(name);", "d"), ("char *\(name);", "*"),
      ("unsigned long long \(name);", "Q"), ("Class \(name);", "#"), ("SEL \(name);", ":"), ("_Bool \(name);", "B"),
      ("struct { int a; double b; } \(name);", "{?=\"a\"i\"b\"d}"), ("int \(name)[3];", "[3i]"),
      ("int \(name) : 3;", "b3"), ("int : 5;", ""),
    ]
    if let other = random.one(of: classes)?.name { types.append(("\(other) *\(name);", "@\"\(other)\"")) }
    if let other = random.one(of: protocols)?.name { types.append(("id<\(other)> \(name);", "@\"<\(other)>\"")) }
    let (declaration, type) = types[random.number(types.count)]
    return (declaration, type.isEmpty ? nil : "\(name)=\(type)")
  }

  private mutating func property(_ item: inout Container, inClass: Bool) -> Property {
    let name = name("p").lowercased()
    let accessors = ["-\(name)", "-set\(name.prefix(1).uppercased())\(name.dropFirst()):"]
    let dynamic = "@dynamic \(name);"
    switch random.number(inClass ? 6 : 2) {
    case 0:
      return Property(name: name, declaration: "@property double \(name);", attributes: "Td,D", statement: dynamic)
    case 1:
      return Property(
        name: name, declaration: "@property(class) int \(name);", attributes: "Ti,D", isClass: true, statement: dynamic)
    case 2:
      return Property(
        name: name, declaration: "@property int \(name);", attributes: "Ti,V_\(name)", ivar: "_\(name)=i",
        methods: accessors)
    case 3:
      return Property(
        name: name, declaration: "@property(nonatomic) int \(name);", attributes: "Ti,N,V_\(name)",
        ivar: "_\(name)=i", methods: accessors)
    case 4:
      return Property(
        name: name, declaration: "@property(readonly) int \(name);", attributes: "Ti,R,V_\(name)", ivar: "_\(name)=i",
        methods: [accessors[0]])
    default:
      item.ivars.append(("id \(name)_of;", "\(name)_of=@"))
      return Property(
        name: name, declaration: "@property(nonatomic, assign) id \(name);", attributes: "T@,N,V\(name)_of",
        statement: "@synthesize \(name)=\(name)_of;", methods: accessors)
    }
  }

  // MARK: Source

  private mutating func writeDeclarations() {
    if let forward { source += "@protocol \(forward);\n" }
    for item in protocols {
      source += "@protocol \(item.name)\(Self.list(item.adopted))\n"
      for method in item.methods where !method.isOptional { source += "\(method.declaration());\n" }
      for property in item.properties { source += property.declaration + "\n" }
      source += "@optional\n"
      for method in item.methods where method.isOptional { source += "\(method.declaration());\n" }
      source += "@end\n"
    }
    for item in classes {
      source += item.superclass == nil ? "__attribute__((objc_root_class)) " : ""
      source += "@interface \(item.name)\(item.superclass.map { " : \($0)" } ?? "")\(Self.list(item.adopted)) { "
      source += item.ivars.map(\.declaration).joined(separator: " ") + " }\n"
      source += item.properties.map { $0.declaration + "\n" }.joined()
      source += item.methods.map { $0.declaration() + ";\n" }.joined() + "@end\n"
    }
    for item in categories {
      source += "@interface \(item.superclass ?? "") (\(item.name))\(Self.list(item.adopted))\n"
      source += item.properties.map { $0.declaration + "\n" }.joined()
      source += item.methods.map { $0.declaration() + ";\n" }.joined() + "@end\n"
    }
  }

  private mutating func writeClass(_ item: Container) {
    writeImplementation(item, of: item.name, "@implementation \(item.name)")
    let synthesized = item.properties.filter { !$0.statement.isEmpty } + item.properties.filter(\.statement.isEmpty)
    let methods = methods(item, "-") + synthesized.flatMap(\.methods) + methods(item, "+")
    let ivars = item.ivars.compactMap(\.line) + item.properties.compactMap(\.ivar)
    details.append(
      "class \(item.name) : \(item.superclass ?? "-")\(Self.list(item.adopted)) ivars \(ivars) "
        + "properties \(properties(item)) methods \(methods)\(item.hasLoad ? " load" : "")")
  }

  private mutating func writeCategory(_ item: Container) {
    let extended = item.superclass ?? ""
    writeImplementation(item, of: extended, "@implementation \(extended) (\(item.name))")
    // The compiler leaves out those that have nothing.
    if item.adopted.isEmpty, item.properties.isEmpty, item.methods.isEmpty, !item.hasLoad { return }
    details.append(
      "category \(item.name) on \(extended)\(Self.list(item.adopted)) properties \(properties(item)) "
        + "methods \(methods(item, "-") + methods(item, "+"))\(item.hasLoad ? " load" : "")")
  }

  private mutating func writeProtocolDetails() {
    // The compiler writes down those that somebody adopts whom it compiles.
    var written: [String] = []
    var waiting = classes.filter { !$0.isForeign }.flatMap(\.adopted) + categories.flatMap(\.adopted)
    while let name = waiting.popLast() {
      guard !written.contains(name), let item = protocols.first(where: { $0.name == name }) else { continue }
      written.append(name)
      waiting += item.adopted
      let required =
        item.methods.filter { !$0.isOptional }.map { "\($0.sign)\($0.selector)" }
        + item.properties.flatMap(\.methods)
      let optional = item.methods.filter(\.isOptional).map { "\($0.sign)\($0.selector)?" }
      let methods = [required, optional].flatMap { list in
        list.filter { $0.hasPrefix("-") } + list.filter { $0.hasPrefix("+") }
      }
      let properties = item.properties.filter { !$0.isClass } + item.properties.filter(\.isClass)
      details.append(
        "protocol \(name)\(Self.list(item.adopted)) properties \(properties.map(\.line)) methods \(methods)")
    }
  }

  static func list(_ names: [String]) -> String { names.isEmpty ? "" : " <\(names.joined(separator: ", "))>" }

  private func methods(_ item: Container, _ sign: Character) -> [String] {
    item.methods.filter { $0.sign == sign }.map { "\(sign)\($0.selector)" }
      + (sign == "+" && item.hasLoad ? ["+load"] : [])
  }

  /// Its own, and those of what it adopts: the compiler lists them too.
  private func properties(_ item: Container) -> [String] {
    func all(_ isClass: Bool) -> [String] {
      var found = item.properties.filter { $0.isClass == isClass }
      func add(_ names: [String]) {
        for name in names {
          guard let other = protocols.first(where: { $0.name == name }) else { continue }
          for property in other.properties
          where property.isClass == isClass && !found.contains(where: { $0.name == property.name }) {
            found.append(property)
          }
          add(other.adopted)
        }
      }
      add(item.adopted)
      return found.map(\.line)
    }
    return all(false) + all(true)
  }

  private mutating func writeImplementation(_ item: Container, of className: String, _ title: String) {
    source += title + "\n"
    for property in item.properties where !property.statement.isEmpty { source += property.statement + "\n" }
    for method in item.methods {
      source += "\(method.declaration()) { "
      for _ in 0..<random.number(3) { source += statement(in: method, of: className) + " " }
      source += "return 0; }\n"
    }
    if item.hasLoad { source += "+ (void)load {}\n" }
    source += "@end\n"
  }

  /// A message, or a selector.
  private mutating func statement(in method: Method, of className: String) -> String {
    let all = (protocols + classes + categories).flatMap(\.methods)
    switch random.number(4) {
    case 0:
      let others = classes.filter { $0.methods.contains { $0.sign == "+" } }
      guard let other = random.one(of: others), let sent = random.one(of: other.methods.filter { $0.sign == "+" })
      else { return "" }
      references.formUnion(["class reference \(other.name)", "selector \(sent.selector)"])
      return sent.sent(to: other.name)
    case 1:
      let parent = classes.first { $0.name == className }?.superclass
      let methods = classes.first { $0.name == parent }?.methods.filter { $0.sign == method.sign }
      guard let sent = random.one(of: methods ?? []) else { return "" }
      let end = method.sign == "+" ? " (metaclass)" : ""
      references.formUnion(["super reference \(className)\(end)", "selector \(sent.selector)"])
      return sent.sent(to: "super")
    case 2:
      guard let sent = random.one(of: all) else { return "" }
      references.insert("selector \(sent.selector)")
      return "{ SEL s = @selector(\(sent.selector)); }"
    default:
      guard let sent = random.one(of: all) else { return "" }
      references.insert("selector \(sent.selector)")
      return sent.sent(to: "(id)self")
    }
  }
}
