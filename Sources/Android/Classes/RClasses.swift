import Findings

// The R classes of a library that is merged into a plugin's AAR. The code of the library says `com.third.R.layout.row`;
// the app's build generates only the plugin's own R, from the AAR's R.txt. So the AAR holds an R for each merged
// library. Its fields are copied when the class is initialized, because the ids are not known before:
//
//   public final class R {
//     public static final class layout { public static int row = com.plugin.R.layout.row; … }
//     public static final class styleable { public static int[] View = …; public static int View_android_text = …; … }
//   }

package struct RClassError: Error, Equatable, Sendable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = printable(description) }
}

package enum RClasses {
  /// A class file numbers its constants with 16 bits: this many names fit, with four constants each.
  package static let maxNames = 16_350

  /// The R classes of `package` that copy from the R of `target`: the outer one, then one for each type of `symbols`.
  ///
  /// The names of `certain` are known to be in the target. Any other is left 0 (or null) if the target lacks the field
  /// or class, as javac does for a `switch` over an enum; a missing certain one is Java's own error.
  package static func make(
    package: String, forwardingTo target: String, symbols: SymbolTable, certain: SymbolTable
  ) throws(RClassError) -> [(path: String, bytes: [UInt8])] {
    // The R class would copy from itself.
    guard !package.utf8.elementsEqual(target.utf8) else {
      throw RClassError(
        "the embedded library's package is the plugin's own, \(package): give one of them another package")
    }
    let (own, other) = (try outerName(package), try outerName(target))
    var types: [(ResourceType, [RField])] = []
    for type in ResourceType.allCases {
      // The count is checked before they are sorted, because there may be very many.
      try check(symbols.names[type]?.count ?? 0, type, package)
      let known = Set(fields(type, certain))
      let fields = fields(type, symbols).map {
        RField(name: $0.name, isArray: $0.isArray, isCertain: known.contains($0))
      }
      if fields.isEmpty { continue }
      if let wrong = fields.first(where: { !$0.isPossible }) {
        let name = String(decoding: wrong.name, as: UTF8.self).prefix(60)
        throw RClassError(
          "\(package).R.\(type.rawValue) cannot have a field '\(name)' (\(wrong.name.count) bytes): rename the resource"
        )
      }
      try check(fields.count, type, package)
      types.append((type, fields))
    }
    var outer = ClassFileWriter(name: own)
    for (type, _) in types { outer.nest(type.rawValue, in: own) }
    return [("\(own).class", outer.bytes)]
      + types.map { type, fields in
        ("\(own)$\(type.rawValue).class", nested(type, fields, own: own, target: other))
      }
  }

  private static func check(_ count: Int, _ type: ResourceType, _ package: String) throws(RClassError) {
    guard count <= maxNames else {
      throw RClassError(
        "\(package).R.\(type.rawValue) would have \(count) fields, and a Java class has room for "
          + "\(maxNames): do not embed the library, or leave resources out of it")
    }
  }

  /// `com/third/R`.
  private static func outerName(_ package: String) throws(RClassError) -> String {
    if package.isEmpty { return "R" }
    let parts = package.split(separator: ".", omittingEmptySubsequences: false)
    // The package is part of a path in the AAR's jar, and of a longer constant.
    guard parts.allSatisfy({ $0.isIdentifier() }), package.utf8.count <= 1000 else {
      throw RClassError("'\(package)' is no package of Java's: correct the package in the manifest")
    }
    return parts.joined(separator: "/") + "/R"
  }

  /// In a fixed order, each once: a child of a styleable can have the name of a child of another one.
  private static func fields(_ type: ResourceType, _ symbols: SymbolTable) -> [RField] {
    guard type == .styleable else { return symbols.names[type, default: []].sorted().map { RField(name: $0.bytes) } }
    var fields: [RField] = []
    for (name, children) in symbols.styleables.sorted(by: { $0.key < $1.key }) {
      fields.append(RField(name: name.bytes, isArray: true))
      for child in children { fields.append(RField(name: name.bytes + "_".utf8 + child.bytes)) }
    }
    var known: Set<RField> = []
    return fields.filter { known.insert($0).inserted }
  }

  /// The number of fields that one method sets. The limit of 64 KB of code allows more, but the verifier of classes
  /// without stack maps looks through all of a method's exception table at every instruction.
  private static let namesInMethod = 1000

  private static func nested(_ type: ResourceType, _ fields: [RField], own: String, target: String) -> [UInt8] {
    let name = "\(own)$\(type.rawValue)"
    var file = ClassFileWriter(name: name)
    file.nest(type.rawValue, in: own)
    file.nest(type.rawValue, in: target)
    for field in fields { file.addField(field.name, field.descriptor) }
    var parts: [ClassFileWriter.Code] = []
    for start in stride(from: 0, to: fields.count, by: namesInMethod) {
      var code = ClassFileWriter.Code()
      for field in fields[start..<min(fields.count, start + namesInMethod)] {
        let from = file.field("\(target)$\(type.rawValue)", field.name, field.descriptor)
        let to = file.field(name, field.name, field.descriptor)
        code.copy(from: from, to: to, catching: field.isCertain ? nil : file.classNamed("java/lang/LinkageError"))
      }
      parts.append(code)
    }
    guard parts.count > 1 else {
      if let only = parts.first { file.addMethod("<clinit>", only) }
      return file.bytes
    }
    var calls = ClassFileWriter.Code()
    for (index, part) in parts.enumerated() {
      file.addMethod("set\(index)", part)
      calls.call(file.method(name, "set\(index)"))
    }
    file.addMethod("<clinit>", calls)
    return file.bytes
  }
}

private struct RField: Hashable {
  let name: [UInt8]
  var isArray = false
  var isCertain = false

  var descriptor: String { isArray ? "[I" : "I" }
  /// JVMS 4.2.2, and the 16 bits of a constant's size; modified UTF-8 needs at most half as much again as UTF-8.
  var isPossible: Bool { !name.isEmpty && name.count <= 40_000 && !name.contains { "\0.;[/".utf8.contains($0) } }
}
