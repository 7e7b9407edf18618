import Lanes
import Artifacts
import ObjectFiles
import SystemPackage
import Testing
import TestSupport

/// Names of C++ as LLVM writes them, whichever runtime reads them.
@Suite struct DemangleTests {
  static let names = [
    "_Z1fv", "_ZN1n1VINS0_IiEEE1fES1_", "_ZN1n1VINS0_INS0_IiEEEEE1fES1_", "_ZNSolsEDn", "_ZTIPKDn", "_Z1fDn",
    "_ZN1AlsI1BEEvT_", "_ZN1AltI1BEEvT_", "_ZN1AgtI1BEEvT_", "_ZN1ArsI1BEEvT_", "_ZN1AeqI1BEEvT_",
    "_ZlsI1AIS0_IiEEEvT_",
    "_ZZ1giENKUliE_clEi", "_ZZ1giENKUliE0_clEi", "_ZZ1giENKUliE1_clEi", "_ZZ1giENKUlvE10_clEv",
    "_ZZ1gvENKUlPFvvEE_clES0_", "_Z1gIZ1fvEUlT_E_Evv", "_Z1gIZ1fvEUlT_OT0_E0_Evv",
    "_Z4callIZ1giEUliE_EiT_", "_ZZZ1giENKUliE_clEiENKUlvE0_clEv", "_ZNK3$_0clEi", "_ZN3fooUt_1gEv", "_ZN3fooUt0_1gEv",
    "_ZNSt8ios_base7failureB5cxx11D0Ev", "_Z1fSs", "_Z1fSt6vectorIS_IiSaIiEESaIS1_EE", "_Z1fILi3ELj4ELm5ELb1ELc97EEvv",
    "_Z1fDv2_d", "_Z1fI1AIDv4_fEEvT_", "_Z1fDv4_h1BIS_IDv2_mEE", "_Z1fU13block_pointerFvvE",
    "_Z1fU13block_pointerFiilE",
    "_Z1gv.cold", "_ZL3hidi.isra.0.cold", "_ZL4data.1", "___Z5otherv_block_invoke", "___Z5otherv_block_invoke_2",
    "___Z5otherv_block_invoke.cold", "___Z5otherv_block_invoke_2.3", "_ZGVZ1fvE1x", "_ZTW1x", "_ZTHN1n1xE",
    "_ZThn8_N1DD1Ev",
    "_ZTv0_n24_N1DD0Ev",
    "_Z1fPFiiEM1AFvvEM1Bi", "_Z1fRA4_iO1A", "_ZdlPvm", "_ZnwmSt11align_val_t", "_ZTV1A", "_ZTT1D", "_ZTC1D0_1B",
    "_ZTS1A",
    "_Z1fIJicEEvDpT_", "_Z1fIiEDTcl1gfp_EET_", "_Z1fIiEDTcl1gfp_fp0_fp1_EET_lx", "_ZN12_GLOBAL__N_16hiddenEi",
    "_Z1fxyhwnoeg", "_ZN1A1fEvV",
    "_ZNVK1A1fEv",
    "_ZNKR1A1fEv", "_ZNO1A1fEv", "_ZN1AcviEv", "_ZN1AcvPKcEv", "_Zli2_xy", "_ZGTtNKSt11logic_error4whatEv", "_Z", "_ZZ",
    "_Z1",
    "_Z9short", "_ZN", "___Z_block_invoke", "___Zfoo", "___Z1fv", "plain", "", "_RNvC1a1b", "_Z1f_Z1g",
  ]

  @Test(.tools) func asLLVM() async throws {
    let names = DemangleTests.names.filter { !$0.hasPrefix("_R") && !$0.isEmpty }
    let scratch = Scratch()
    let theirs = try await Tool.check(["llvm-cxxfilt-19"] + names, in: scratch.path).split(separator: "\n").map(
      String.init)
    #expect(theirs.count == names.count)
    for (name, their) in zip(names, theirs) {
      let ours = try DemangledCPlusPlus.text(Array(name.utf8)[...]).map { String(decoding: $0, as: UTF8.self) } ?? name
      #expect(ours == their, "\(name)")
    }
  }

  @Test func noName() throws {
    for name in ["", "_", "_Z", "_RNvC1a1b", "plain", "___Z", "___Z_block_invoke", "_Z.", "."] {
      let text = try DemangledCPlusPlus.text(Array(name.utf8)[...])
      #expect(text == nil)
    }
  }

  /// Each ten bytes double the text.
  @Test func overlongTexts() {
    let name = "_Z1f1B" + "FvS_S_E" + (0..<9).map { "FvS\($0)_S\($0)_E" }.joined()
    for count in [name.utf8.count, name.utf8.count - 9, 13, 6] {
      let name = Array(name.utf8.prefix(count))
      #expect(DemangledCPlusPlus.isMangled(name))
      let text = Result { () throws(OverlongText) in try DemangledCPlusPlus.text(name[...]) }
      switch text {
      case .success(let text): #expect(count < 80 && text != nil && text?.count ?? 0 < 12_000)
      case .failure: #expect(count > 80)
      }
    }
    #expect(!DemangledCPlusPlus.isMangled([UInt8]("_Z1f\0".utf8)))
    #expect(!DemangledCPlusPlus.isMangled([UInt8]("_Z1f".utf8) + Array(repeating: 0x76, count: 1 << 20)))
  }

  /// Every prefix of every name, and names with a byte changed: a text or none.
  @Test func damage() {
    var generator = Seeded(seed: 11)
    for name in DemangleTests.names {
      let bytes = Array(name.utf8)
      for count in 0...bytes.count { _ = try? DemangledCPlusPlus.text(bytes[..<count]) }
      for _ in 0..<200 where !bytes.isEmpty {
        var changed = bytes
        changed[generator.number(bytes.count)] = UInt8(generator.number(256))
        _ = try? DemangledCPlusPlus.text(changed[...])
      }
    }
  }

  /// Damaged objects through the whole listing, with names and metadata.
  @Test func damagedObjects() async throws {
    let scratch = Scratch()
    try scratch.write(
      "a.mm",
      """
      namespace n { template <class T> struct V { void f(T) {} }; template struct V<V<int>>; }
      __attribute__((objc_root_class)) @interface Root { Class isa; } - (void)go; @end
      @implementation Root - (void)go { [self go]; } @end
      """)
    try await Tool.check(
      ["clang", "-target", "arm64-apple-ios13.0", "-ffreestanding", "-w", "-c", "a.mm", "-o", "a.o"], in: scratch.path)
    let bytes = try scratch.read("a.o")
    var generator = Seeded(seed: 5)
    for round in 0..<150 {
      var damaged = bytes
      for _ in 0..<round.signum() * 2 { damaged[generator.number(bytes.count)] = UInt8(generator.number(256)) }
      if round % 3 == 2 { damaged.removeLast(generator.number(bytes.count)) }
      try scratch.write("b.o", damaged)
      let search = CodeFiles(scratch("b.o"), temporary: scratch.path)
      for format in [SymbolListing.Format.nm(NMFormat(SymbolSelection()), maps: false), .json] {
        var listing = SymbolListing(format, SymbolSelection(), architectures: nil)
        listing.objc = true
        var names = DemangledNames()
        for file in search.files { names.add(file, SymbolSelection()) }
        names.answerCPlusPlus(names.unknownCPlusPlus.map { (try? DemangledCPlusPlus.text($0[...])) ?? [] })
        listing.names = names
        for file in search.files {
          var text: [UInt8] = []
          try await listing.write([file], atOnce: 1) { $1.text.forEachBlock { text += $0 } }
          if round == 0 {
            let words = String(decoding: text, as: UTF8.self)
            #expect(words.contains("n::V<n::V<int>>::f(n::V<int>)") && words.contains("Root"))
          }
        }
      }
    }
  }
}
