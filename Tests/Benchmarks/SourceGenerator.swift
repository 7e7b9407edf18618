import TestSupport

/// Writes C and Objective-C that compiles without an SDK and looks, to a compressor, like a library's code: structs,
/// tables, branches, calls, messages to the log, classes with selectors and string constants.
struct SourceGenerator {
  private var random: Seeded
  private var functions: [String] = []
  private var fields: [String] = []
  private var type = ""
  private var prefix = ""

  init(seed: UInt64) {
    random = Seeded(seed: seed &* 0x5851_F42D_4C95_7F2D)
  }

  private static let words = """
    account action adapter alert anchor array asset audio badge banner batch binding block border bridge buffer bundle \
    button cache calendar camera capture cell channel chart check class client clock closure cloud cluster codec color \
    column command config connect console contact content context control cookie copy core count cursor data date \
    decode default delegate delete delta device dialog digest direct display document domain download drag draw editor \
    element encode engine entity entry error event export factory feature fetch field file filter finish flag focus \
    folder font format frame gateway gesture global gradient graph group handle handler hash header height history host \
    icon image import index input insert inset instance invoice item iterator journal key keyboard label layer layout \
    length level library limit line link list listener load local location lock login manager map margin mask matrix \
    media member memory menu merge message meta method metric model module monitor motion name native network node \
    notify number object observer offset open option order output owner packet page panel parent parse party password \
    path pattern payload peer permission phone photo pipeline pixel player plugin point pointer policy pool popup port \
    prefix preview printer profile progress prompt property protocol proxy query queue radius random range rate reader \
    record rect redirect refresh region register relation release reload remote render report request reset resize \
    resource response result retry role root route row rule sample scale scanner scene schema scope score screen scroll \
    search section secure segment select sender sequence server service session setting shadow shape share signal size \
    slider socket source span split stack stage state static status storage stream string style submit subview summary \
    switch symbol sync system table target task template text theme thread thumb ticket timer title token toolbar total \
    touch track transfer transform tree trigger type unit update upload user validate value vector vendor version video \
    view visible voice volume widget width window worker wrapper writer zone zoom
    """.split(separator: " ").map(String.init)

  mutating func word() -> String { pick(Self.words) }

  private mutating func pick<T>(_ items: [T]) -> T { items[Int.random(in: items.indices, using: &random)] }

  private mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

  private func capital(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }

  private mutating func constant() -> String {
    switch number(6) {
    case 0: "0x" + String(random.next() >> UInt64(32 + number(24)), radix: 16)
    case 1: "\(number(1 << (4 + number(16))))"
    default: "\(number(64))"
    }
  }

  private mutating func sentence() -> String {
    let verbs = ["could not", "will", "did", "failed to", "now", "cannot", "must", "starting to"]
    var text = pick(verbs) + " \(word()) the \(word())"
    if number(2) == 0 { text += " of \(word()) %s" }
    if number(3) == 0 { text += " (\(word()) %d, \(word()) %d)" }
    return text
  }

  /// One source file.
  mutating func unit(functions count: Int, objectiveC: Bool) -> String {
    prefix = String((0..<2).map { _ in pick(Array("ABCDEFGHKLMNPRSTVW")) })
    type = prefix + capital(word()) + capital(word())
    fields = Array(Set((0..<24).map { _ in word() })).sorted().map { $0 + "_" }
    functions = []
    var text = """
      typedef unsigned char u8; typedef unsigned int u32; typedef unsigned long long u64;
      extern void \(prefix.lowercased())_log(int level, const char *format, ...);
      extern void *\(prefix.lowercased())_alloc(u32 size);
      typedef struct \(type) {\n
      """
    for field in fields {
      text +=
        "  \(pick(["int", "u32", "float", "double", "u64", "const char *", "u8", "struct \(type) *"])) \(field);\n"
    }
    // Every field is read as an integer too, so that any of them fits anywhere.
    text += "  int values[64];\n} \(type);\n"
    text += "static const char *const \(type)Names[] = {\n"
    for _ in 0..<(8 + number(60)) { text += "  \"\(word()).\(word())\(number(3) == 0 ? ".\(word())" : "")\",\n" }
    text += "};\nstatic const u32 \(type)Table[] = {\n"
    for _ in 0..<(16 + number(200)) { text += "  \(constant()),\n" }
    text += "};\n"
    for index in 0..<count { text += function(index) }
    if objectiveC { for index in 0..<(1 + count / 24) { text += objectiveCClass(index) } }
    return text
  }

  private mutating func field() -> String {
    number(3) == 0 ? "values[\(number(64))]" : pick(fields)
  }

  private mutating func integer() -> String {
    switch number(6) {
    case 0: "(int)(u64)self->values[(\(pick(["flags", "total", "count"])) + \(number(9))) & 63]"
    case 1: "total"
    case 2: "flags"
    case 3: constant()
    case 4: "(int)\(type)Table[(total \(pick(["+", "^", "*"])) \(number(99))) % (sizeof \(type)Table / 4)]"
    default: "count"
    }
  }

  private mutating func statement(_ depth: Int) -> String {
    let pad = String(repeating: "  ", count: depth)
    let operation = pick(["+", "-", "*", "^", "&", "|", ">>", "<<"])
    switch number(depth > 3 ? 5 : 11) {
    case 0: return "\(pad)total \(operation)= \(integer()) \(operation.first == ">" ? "& 7" : "");\n"
    case 1: return "\(pad)self->values[\(number(64))] = \(integer()) \(pick(["+", "-", "*", "^"])) \(integer());\n"
    case 2:
      return "\(pad)\(prefix.lowercased())_log(\(number(5)), \"\(sentence())\", \(type)Names[\(number(8))], "
        + "\(integer()), \(integer()));\n"
    case 3: return "\(pad)if (\(integer()) \(pick(["<", ">", "==", "!="])) \(integer())) return \(-number(40));\n"
    case 4 where !functions.isEmpty:
      return "\(pad)count += \(pick(functions))(self, \(type)Names[\(number(8))], \(integer()));\n"
    case 4, 5:
      return "\(pad)\(pick(["total", "count", "flags"])) = \(integer()) \(pick(["+", "*", "^", "|"])) \(integer());\n"
    case 6:
      var text = "\(pad)for (int i = 0; i < \(2 + number(40)); i++) {\n"
      text += "\(pad)  self->values[(i + \(number(30))) & 63] \(pick(["+=", "^=", "-="])) \(integer());\n"
      for _ in 0..<(1 + number(3)) { text += statement(depth + 1) }
      return text + "\(pad)}\n"
    case 7:
      var text = "\(pad)switch (\(integer()) & \(pick([3, 7, 15]))) {\n"
      for value in 0..<(3 + number(7)) {
        text += "\(pad)case \(value):\n" + statement(depth + 2) + "\(pad)  break;\n"
      }
      return text + "\(pad)default: total++;\n\(pad)}\n"
    case 8:
      return
        "\(pad){ double ratio = (double)\(integer()) * \(number(100)).\(number(1000)) + self->values[\(number(64))]; "
        + "total += (int)(ratio / \(1 + number(50)).5); }\n"
    default:
      var text = "\(pad)if (\(integer()) \(pick(["<", ">", "&"])) \(integer())) {\n"
      for _ in 0..<(1 + number(3)) { text += statement(depth + 1) }
      if number(2) == 0 { text += "\(pad)} else {\n" + statement(depth + 1) }
      return text + "\(pad)}\n"
    }
  }

  private mutating func function(_ index: Int) -> String {
    let name = "\(prefix.lowercased())_\(word())_\(word())_\(index)"
    var text =
      "int \(name)(\(type) *self, const char *\(word())Name, int flags) {\n  int total = \(number(9)), count = 1;\n"
    for _ in 0..<(4 + number(14)) { text += statement(1) }
    functions.append(name)
    return text + "  return total + count;\n}\n"
  }

  private mutating func objectiveCClass(_ index: Int) -> String {
    let name = "\(prefix)\(capital(word()))\(capital(word()))\(index)"
    var text = ""
    if index == 0 { text += "@class NSString;\n__attribute__((objc_root_class)) @interface \(prefix)Root @end\n" }
    let selectors = (0..<24).map { number in "\(word())\(capital(word())):\(word())\(capital(word()))" + "\(number):" }
    text += "@interface \(name) : \(prefix)Root { id _\(word())A; int _\(word())B; \(type) *_model; }\n"
    for selector in selectors {
      let parts = selector.split(separator: ":")
      text += "- (id)\(parts[0]):(id)first \(parts[1]):(int)flags;\n"
    }
    text += "@end\n@implementation \(name)\n"
    for selector in selectors {
      let parts = selector.split(separator: ":")
      text += "- (id)\(parts[0]):(id)first \(parts[1]):(int)flags {\n  \(type) *self_ = _model; (void)self_;\n"
      for _ in 0..<(2 + number(7)) {
        let target = pick(selectors).split(separator: ":")
        text += "  first = [self \(target[0]):\(pick(["first", "self", "@\"\(sentence())\""])) "
        text += "\(target[1]):\(pick(functions))(_model, \(type)Names[\(number(8))], flags + \(number(50)))];\n"
      }
      text += "  return first;\n}\n"
    }
    return text + "@end\n"
  }
}
