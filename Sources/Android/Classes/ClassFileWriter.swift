// A class file is as in chapter 4 of the Java Virtual Machine Specification: magic, version, constants, flags, this and
// super, interfaces, fields, methods, attributes; all big endian. Version 49 (Java 5) is the last whose code needs no
// stack maps. Constants are numbered in the order of their first use, so equal input gives equal bytes.

/// A public, final class whose super class is `Object`, with `int` and `int[]` fields and methods that copy them.
struct ClassFileWriter {
  private enum Constant: Hashable {
    case text([UInt8])
    case named(UInt16)
    case nameAndType(UInt16, UInt16)
    case field(UInt16, UInt16)
    case method(UInt16, UInt16)
  }

  /// The code of a static method without parameters or result.
  struct Code {
    fileprivate var bytes: [UInt8] = []
    /// Start, end, handler, class: 16 bits each.
    fileprivate var handlers: [UInt8] = []
    fileprivate var handlerCount: UInt16 = 0

    /// The arguments are constants' numbers.
    mutating func copy(from: UInt16, to: UInt16, catching error: UInt16?) {
      let start = UInt16(bytes.count)
      bytes.append(0xB2)  // getstatic
      bytes.append(two: from)
      bytes.append(0xB3)  // putstatic
      bytes.append(two: to)
      guard let error else { return }
      bytes += [0xA7, 0, 4]  // goto, over the handler
      bytes.append(0x57)  // pop
      for word in [start, start + 3, start + 9, error] { handlers.append(two: word) }
      handlerCount += 1
    }

    mutating func call(_ method: UInt16) {
      bytes.append(0xB8)  // invokestatic
      bytes.append(two: method)
    }
  }

  private var numbers: [Constant: UInt16] = [:]
  private var constants: [UInt8] = []
  private var fields: [UInt8] = []
  private var fieldCount: UInt16 = 0
  private var methods: [UInt8] = []
  private var methodCount: UInt16 = 0
  private var nested: [UInt8] = []
  private var nestedCount: UInt16 = 0
  /// Flags, this class, super class, no interfaces.
  private var head: [UInt8] = [0x00, 0x31]  // ACC_PUBLIC, ACC_FINAL, ACC_SUPER

  /// The name with slashes: `com/third/R$layout`.
  init(name: String) {
    head.append(two: classNamed(name))
    head.append(two: classNamed("java/lang/Object"))
    head.append(two: 0)
  }

  mutating func addField(_ name: [UInt8], _ descriptor: String) {
    fields.append(two: 0x0009)  // ACC_PUBLIC, ACC_STATIC
    fields.append(two: text(name))
    fields.append(two: text(Array(descriptor.utf8)))
    fields.append(two: 0)  // attributes
    fieldCount += 1
  }

  mutating func addMethod(_ name: String, _ code: Code) {
    methods.append(two: name == "<clinit>" ? 0x0008 : 0x100A)  // ACC_STATIC; ACC_PRIVATE and ACC_SYNTHETIC for ours
    methods.append(two: text(Array(name.utf8)))
    methods.append(two: text(Array("()V".utf8)))
    methods.append(two: 1)
    methods.append(two: text(Array("Code".utf8)))
    let body = code.bytes + [0xB1]  // return
    methods.append(four: UInt32(12 + body.count + code.handlers.count))
    methods.append(two: 1)  // stack
    methods.append(two: 0)  // locals
    methods.append(four: UInt32(body.count))
    methods += body
    methods.append(two: code.handlerCount)
    methods += code.handlers
    methods.append(two: 0)  // attributes of the code
    methodCount += 1
  }

  /// The outer class names its nested ones, and these themselves and every nested class that they use (JVMS 4.7.6).
  mutating func nest(_ name: String, in outer: String) {
    nested.append(two: classNamed("\(outer)$\(name)"))
    nested.append(two: classNamed(outer))
    nested.append(two: text(Array(name.utf8)))
    nested.append(two: 0x0019)  // ACC_PUBLIC, ACC_STATIC, ACC_FINAL
    nestedCount += 1
  }

  var bytes: [UInt8] {
    var file = self
    let attribute = nestedCount == 0 ? nil : file.text(Array("InnerClasses".utf8))
    var all: [UInt8] = [0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 49]
    all.append(two: UInt16(file.numbers.count + 1))
    all += file.constants + head
    all.append(two: fieldCount)
    all += fields
    all.append(two: methodCount)
    all += methods
    all.append(two: attribute == nil ? 0 : 1)
    guard let attribute else { return all }
    all.append(two: attribute)
    all.append(four: UInt32(2 + nested.count))
    all.append(two: nestedCount)
    return all + nested
  }

  // MARK: - Constants, by their numbers

  private mutating func number(_ constant: Constant, _ bytes: (inout [UInt8]) -> Void) -> UInt16 {
    if let number = numbers[constant] { return number }
    let number = UInt16(truncatingIfNeeded: numbers.count + 1)
    numbers[constant] = number
    bytes(&constants)
    return number
  }

  /// In modified UTF-8 (JVMS 4.4.7): characters beyond U+FFFF are two surrogates of three bytes each.
  private mutating func text(_ utf8: [UInt8]) -> UInt16 {
    number(.text(utf8)) { all in
      var modified = utf8
      if utf8.contains(where: { $0 >= 0xF0 }) {
        modified = String(decoding: utf8, as: UTF8.self).utf16.flatMap { unit -> [UInt8] in
          let tail = 0x80 | UInt8(unit & 0x3F)
          let middle = UInt8(unit >> 6 & 0x3F)
          return switch unit {
          case ..<0x80: [UInt8(unit)]
          case ..<0x800: [0xC0 | UInt8(unit >> 6), tail]
          default: [0xE0 | UInt8(unit >> 12), 0x80 | middle, tail]
          }
        }
      }
      all.append(1)
      all.append(two: UInt16(truncatingIfNeeded: modified.count))
      all += modified
    }
  }

  mutating func classNamed(_ name: String) -> UInt16 {
    let text = text(Array(name.utf8))
    return number(.named(text)) { $0.append(tag: 7, text) }
  }

  mutating func field(_ owner: String, _ name: [UInt8], _ descriptor: String) -> UInt16 {
    let pair = (classNamed(owner), nameAndType(name, descriptor))
    return number(.field(pair.0, pair.1)) { $0.append(tag: 9, pair.0, pair.1) }
  }

  mutating func method(_ owner: String, _ name: String) -> UInt16 {
    let pair = (classNamed(owner), nameAndType(Array(name.utf8), "()V"))
    return number(.method(pair.0, pair.1)) { $0.append(tag: 10, pair.0, pair.1) }
  }

  private mutating func nameAndType(_ name: [UInt8], _ descriptor: String) -> UInt16 {
    let pair = (text(name), text(Array(descriptor.utf8)))
    return number(.nameAndType(pair.0, pair.1)) { $0.append(tag: 12, pair.0, pair.1) }
  }
}

extension [UInt8] {
  fileprivate mutating func append(two value: UInt16) { self += [UInt8(value >> 8), UInt8(value & 0xFF)] }

  fileprivate mutating func append(four value: UInt32) {
    append(two: UInt16(value >> 16))
    append(two: UInt16(value & 0xFFFF))
  }

  fileprivate mutating func append(tag: UInt8, _ words: UInt16...) {
    append(tag)
    for word in words { append(two: word) }
  }
}
