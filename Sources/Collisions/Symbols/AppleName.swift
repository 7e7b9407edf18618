/// Names of Apple's own frameworks, by the prefixes that they begin with. Every file that mentions a protocol carries a
/// copy of it, so a binary does not tell whose it is: only the name does.
enum AppleName {
  /// `NSCopying`, `UIWebViewDelegate`, `WKUIDelegate`, `OS_dispatch_queue`, `_NSFoo`.
  static func isApples(_ name: String) -> Bool {
    var rest = name.utf8[...]
    if rest.first == UInt8(ascii: "_") { rest = rest.dropFirst() }
    if generous.contains(where: { rest.starts(with: $0.utf8) }) { return true }
    // A prefix ends before the last capital letter of the first ones: `CL` of `CLLocation`, but `CLX` of `CLXThing`.
    let capitals = rest.prefix { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    guard capitals.count > 2, capitals.count < rest.count else { return false }
    return prefixes.contains(String(decoding: capitals.dropLast(), as: UTF8.self))
  }

  /// The beginnings of names that no vendor has. Two letters alone may be a vendor's as well: `NERtcEngineDelegate` and
  /// `MSServiceCommon` are no names of Apple's.
  private static let generous = [
    "NS", "UI", "OS_", "ADBanner", "ADInterstitial", "CHHaptic", "ILCall", "ILMessage", "MECompose", "MEContent",
    "MEExtension", "MEMessage", "MSMessage", "MSSticker", "NEApp", "NEFilter", "NETunnel", "PTChannel", "SRSensor",
  ]

  private static let prefixes: Set<String> = [
    "AB", "AC", "AR", "ARSCN", "ARSK", "AS", "ATT", "AU", "AV", "AVURL", "BG", "CA", "CB", "CI", "CK",
    "CL", "CM", "CN", "CS", "CT", "CV", "CX", "DC", "EA", "EK", "GC", "GK", "GLK", "HK", "HM", "IDE", "IN",
    "INUI", "IOS", "JS", "LA", "LP", "MC", "MDL", "MDLUSD", "MF", "MK", "ML", "MP", "MPS", "MTK", "MTL",
    "MX", "NEHTTP", "NFC", "NFCNDEF", "NFCVAS", "NI", "NK", "NL", "PDF", "PH", "PK", "QL", "RP", "SCN",
    "SF", "SK", "SKAD", "SN", "TK", "TV", "UN", "VN", "VS", "WC", "WK", "WKHTTP", "WKURL", "WKUI", "XC",
    "XCT", "XCUI",
  ]
}
