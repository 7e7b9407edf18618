import Foundation
import ObjectFiles
import Store
import SystemPackage
import TestSupport

/// Static libraries as vendors ship them. They may not be passed on, so whoever measures has a folder of them.
struct RealLibraries {
  static let variable = "NPI_REAL_LIBRARIES"
  private static let minNames = 100

  private let scratch = Scratch()
  /// The slices for iPhones, each in a file of its own, in the order of the paths that they were found at.
  private let slices: [FilePath]

  /// Takes the libraries of the folder that the variable names; nil if it is not set.
  static func find() async throws -> RealLibraries? {
    guard let folder = ProcessInfo.processInfo.environment[variable] else { return nil }
    return try await RealLibraries(FilePath(folder))
  }

  /// Of libraries that are the same file, one counts.
  private init(_ folder: FilePath) async throws {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.string).filter(Self.isLibrary)
    var slices: [FilePath] = []
    var seen: Set<Digest> = []
    for name in names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      let path = folder.pushing(FilePath(name))
      guard try FileSystem.status(of: path, followingLinks: false)?.kind == .regular, try Self.isWanted(path) else {
        continue
      }
      let slice = scratch("\(slices.count)-\(path.lastComponent?.string ?? "")")
      let isThin = try await Tool.run(["llvm-lipo-19", path.string, "-thin", "arm64", "-output", slice.string]).status
      if isThin != 0 { try FileManager.default.copyItem(atPath: path.string, toPath: slice.string) }
      if seen.insert(try FileSystem.digest(of: slice)).inserted {
        slices.append(slice)
      } else {
        try FileManager.default.removeItem(atPath: slice.string)
      }
    }
    self.slices = slices
  }

  /// Libraries from all over the folder.
  func set(of count: Int) throws -> [String] {
    guard slices.count >= count else {
      throw ToolError(
        "\(RealLibraries.variable) has \(slices.count) static libraries for iPhones, of which \(count) are asked")
    }
    return (0..<count).map { slices[$0 * slices.count / count].string }
  }

  func all() throws -> [String] { try set(of: max(1, slices.count)) }

  private static func isLibrary(_ path: String) -> Bool {
    let parts = path.split(separator: "/")
    return path.hasSuffix(".a") || parts.count > 1 && parts[parts.count - 2] == "\(parts[parts.count - 1]).framework"
  }

  /// Whether it is a static library for iPhones that defines some names, and not bitcode, which lld compiles.
  private static func isWanted(_ path: FilePath) throws -> Bool {
    try MappedFile.open(path).withBytes { (bytes: RawSpan) in
      let reader = ByteReader(bytes)
      let all = ObjectUnits(reader)
      guard !all.archives.isEmpty, all.errors.isEmpty else { return false }
      var count = 0
      for unit in all.units where unit.slice == nil || unit.slice == .arm64 {
        guard case .machO(.object) = unit.kind, let content = try? reader.slice(unit.range, "object file"),
          let file = try? MachOFile(content), file.architecture == .arm64,
          let builds = try? file.buildVersions(content), builds.allSatisfy({ $0.platform == .iOS })
        else { return false }
        try? MachOSymbolTable(file, content)?.forEach(content) { (symbol: MachOSymbol) throws(FormatError) in
          if symbol.isExternal, !symbol.isDebug, !symbol.isUndefined { count += 1 }
        }
      }
      return count >= minNames
    }
  }
}
