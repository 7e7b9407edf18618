/// Puts the events of a parser together.
struct XMLTreeBuilder: ~Copyable {
  let limits: XMLEvents.Limits
  private(set) var bytes: [UInt8] = []
  private(set) var elements: [XMLTree.Record] = []
  private(set) var attributes: [XMLTree.AttributeRecord] = []
  /// `xml` needs no declaration (Namespaces in XML 1.0, section 3).
  private(set) var scopes = [XMLTree.Scope(["xml": "http://www.w3.org/XML/1998/namespace"])]
  /// The indices of the elements that are open, outermost first.
  private var open: [Int] = []
  /// The text of each open element so far; the ones behind them are empty, and serve again.
  private var texts: [[UInt8]] = []
  private var attributeCount = 0
  private var prefixChanges = 0

  /// An undeclared prefix stays part of its name; otherwise it is a problem.
  private let keepsUnknownPrefixes: Bool

  /// - Parameter size: of the document, in bytes.
  init(_ limits: XMLEvents.Limits, size: Int, keepsUnknownPrefixes: Bool) {
    self.limits = limits
    // Growing step by step would copy everything several times.
    bytes.reserveCapacity(size)
    elements.reserveCapacity(size / 64)
    attributes.reserveCapacity(size / 64)
    self.keepsUnknownPrefixes = keepsUnknownPrefixes
  }

  /// Adds a name, value or text, with a zero behind it.
  mutating func add(_ text: some Collection<UInt8>) -> Range<Int> {
    let start = bytes.count
    bytes += text
    defer { bytes.append(0) }
    return start..<bytes.count
  }

  /// Adds a name, with its prefix; nil if it cannot be one.
  ///
  /// In ISO-8859-1, and not in UTF-8, expat accepts `ª`, `µ` and `º` in names. XML forbids them, so they could not be
  /// written again. Of the characters whose UTF-8 begins with C2, XML allows only the middle dot.
  mutating func add(name: some Collection<UInt8>) -> Range<Int>? {
    let range = add(name)
    var last: UInt8 = 0
    for index in range {
      if last == 0xC2, bytes[index] != 0xB7 { return nil }
      last = bytes[index]
    }
    return range
  }

  /// Adds an attribute of the element that starts next.
  mutating func add(attribute name: Range<Int>, value: Range<Int>) {
    attributes.append(.init(name: name, value: value))
  }

  /// The number of attributes that were added for the element that starts next.
  var newAttributes: Int { attributes.count - firstAttribute }

  private var firstAttribute: Int { elements.last?.attributes.upperBound ?? 0 }

  mutating func start(_ name: Range<Int>, at position: XMLTag.Position, offset: Int) throws(XMLProblem) {
    func check(_ isWithin: Bool, _ reason: XMLProblem.Reason) throws(XMLProblem) {
      if !isWithin { throw XMLProblem(position: position, reason: reason) }
    }
    attributeCount += newAttributes
    try check(open.count < limits.depth, .tooDeep(limit: limits.depth))
    try check(elements.count < limits.elements, .tooMany(.elements, limit: limits.elements))
    try check(attributeCount <= limits.attributes, .tooMany(.attributes, limit: limits.attributes))
    try check(
      newAttributes <= limits.attributesOfElement, .tooMany(.attributesOfElement, limit: limits.attributesOfElement))
    let scope = try declare(at: position)
    let own = firstAttribute..<attributes.count
    if own.count > 1 {
      let bytes = bytes
      attributes[own].sort { bytes[$0.name].lexicographicallyPrecedes(bytes[$1.name]) }
    }
    for index in own {
      // An attribute without a prefix has no namespace, whatever the default is.
      (attributes[index].name, attributes[index].namespace) =
        try resolve(attributes[index].name, in: scope, default: "", position)
    }
    let (local, namespace) = try resolve(name, in: scope, default: scopes[scope].default, position)
    open.append(elements.count)
    if texts.count < open.count { texts.append([]) }
    elements.append(
      .init(
        name: local, namespace: namespace, attributes: own, scope: scope, position: position, range: offset..<offset,
        end: elements.count + 1))
  }

  /// Takes declarations out of the new attributes, and returns the scope in force.
  private mutating func declare(at position: XMLTag.Position) throws(XMLProblem) -> Int {
    let outer = if let parent = open.last { elements[parent].scope } else { 0 }
    let first = firstAttribute
    var scope: XMLTree.Scope?
    var declares = false
    for index in first..<attributes.count {
      guard let prefix = declaredPrefix(attributes[index].name) else { continue }
      declares = true
      // A repeated declaration changes nothing, so the elements go on to share one scope.
      let value = String(decoding: bytes[attributes[index].value], as: UTF8.self)
      var changed = scope ?? scopes[outer]
      guard changed.prefixes[prefix] != value else { continue }
      scope = nil
      prefixChanges += 1
      changed.prefixes[prefix] = value
      guard prefixChanges <= limits.prefixChanges, changed.prefixes.count <= limits.prefixes else {
        let limit = prefixChanges <= limits.prefixChanges ? limits.prefixes : limits.prefixChanges
        throw XMLProblem(position: position, reason: .tooMany(.prefixes, limit: limit))
      }
      scope = changed
    }
    if declares {
      let kept = attributes[first...].filter { declaredPrefix($0.name) == nil }
      attributes.replaceSubrange(first..., with: kept)
    }
    guard let scope else { return outer }
    scopes.append(scope)
    return scopes.count - 1
  }

  /// `a` for `xmlns:a`, empty for `xmlns`; nil for an attribute that declares no prefix.
  private func declaredPrefix(_ name: Range<Int>) -> String? {
    guard bytes[name.lowerBound] == UInt8(ascii: "x"), bytes[name].starts(with: "xmlns".utf8) else { return nil }
    let rest = bytes[name].dropFirst(5)
    if rest.isEmpty { return "" }
    // `xmlns:` declares nothing, and is no name.
    guard rest.first == UInt8(ascii: ":"), rest.count > 1 else { return nil }
    return String(decoding: rest.dropFirst(), as: UTF8.self)
  }

  private func resolve(
    _ name: Range<Int>, in scope: Int, default: String, _ position: XMLTag.Position
  ) throws(XMLProblem) -> (name: Range<Int>, namespace: String) {
    guard let colon = bytes[name].firstIndex(of: UInt8(ascii: ":")) else { return (name, `default`) }
    let prefix = String(decoding: bytes[name.lowerBound..<colon], as: UTF8.self)
    let local = (colon + 1)..<name.upperBound
    // Namespaces in XML 1.0, section 4: a prefix, a colon and a local part.
    guard !prefix.isEmpty, !local.isEmpty, !bytes[local].contains(UInt8(ascii: ":")) else {
      throw XMLProblem(position: position, reason: .notQualified(String(decoding: bytes[name], as: UTF8.self)))
    }
    guard let namespace = scopes[scope].prefixes[prefix] else {
      if keepsUnknownPrefixes { return (name, "") }
      throw XMLProblem(position: position, reason: .unknownPrefix(prefix))
    }
    return (local, namespace)
  }

  mutating func end(at offset: Int) {
    guard let index = open.popLast() else { return }
    elements[index].text = add(texts[open.count])
    texts[open.count].removeAll(keepingCapacity: true)
    elements[index].range = elements[index].range.lowerBound..<max(elements[index].range.lowerBound, offset)
    elements[index].end = elements.count
  }

  mutating func text(_ text: some Collection<UInt8>) {
    if !open.isEmpty { texts[open.count - 1] += text }
  }
}
