// A class file is as in chapter 4 of the Java Virtual Machine Specification: magic, version, constants, flags, this and
// super, interfaces, fields, methods, attributes; all big endian. Version 49 (Java 5) is the last whose code needs no
// stack maps. Constants are numbered in the order of their first use, so equal input gives equal bytes.

/// A public, final class whose super class is `Object`, with `int` and `int[]` fields and methods that copy them.
struct ClassFileWriter {
  /// The code of a static method without parameters or result.
  struct Code {
    fileprivate var bytes: [UInt8] = []
    /// Rows of start, end, handler and class.
    fileprivate var handlers: [UInt8] = []

    /// The arguments are constants' numbers.
    mutating func copy(from: UInt16, to: UInt16, catching error: UInt16?) {
      let start = UInt16(bytes.count)
      bytes.append(tag: 0xB2, from)  // getstatic
      bytes.append(tag: 0xB3, to)  // putstatic
      guard let error else { return }
      bytes += [0xA7, 0, 4]  // goto, over the handler
      bytes.append(0x57)  // pop
      handlers.append(words: start, start + 3, start + 9, error)
    }

    mutating func call(_ method: UInt16) { bytes.append(tag: 0xB8, method) }  // invokestatic
  }

  /// The numbers of constants, by their bytes.
  private var numbers: [[UInt8]: UInt16] = [:]
  private var constants: [UInt8] = []
  private var fields: [UInt8] = []
  private var methods: [UInt8] = []
  private var methodCount: UInt16 = 0
  private var nested: [UInt8] = []
  /// Flags, this class, super class, no interfaces.
  private var head: [UInt8] = [0x00, 0x31]  // ACC_PUBLIC, ACC_FINAL, ACC_SUPER

  /// The name with slashes: `com/third/R$layout`.
  init(name: String) {
    head.append(words: classNamed(name), classNamed("java/lang/Object"), 0)
  }

  mutating func addField(_ name: [UInt8], _ descriptor: String) {
    // ACC_PUBLIC and ACC_STATIC; no attributes.
    fields.append(words: 0x0009, text(name), text(descriptor.utf8), 0)
  }

  mutating func addMethod(_ name: String, _ code: Code) {
    let flags: UInt16 = name == "<clinit>" ? 0x0008 : 0x100A  // ACC_STATIC; ACC_PRIVATE and ACC_SYNTHETIC for ours
    methods.append(words: flags, text(name.utf8), text("()V".utf8), 1, text("Code".utf8))
    let body = code.bytes + [0xB1]  // return
    methods.append(four: 12 + body.count + code.handlers.count)
    methods.append(words: 1, 0)  // stack, locals
    methods.append(four: body.count)
    methods += body
    methods.append(rows: code.handlers)
    methods.append(words: 0)  // attributes of the code
    methodCount += 1
  }

  /// The outer class names its nested ones, and these themselves and every nested class that they use (JVMS 4.7.6).
  mutating func nest(_ name: String, in outer: String) {
    // ACC_PUBLIC, ACC_STATIC, ACC_FINAL
    nested.append(words: classNamed("\(outer)$\(name)"), classNamed(outer), text(name.utf8), 0x0019)
  }

  var bytes: [UInt8] {
    var file = self
    let attribute = nested.isEmpty ? nil : file.text("InnerClasses".utf8)
    var all: [UInt8] = [0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 49]
    all.append(words: UInt16(file.numbers.count + 1))
    all += file.constants + head
    all.append(rows: fields)
    all.append(words: methodCount)
    all += methods
    guard let attribute else { return all + [0, 0] }
    all.append(words: 1, attribute)
    all.append(four: 2 + nested.count)
    all.append(rows: nested)
    return all
  }

  // MARK: - Constants, by their numbers

  private mutating func number(_ constant: [UInt8]) -> UInt16 {
    if let number = numbers[constant] { return number }
    let number = UInt16(truncatingIfNeeded: numbers.count + 1)
    numbers[constant] = number
    constants += constant
    return number
  }

  private mutating func number(tag: UInt8, _ words: UInt16...) -> UInt16 {
    number([tag] + words.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
  }

  /// In modified UTF-8 (JVMS 4.4.7): characters beyond U+FFFF are two surrogates of three bytes each.
  private mutating func text(_ utf8: some Collection<UInt8>) -> UInt16 {
    var modified = Array(utf8)
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
    var constant: [UInt8] = []
    constant.append(tag: 1, UInt16(truncatingIfNeeded: modified.count))
    return number(constant + modified)
  }

  mutating func classNamed(_ name: String) -> UInt16 { number(tag: 7, text(name.utf8)) }

  mutating func field(_ owner: String, _ name: [UInt8], _ descriptor: String) -> UInt16 {
    number(tag: 9, classNamed(owner), nameAndType(name, descriptor))
  }

  mutating func method(_ owner: String, _ name: String) -> UInt16 {
    number(tag: 10, classNamed(owner), nameAndType(Array(name.utf8), "()V"))
  }

  private mutating func nameAndType(_ name: [UInt8], _ descriptor: String) -> UInt16 {
    number(tag: 12, text(name), text(descriptor.utf8))
  }
}

extension [UInt8] {
  fileprivate mutating func append(words: UInt16...) {
    for word in words { self += [UInt8(word >> 8), UInt8(word & 0xFF)] }
  }

  fileprivate mutating func append(four value: Int) {
    append(words: UInt16(value >> 16), UInt16(value & 0xFFFF))
  }

  fileprivate mutating func append(tag: UInt8, _ word: UInt16) {
    append(tag)
    append(words: word)
  }

  /// The number of rows, then the rows: fields, handlers and nested classes have four words each.
  fileprivate mutating func append(rows: [UInt8]) {
    append(words: UInt16(rows.count / 8))
    self += rows
  }
}
