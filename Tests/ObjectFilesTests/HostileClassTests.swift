import ObjectFiles
import Testing

/// Class files that no compiler makes.
@Suite(.timeLimit(.minutes(20))) struct HostileClassTests {
  /// A class `A` that extends `A`, with one attribute, one field many times, and one method.
  private struct Made {
    var minor: UInt16 = 0
    var major: UInt16 = 52
    /// From 5 on: 1 and 2 are the class and its name, 3 and 4 texts for the field.
    var constants: [[UInt8]] = []
    var descriptor: [UInt8] = Array("I".utf8)
    var fields = 0
    var attribute: (name: UInt16, bytes: [UInt8])?
    var methodAttribute: (name: UInt16, bytes: [UInt8])?

    static func two(_ value: Int) -> [UInt8] {
      [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
    }
    static func text(_ bytes: [UInt8]) -> [UInt8] { [1] + two(bytes.count) + bytes }

    static func attribute(_ attribute: (name: UInt16, bytes: [UInt8])?) -> [UInt8] {
      guard let (name, bytes) = attribute else { return [0, 0] }
      return [0, 1] + two(Int(name)) + two(bytes.count >> 16) + two(bytes.count) + bytes
    }

    var bytes: [UInt8] {
      var bytes: [UInt8] = [0xCA, 0xFE, 0xBA, 0xBE] + Made.two(Int(minor)) + Made.two(Int(major))
      bytes += Made.two(5 + constants.count) + [7, 0, 2] + Made.text([0x41]) + Made.text([0x66])
      bytes += Made.text(descriptor) + constants.joined()
      bytes += [0, 0x21, 0, 1, 0, 1, 0, 0] + Made.two(fields)
      for _ in 0..<fields { bytes += [0, 1, 0, 3, 0, 4, 0, 0] }
      bytes += [0, 1, 0, 1, 0, 3, 0, 4] + Made.attribute(methodAttribute)
      return bytes + Made.attribute(attribute)
    }
  }

  private func failure(_ made: Made, annotations: Bool = false) -> String? {
    let bytes = made.bytes
    let reader = ByteReader(bytes.span)
    do throws(FormatError) {
      let file = try ClassFile(reader)
      guard annotations else { return nil }
      _ = try file.annotations(reader)
      for method in file.methods { _ = try file.annotations(of: method, reader) }
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test func versions() throws {
    for (minor, major, release, isPreview): (UInt16, UInt16, String, Bool) in [
      (3, 45, "1.1", false), (0, 48, "1.4", false), (0, 49, "5", false), (0, 52, "8", false), (.max, 55, "11", false),
      (.max, 56, "12", true), (0, 69, "25", false), (.max, 69, "25", true), (0, 70, "26", false),
    ] {
      let bytes = Made(minor: minor, major: major).bytes
      let version = try ClassFile(ByteReader(bytes.span)).version
      #expect(version.release == release && version.isPreview == isPreview && version.major == major)
    }
    #expect(failure(Made(major: 44)) == "major version: 44 is less than 45, the first one at offset 6")
  }

  @Test func constants() {
    #expect(failure(Made(constants: [[2, 0, 1]])) == "tag of constant 5: 2 is not known at offset 25")
    #expect(failure(Made(constants: [[21, 0, 1]])) == "tag of constant 5: 21 is not known at offset 25")
    #expect(failure(Made(constants: [[7, 0, 1]])) == "name of a class: constant 1 has the tag 7, not 1 at offset 26")
    #expect(failure(Made(constants: [[16, 0, 0]])) == "descriptor: there is no constant 0 at offset 26")
    #expect(failure(Made(constants: [[12, 0, 3, 0, 9]])) == "descriptor: there is no constant 9 at offset 28")
    // Behind a number of 8 bytes there is none.
    let wide: [[UInt8]] = [[5, 0, 0, 0, 0, 0, 0, 0, 0], [], [16, 0, 6]]
    #expect(failure(Made(constants: wide)) == "descriptor: there is no constant 6 at offset 35")
  }

  /// As many fields as there can be, each of a type that takes as long to read as it can.
  @Test func sharedDescriptor() throws {
    var made = Made()
    made.descriptor = Array("LA;".utf8) + [UInt8](repeating: UInt8(ascii: "L"), count: 65_532)
    made.fields = 65_535
    let bytes = made.bytes
    let file = try ClassFile(ByteReader(bytes.span))
    #expect(file.fields.count == 65_535 && file.references.count == 2)
  }

  /// Values in values; an array in an array takes three bytes.
  @Test func deepAnnotation() {
    func made(_ depth: Int) -> Made {
      let arrays = [[UInt8]](repeating: [0x5B, 0, 1], count: depth).joined() + [0x49, 0, 3]
      let names = ["RuntimeInvisibleAnnotations", "LA;"].map { Made.text(Array($0.utf8)) }
      return Made(constants: names, attribute: (5, [0, 1, 0, 6, 0, 1, 0, 3] + arrays))
    }
    #expect(failure(made(63), annotations: true) == nil)
    #expect(failure(made(64), annotations: true)?.contains("nested more than 64 deep") == true)
    #expect(failure(made(1_000_000), annotations: true)?.contains("nested more than 64 deep") == true)
  }

  /// A method's code whose attribute is code, and so on: 18 bytes each.
  @Test func codeInCode() {
    var code: [UInt8] = []
    for _ in 0..<10_000 {
      code = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0] + Made.attribute(code.isEmpty ? nil : (5, code))
    }
    let made = Made(constants: [Made.text(Array("Code".utf8))], methodAttribute: (5, code))
    #expect(failure(made, annotations: true) == nil)
  }

  @Test func annotationOfNoClass() {
    let names = ["RuntimeVisibleAnnotations", "I"].map { Made.text(Array($0.utf8)) }
    let made = Made(constants: names, attribute: (5, [0, 1, 0, 6, 0, 0]))
    #expect(failure(made, annotations: true)?.hasPrefix("type of an annotation: its text names no class") == true)
    let target = ["RuntimeVisibleTypeAnnotations", "LA;"].map { Made.text(Array($0.utf8)) }
    let unknown = Made(constants: target, attribute: (5, [0, 1, 0x50, 0, 0, 6, 0, 0]))
    #expect(failure(unknown, annotations: true)?.hasPrefix("target of an annotation: 80 is not known") == true)
  }
}
