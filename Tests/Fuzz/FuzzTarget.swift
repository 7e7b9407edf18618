/// What is fuzzed, one target for each format.
enum FuzzTarget: String, CaseIterable {
  case machO = "macho"
  case elf, `class`, bitcode, archive, fat, lipo, loader, tables, objc, code, linkage
  case stub, plist, openstep, xml, manifest, depfile, zip, jar, web, tree
  case log, state, result, names, outcome, plugins

  /// Reads all that there is to read; false if what was read cannot be: a range outside of the input, say.
  func isSound(_ bytes: [UInt8]) -> Bool {
    switch self {
    case .machO, .elf, .class, .bitcode, .archive, .fat, .lipo, .loader, .tables, .objc, .code, .linkage:
      isSoundCode(bytes)
    case .stub: isSoundStub(bytes)
    case .plist, .openstep, .xml, .manifest, .depfile, .zip, .jar, .web: isSoundDocument(bytes)
    case .tree: isSoundTree(bytes)
    case .log, .state: isSoundState(bytes)
    case .result, .names, .outcome, .plugins: isSoundRecord(bytes)
    }
  }
}
