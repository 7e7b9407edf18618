import CExpat
import CLibrary

/// The only code that calls expat. Its events go to a builder until the document ends or a problem is found.
///
/// Expat does not recurse. A declaration of an entity ends the reading, so nothing expands and nothing is fetched. It
/// gets the document in pieces, which bounds what it holds at once: a tag or a comment.
enum Expat {
  private static let piece = 256 << 10

  /// - Parameter encoding: overrides the encoding that the document declares, unless it is nil.
  static func parse(
    _ bytes: [UInt8], as encoding: String?, _ builder: consuming XMLTreeBuilder
  ) throws(XMLProblem) -> XMLTree {
    guard let parser = unsafe XML_ParserCreate(encoding) else {
      throw XMLProblem(position: .init(line: 1, column: 1), reason: .broken)
    }
    defer { unsafe XML_ParserFree(parser) }
    let events = unsafe ExpatEvents(parser, builder, bytes)
    unsafe XML_SetUserData(parser, Unmanaged.passUnretained(events).toOpaque())
    unsafe setHandlers(parser)
    var next = 0
    repeat {
      let range = next..<min(bytes.count, next + piece)
      next = range.upperBound
      let status = withExtendedLifetime(events) {
        unsafe bytes.withUnsafeBytes {
          let part = unsafe UnsafeRawBufferPointer(rebasing: $0[range]).assumingMemoryBound(to: CChar.self)
          return unsafe XML_Parse(parser, part.baseAddress, Int32(part.count), next == bytes.count ? 1 : 0)
        }
      }
      if status == XML_STATUS_OK { events.measure(to: next) }
      if let problem = events.problem { throw problem }
      guard status == XML_STATUS_OK else { throw events.error(unsafe XML_GetErrorCode(parser)) }
    } while next < bytes.count
    return XMLTree(events.builder)
  }

  private static func events(_ data: UnsafeMutableRawPointer?) -> ExpatEvents? {
    guard let data = unsafe data else { return nil }
    return unsafe Unmanaged<ExpatEvents>.fromOpaque(data).takeUnretainedValue()
  }

  /// A text of expat; without a count, it ends before a zero.
  fileprivate static func text(_ start: UnsafePointer<XML_Char>?, _ count: Int? = nil) -> UnsafeRawBufferPointer {
    guard let start = unsafe start else { return unsafe UnsafeRawBufferPointer(start: nil, count: 0) }
    return unsafe UnsafeRawBufferPointer(start: start, count: count ?? strlen(start))
  }

  private static func setHandlers(_ parser: XML_Parser) {
    unsafe XML_SetElementHandler(
      parser, { unsafe Expat.events($0)?.start($1, $2) }, { data, _ in unsafe Expat.events(data)?.end() })
    unsafe XML_SetCharacterDataHandler(parser) { unsafe Expat.events($0)?.text($1, $2) }
    unsafe XML_SetXmlDeclHandler(parser) { data, _, encoding, _ in unsafe Expat.events(data)?.declare(encoding) }
    unsafe XML_SetDoctypeDeclHandler(
      parser, { data, _, system, _, _ in unsafe Expat.events(data)?.isForeign = unsafe system != nil }, { _ in })
    unsafe XML_SetEntityDeclHandler(parser) { data, _, _, _, _, _, _, _, _ in
      unsafe Expat.events(data)?.stop(.documentType)
    }
    unsafe XML_SetAttlistDeclHandler(parser) { data, _, _, _, standard, _ in
      if unsafe standard != nil { unsafe Expat.events(data)?.stop(.documentType) }
    }
    unsafe XML_SetSkippedEntityHandler(parser) { data, _, _ in unsafe Expat.events(data)?.stop(.broken) }
    // Comments and instructions are ignored. Without handlers they would go to the default handler.
    unsafe XML_SetCommentHandler(parser) { data, _ in unsafe Expat.events(data)?.measure() }
    unsafe XML_SetProcessingInstructionHandler(parser) { data, _, _ in unsafe Expat.events(data)?.measure() }
    // Only the default handler gets a reference to a parameter entity, `%name;`.
    unsafe XML_SetDefaultHandlerExpand(parser) { data, text, _ in
      if let text = unsafe text, unsafe text.pointee == CChar(UInt8(ascii: "%")) {
        unsafe Expat.events(data)?.stop(.documentType)
      }
    }
  }
}

/// Passes the events of expat to the builder.
@safe private final class ExpatEvents {
  private let parser: XML_Parser
  private(set) var builder: XMLTreeBuilder
  private let bytes: [UInt8]
  private let hasMark: Bool
  private(set) var problem: XMLProblem?
  /// Whether the DOCTYPE names an external file, which is not read.
  var isForeign = false
  private var encoding = ""

  init(_ parser: XML_Parser, _ builder: consuming XMLTreeBuilder, _ bytes: [UInt8]) {
    unsafe self.parser = parser
    self.builder = builder
    self.bytes = bytes
    hasMark = [[0xEF, 0xBB, 0xBF], [0xFE, 0xFF], [0xFF, 0xFE]].contains { bytes.starts(with: $0) }
  }

  private var position: XMLTag.Position {
    let line = Int(clamping: unsafe XML_GetCurrentLineNumber(parser))
    let column = Int(clamping: unsafe XML_GetCurrentColumnNumber(parser))
    // A byte order mark is counted as a character.
    return .init(line: max(1, line), column: max(1, column + (hasMark && line <= 1 ? 0 : 1)))
  }

  private var offset: Int { Int(clamping: unsafe XML_GetCurrentByteIndex(parser)) }
  private var length: Int { Int(unsafe XML_GetCurrentByteCount(parser)) }

  /// Checks the length of the current tag, comment or instruction.
  func measure() { measure(to: offset + length) }

  /// Checks the length of an unfinished tag or comment, after expat has been given the bytes up to `end`.
  func measure(to end: Int) {
    let limit = builder.limits.tag
    if end - max(0, offset) > limit { stop(.tagTooLong(limit: limit)) }
  }

  func stop(_ reason: XMLProblem.Reason) { stop(XMLProblem(position: position, reason: reason)) }

  private func stop(_ found: XMLProblem) {
    if problem == nil { problem = found }
    _ = unsafe XML_StopParser(parser, XML_Bool(XML_FALSE))
  }

  func start(_ name: UnsafePointer<XML_Char>?, _ list: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?) {
    measure()
    guard problem == nil, let name = unsafe name else { return }
    if isForeign, isTagWithUnknownEntity { return stop(.broken) }
    let position = position
    do throws(XMLProblem) {
      unsafe try builder.start(name, list, at: position, offset: offset)
    } catch {
      stop(error)
    }
  }

  func end() {
    if problem == nil { builder.end(at: offset + length) }
  }

  func text(_ start: UnsafePointer<XML_Char>?, _ count: Int32) {
    if problem == nil { unsafe builder.text(Expat.text(start, Int(count))) }
  }

  func declare(_ name: UnsafePointer<XML_Char>?) {
    if let name = unsafe name { encoding = unsafe String(cString: name) }
  }

  /// If the DOCTYPE names a file, expat silently drops undeclared entities in values of attributes.
  private var isTagWithUnknownEntity: Bool {
    let tag = bytes[offset..<min(bytes.count, offset + length)]
    // In UTF-16 a zero stands beside each byte of an ASCII name.
    for part in tag.filter({ $0 != 0 }).split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
      .dropFirst()
    {
      let known = ["#", "amp;", "lt;", "gt;", "apos;", "quot;"]
      if !known.contains(where: { part.starts(with: $0.utf8) }) { return true }
    }
    return false
  }

  func error(_ code: XML_Error) -> XMLProblem {
    switch code {
    case XML_ERROR_UNKNOWN_ENCODING, XML_ERROR_INCORRECT_ENCODING:
      XMLProblem(position: position, reason: .encoding(encoding))
    case XML_ERROR_PARAM_ENTITY_REF: XMLProblem(position: position, reason: .documentType)
    default: XMLProblem(position: position, reason: .broken)
    }
  }
}

extension XMLTreeBuilder {
  /// `list` has names and values in turn, and nil at its end.
  fileprivate mutating func start(
    _ name: UnsafePointer<XML_Char>, _ list: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?,
    at position: XMLTag.Position, offset: Int
  ) throws(XMLProblem) {
    var next = unsafe list
    // Reading one attribute more than the limit is enough.
    while newAttributes <= limits.attributesOfElement, let key = unsafe next?.pointee,
      let value = unsafe next?.advanced(by: 1).pointee
    {
      guard let name = unsafe add(name: Expat.text(key)) else { throw XMLProblem(position: position, reason: .broken) }
      add(attribute: name, value: unsafe add(Expat.text(value)))
      unsafe next = next?.advanced(by: 2)
    }
    guard let element = unsafe add(name: Expat.text(name)) else {
      throw XMLProblem(position: position, reason: .broken)
    }
    try start(element, at: position, offset: offset)
  }
}
