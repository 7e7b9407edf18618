// A C++ name is mangled as the Itanium C++ ABI says: `_Z`, then what it stands for; a compiler that splits a function
// writes `.cold` and the like behind it. Clang's blocks are `___Z…_block_invoke`, with a number if there are several.
//
// Runtimes differ in the spelling of names. LLVM's is used (`llvm-nm`, libc++abi); it is below that of libstdc++ here:
//
//   A<B<int> >       operator<< <T>   {lambda(int)#2}     {unnamed type#1}  decltype(nullptr)  decltype (x)  f() [clone .cold]
//   A<B<int>>        operator<<<T>    'lambda0'(int)      'unnamed'         std::nullptr_t     decltype(x)   f() (.cold)
//
//   int ( block_pointer)(long)   double __vector(2)    {parm#2}   {lambda(auto:1)#1}
//   int (long) block_pointer     double vector[2]      fp0        'lambda'(auto)
//
//   TLS wrapper function for x              TLS init function for x
//   thread-local wrapper routine for x      thread-local initialization routine for x
//
// The conversion leaves out what only a syntax tree shows: the return type of a template function inside of a name, and
// manglings that the runtime does not know, such as those of conversion operator templates.

/// The error for a name that expands to more text than any real name: every ten bytes of a name can double its text.
package struct OverlongText: Error {}

/// C++ names as their author wrote them.
package enum DemangledCPlusPlus {
  /// Whether the name may be mangled. No mangled name has a zero byte, and no real one comes near this length.
  package static func isMangled(_ name: [UInt8]) -> Bool {
    (name.starts(with: "_Z".utf8) || name.starts(with: "___Z".utf8)) && name.count <= 64 << 10 && !name.contains(0)
  }

  /// In bytes. Among half a million real names, one text is over 1 KB long and 30 times as long as its name.
  package static func maxTextLength(_ count: Int) -> Int { 1024 + 64 * count }

  /// Nil if the name is not mangled. It comes without Mach-O's leading underscore. Only the length of the text is
  /// limited, not the time and memory that it takes: untrusted names need a process with limits.
  package static func text(_ name: ArraySlice<UInt8>) throws(OverlongText) -> [UInt8]? {
    if name.starts(with: Array("___Z".utf8)) { return try block(name.dropFirst(2)) }
    guard name.starts(with: Array("_Z".utf8)), !name.starts(with: Array("_ZGT".utf8)) else { return nil }
    if let dot = name.firstIndex(of: UInt8(ascii: ".")), let text = try plain(name[..<dot]) {
      return text + Array(" (".utf8) + name[dot...] + Array(")".utf8)
    }
    return try plain(name)
  }

  private static func block(_ name: ArraySlice<UInt8>) throws(OverlongText) -> [UInt8]? {
    let end = Array("_block_invoke".utf8)
    // LLVM omits the suffix of a block's name.
    var base = name.prefix { $0 != UInt8(ascii: ".") }
    while let digit = base.last, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) { base.removeLast() }
    if base.last == UInt8(ascii: "_") { base.removeLast() }
    guard base.suffix(end.count) == end[...], let text = try plain(base.dropLast(end.count)) else { return nil }
    return Array("invocation function for block in ".utf8) + text
  }

  private static func plain(_ name: ArraySlice<UInt8>) throws(OverlongText) -> [UInt8]? {
    guard let text = try demangledByRuntime(name, atMost: maxTextLength(name.count)) else { return nil }
    #if canImport(Darwin)
      return text
    #else
      var writer = LLVMSpelling(text)
      return writer.rewritten()
    #endif
  }
}

/// Rewrites libstdc++'s spelling as LLVM's, byte by byte: no pattern has more than one meaning.
struct LLVMSpelling {
  private let text: [UInt8]
  private var position = 0

  init(_ text: [UInt8]) { self.text = text }

  mutating func rewritten() -> [UInt8] {
    guard let kind = LLVMSpelling.kinds.first(where: { has($0.from) }) else { return until(nil) }
    position += kind.from.count
    return kind.to + until(nil)
  }

  private static let kinds: [(from: [UInt8], to: [UInt8])] = [
    ("TLS wrapper function for ", "thread-local wrapper routine for "),
    ("TLS init function for ", "thread-local initialization routine for "),
  ].map { (Array($0.0.utf8), Array($0.1.utf8)) }

  private static let replacements: [(from: [UInt8], to: [UInt8])] = [
    ("operator<< <", "operator<<<"), ("operator< <", "operator<<"),
    ("decltype(nullptr)", "std::nullptr_t"), ("decltype (", "decltype("),
  ].map { (Array($0.0.utf8), Array($0.1.utf8)) }
  private static let lambda = Array("{lambda(".utf8)
  private static let parameter = Array("{parm#".utf8)
  private static let unnamed = Array("{unnamed type#".utf8)
  private static let block = Array("( block_pointer)(".utf8)
  private static let vector = Array(" __vector(".utf8)

  /// Rewrites up to `end` at the same depth of parentheses, or to the end of the text.
  private mutating func until(_ end: UInt8?) -> [UInt8] {
    var result: [UInt8] = []
    var depth = 0
    while position < text.count {
      let byte = text[position]
      if depth == 0, byte == end { return result }
      switch byte {
      case UInt8(ascii: "{") where has(LLVMSpelling.lambda): result += lambda()
      case UInt8(ascii: "{") where has(LLVMSpelling.unnamed):
        position += LLVMSpelling.unnamed.count
        result += Array("'unnamed\(number())'".utf8)
        position += 1
      case UInt8(ascii: "{") where has(LLVMSpelling.parameter):
        position += LLVMSpelling.parameter.count
        result += Array("fp\(number())".utf8)
        position += 1
      case UInt8(ascii: ":") where result.suffix(4).elementsEqual("auto".utf8) && isDigit(position + 1):
        position += 1
        _ = number()
      case UInt8(ascii: " ") where result.last == UInt8(ascii: ">") && has([byte, UInt8(ascii: ">")]): position += 1
      case UInt8(ascii: "(") where has(LLVMSpelling.block):
        position += LLVMSpelling.block.count
        result += Array("(".utf8) + until(UInt8(ascii: ")")) + Array(") block_pointer".utf8)
        position += 1
      case UInt8(ascii: " ") where has(LLVMSpelling.vector):
        position += LLVMSpelling.vector.count
        result += Array(" vector[".utf8) + until(UInt8(ascii: ")")) + Array("]".utf8)
        position += 1
      case UInt8(ascii: "o"), UInt8(ascii: "d"):
        if let match = LLVMSpelling.replacements.first(where: { has($0.from) }) {
          result += match.to
          position += match.from.count
          depth += match.to.reduce(0) { $0 + ($1 == UInt8(ascii: "(") ? 1 : 0) }
        } else {
          fallthrough
        }
      default:
        if byte == UInt8(ascii: "(") { depth += 1 }
        if byte == UInt8(ascii: ")") { depth -= 1 }
        result.append(byte)
        position += 1
      }
    }
    return result
  }

  /// `{lambda(int)#2}`
  private mutating func lambda() -> [UInt8] {
    position += LLVMSpelling.lambda.count
    let parameters = until(UInt8(ascii: ")"))
    position += 2
    let name = "'lambda\(number())'("
    position += 1
    return Array(name.utf8) + parameters + [UInt8(ascii: ")")]
  }

  /// The first has no number, the second 0.
  private mutating func number() -> String {
    var digits = ""
    while isDigit(position) {
      digits.unicodeScalars.append(UnicodeScalar(text[position]))
      position += 1
    }
    guard let number = Int(digits), number > 1 else { return "" }
    return "\(number - 2)"
  }

  private func isDigit(_ index: Int) -> Bool {
    index < text.count && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[index])
  }

  private func has(_ words: [UInt8]) -> Bool {
    guard words.count <= text.count - position else { return false }
    for (index, byte) in words.enumerated() where text[position + index] != byte { return false }
    return true
  }
}
