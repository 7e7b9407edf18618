import ObjectFiles

/// What `llvm-objdump --macho --objc-meta-data` says of a class or a category. It does not say of whom a category is unless
/// the file defines the class, and not what class properties it has.
struct ObjdumpDetails {
  private enum Part { case nothing, methods, protocols, ivars, properties }

  private var kind: String
  private var name = ""
  private var protocols: [String] = []
  private var ivars: [String] = []
  private var properties: [String] = []
  private var methods: [String] = []

  private var line: String {
    "\(kind) \(name)\(ObjCFamily.list(protocols)) ivars \(ivars) properties \(properties) methods \(methods)"
  }

  /// It tells the levels of its output apart by indentation only.
  static func lines(_ text: String) -> [String] {
    var found: [ObjdumpDetails] = []
    var section = ""
    var (sign, part, collects) = ("", Part.nothing, false)
    for line in text.split(separator: "\n") {
      if line.hasPrefix("Contents of") {
        section = line.contains("__objc_classlist") ? "class" : line.contains("__objc_catlist") ? "category" : ""
      } else if section.isEmpty {
        continue
      } else if line.first?.isHexDigit == true {
        found.append(ObjdumpDetails(kind: section))
        (sign, part, collects) = ("", .nothing, section == "class")
      } else if line.hasPrefix("Meta Class") {
        sign = "+"
      } else if let next = heading(line, section) {
        if section == "category" { (collects, sign) = (true, next.isClass ? "+" : "") }
        part = next.part
      } else if !found.isEmpty {
        found[found.count - 1].add(line, section, collects ? part : .nothing, sign)
      }
    }
    return found.map(\.line)
  }

  private static func heading(_ line: Substring, _ section: String) -> (part: Part, isClass: Bool)? {
    if section == "class" {
      guard line.first == " ", let word = words(line).first else { return nil }
      let parts: [String: Part] = [
        "baseMethods": .methods, "baseProtocols": .protocols, "ivars": .ivars, "weakIvarLayout": .nothing,
        "baseProperties": .properties,
      ]
      return parts[word].map { ($0, false) }
    }
    if line.hasPrefix("   instanceMethods ") { return (.methods, false) }
    if line.hasPrefix("      classMethods ") { return (.methods, true) }
    if line.hasPrefix("         protocols ") { return (.protocols, false) }
    return line.hasPrefix("instanceProperties ") ? (.properties, false) : nil
  }

  private mutating func add(_ line: Substring, _ section: String, _ part: Part, _ sign: String) {
    let word = words(line).last ?? ""
    func isField(_ tabs: Int, _ label: String) -> Bool { line.hasPrefix(String(repeating: "\t", count: tabs) + label) }
    if line.hasPrefix(String(repeating: " ", count: section == "class" ? 21 : 14) + "name ") {
      // Of a category's class too, which is indented as a class's.
      name = word
    }
    switch part {
    case .nothing: break
    case .methods: if isField(2, "      name ") { methods.append("\(sign.isEmpty ? "-" : sign)\(word)") }
    case .protocols: if sign.isEmpty, isField(3, "     name ") { protocols.append(word) }
    case .ivars:
      if isField(3, "     name ") { ivars.append(word) }
      if isField(3, "     type ") { ivars[ivars.count - 1] += "=\(word)" }
    case .properties:
      if isField(3, "     name ") { properties.append("\(sign)\(word)") }
      if isField(3, "attributes ") { properties[properties.count - 1] += "=\(word)" }
    }
  }

  /// The same of what we read.
  static func lines(of data: ObjCMetadata, _ bytes: [UInt8]) -> [String] {
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    func details(_ kind: String, _ name: Range<Int>, _ protocols: [Range<Int>], _ methods: [ObjCMethod]) -> Self {
      var result = ObjdumpDetails(kind: kind)
      (result.name, result.protocols) = (text(name), protocols.map(text))
      result.methods = methods.map { "\($0.isClassMethod ? "+" : "-")\(text($0.selector))" }
      return result
    }
    func line(_ property: ObjCProperty) -> String {
      "\(property.isClassProperty ? "+" : "")\(text(property.name))=\(text(property.attributes))"
    }
    let classes = data.classes.map { item in
      var result = details("class", item.name, item.protocols, item.methods)
      result.ivars = item.ivars.map { "\(text($0.name))=\(text($0.type))" }
      result.properties = item.properties.map(line)
      return result.line
    }
    return classes
      + data.categories.map { item in
        var result = details("category", item.name, item.protocols, item.methods)
        result.properties = item.properties.filter { !$0.isClassProperty }.map(line)
        return result.line
      }
  }
}
