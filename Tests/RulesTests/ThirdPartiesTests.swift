import Testing

@testable import Recipes

/// Libraries of third parties are known by their symbols, and nothing else is taken for one.
@Suite struct ThirdPartiesTests {
  @Test(arguments: [
    ("_sqlite3_open", "SQLite"), ("_sqlcipher_codec", "SQLCipher"), ("_EVP_DigestInit", "OpenSSL"),
    ("_BORINGSSL_self_test", "BoringSSL"), ("_inflateInit2_", "zlib"), ("_av_malloc", "FFmpeg"),
    ("_OBJC_CLASS_$_GPBMessage", "Protocol Buffers"), ("_OBJC_METACLASS_$_LOTAnimationView", "Lottie"),
    ("__ZN6google8protobuf7MessageD0Ev", "Protocol Buffers"), ("__ZNK4absl6StatusEv", "Abseil"),
    ("_$s6Lottie9AnimationVN", "Lottie"), ("_$s9Alamofire7SessionCN", "Alamofire"),
  ])
  func isKnown(_ symbol: String, _ library: String) {
    #expect(ThirdParties.all.index(of: symbol).map { ThirdParties.all.names[$0] } == library)
  }

  @Test(arguments: [
    "", "_", "_main", "_av", "_MakeStringCopy", "_OBJC_CLASS_$_Scanner", "__ZN7scanner4ScanEv", "_EVPQ",
  ])
  func isNotKnown(_ symbol: String) {
    #expect(ThirdParties.all.index(of: symbol) == nil)
  }

  /// A plugin's own code lies beside that of a library that it carries.
  @Test func halfOfTheSymbolsDecide() {
    #expect(ThirdParties.all.library(of: ["_sqlite3_open", "_sqlite3_close", "_own", "_other"]) == "SQLite")
    #expect(ThirdParties.all.library(of: ["_sqlite3_open", "_a", "_b"]) == nil)
    #expect(ThirdParties.all.library(of: [String]()) == nil)
  }

  @Test func managersHaveTheirOwnNames() {
    #expect(ThirdParties.all.library(packaged: "OpenSSL-Universal") == "OpenSSL")
    #expect(ThirdParties.all.library(packaged: "lottie_ios") == "Lottie")
    #expect(ThirdParties.all.library(packaged: "Own-Thing") == "ownthing")
  }

  /// Each line of the list counts, and each beginning is at least four bytes, which the index asks for.
  @Test func theListIsWellFormed() {
    #expect(ThirdParties.all.names.count == Set(ThirdParties.all.names).count)
    #expect(ThirdParties.all.names.count > 60 && !ThirdParties.all.names.contains(""))
    #expect(ThirdParties("A: _a\nB: _abcd").index(of: "_abcd") == 1)
  }
}
