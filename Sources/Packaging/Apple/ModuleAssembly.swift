import Archives
import Artifacts
import BuildEngine
import Documents
import Findings
import ObjectFiles
import Recipes
import Store
import SystemPackage

/// Assembles one such archive: finds the inputs by their roles, and adds the files of each slice.
struct ModuleAssembly {
  let package: ModulePackage
  let context: ActionContext
  private(set) var list = EntryList()
  private(set) var leftOut = LeftOut()
  private(set) var notes: [String] = []

  private var place: Place { package.declaration.place }
  /// The name of the module, and of the XCFramework.
  private var module: String

  /// The inputs of a role: for each path, or match of a glob, the node that names it and all that is below.
  private func inputs(_ role: ModulePackage.Role) -> [(path: FilePath, node: Node, inputs: [ResolvedInput])] {
    zip(package.sources, context.inputs).flatMap { source, group in
      source.role == role ? group.byMatch.map { ($0.root.path, source.node, $0.inputs) } : []
    }
  }

  init(package: ModulePackage, context: ActionContext) {
    (self.package, self.context, module) = (package, context, package.module)
  }

  mutating func run() throws {
    var files: [CodeInput] = []
    var frameworks: [FinishedFramework] = []
    for (source, group) in zip(package.sources, context.inputs) {
      guard case .library(let headers) = source.role else { continue }
      for (root, inputs) in group.byMatch {
        let path = root.path
        if root.kind == .regular {
          let code = try CodeInput(root, headers: headers, at: source.node.place, context)
          guard code.form != .dynamicLibrary else {
            throw Mistakes(
              "\(path) is a dynamic library, and 'libraries' takes static ones, object files and frameworks",
              at: source.node.place, hint: "name the framework that it is in")
          }
          files.append(code)
        } else if path.extension == "framework" {
          frameworks.append(try FinishedFramework(path, inputs, source.node, context))
        } else {
          throw Mistakes(
            "\(path) is a folder, and no framework", at: source.node.place,
            hint: "name the libraries in it: \(path)/*.a")
        }
      }
    }
    if let file = files.first, let framework = frameworks.first {
      throw Mistakes(
        "\(file.path) is a library and \(framework.path) a framework, and an XCFramework has either",
        at: framework.place, notes: ["also: \(file.place)"],
        hint: "leave one of them out, or make a deliverable for each")
    }
    let libraries = try frameworks.isEmpty ? ofLibraries(files) : ofFrameworks(frameworks)
    try finish(libraries)
  }

  // MARK: Slices

  private mutating func ofLibraries(_ files: [CodeInput]) throws -> [XCFramework.Library] {
    guard ModuleAssembly.isIdentifier(module) else {
      throw Mistakes(
        "'\(module)' cannot be imported: a module's name has letters, digits and underscores",
        at: package.declaration.node["module"]?.place ?? place, hint: "set 'module' to another name")
    }
    if let symbols = inputs(.debugSymbols).first {
      throw Mistakes(
        "debug symbols are of a dynamic library, and these are static ones: their debug information is in them",
        at: symbols.node.place, hint: "leave 'debug-symbols' out")
    }
    let slices = try SliceCode.all(of: files)
    try refuseSeveral(slices)
    let modules = inputs(.swiftModule).map { (place: $0.node.place, inputs: $0.inputs) }
    let swift = modules.isEmpty ? nil : try SwiftInterfaces(modules, module: module, context)
    if let swift, let place = modules.first?.place {
      try swift.refuseUnused(slices, at: place)
      leftOut.add(swift.leftOut)
      noteMissing(swift.imports)
    }
    let resources = try packedResources()
    let privacy = try privacyManifest()
    var known: [Int: HeaderFolder] = [:]
    return try slices.map { code in
      let headers = try headers(of: code, &known)
      let interfaces = try swift?.files(for: code, at: modules.first?.place ?? place) ?? []
      if package.layout == .library { return try addLibrary(code, headers, interfaces) }
      let framework = FrameworkFolder(
        module: module, code: code, headers: headers, interfaces: interfaces, resources: resources, privacy: privacy,
        info: InfoPlist.ofFramework(
          module, identifier: package.declaration.node["identifier"]?.text, version: package.plan.manifest.version,
          code
        ).overlaid(with: package.info))
      let library = code.library(named: framework.name, binaryPath: framework.binaryPath)
      try framework.add(to: &list, in: folder(of: library), context, at: place)
      return library
    }
  }

  private mutating func ofFrameworks(_ frameworks: [FinishedFramework]) throws -> [XCFramework.Library] {
    let own: [ModulePackage.Role] = [.ownHeaders, .headers, .swiftModule, .privacy, .resource]
    if let other = package.sources.first(where: { own.contains($0.role) }) {
      throw Mistakes(
        "\(frameworks.first?.path.string ?? "") is finished: nothing is added to it", at: other.node.place,
        hint: "put headers, modules and resources into the framework when it is built, or name its static library")
    }
    if let first = frameworks.first {
      if let other = frameworks.first(where: { !sameBytes($0.name, first.name) }) {
        throw Mistakes(
          "\(first.path) and \(other.path) have two names, and an XCFramework holds one framework for several platforms",
          at: other.place, notes: ["also: \(first.place)"], hint: "make a deliverable for each")
      }
      if package.declaration.node["module"] == nil { module = first.name }
    }
    let slices = try SliceCode.all(of: frameworks.map(\.code))
    try refuseSeveral(slices)
    let symbols = try inputs(.debugSymbols).map { path, node, inputs in
      try DebugSymbols(path, inputs, at: node.place, context)
    }
    try DebugSymbols.refuseUnused(symbols, slices)
    return try slices.map { code in
      let parts = frameworks.filter { framework in code.sources.contains { $0.path == framework.code.path } }
      guard let framework = parts.first else { throw Mistakes("there is no framework", at: place) }
      if let second = parts.dropFirst().first {
        throw Mistakes(
          "\(framework.path) and \(second.path) are both for \(code.target)", at: second.place,
          notes: ["also: \(framework.place)"], hint: "join their binaries with lipo into one framework")
      }
      var library = code.library(named: "\(framework.name).framework", binaryPath: framework.binaryPath)
      let own = symbols.filter { $0.belongs(to: code) }
      if !own.isEmpty { library.debugSymbolsPath = "dSYMs" }
      let folder = folder(of: library)
      try framework.add(to: &list, in: folder, code, &leftOut, context)
      for symbols in own {
        let node = Node(.text(symbols.path.string), at: symbols.place)
        let packed = try PackedItems([PackItem(node)].compactMap(\.self), [symbols.inputs])
        for file in packed.files {
          try list.add("\(folder)dSYMs/\(file.path)", file.entry(context), at: symbols.place)
        }
      }
      return library
    }
  }

  /// Whether it is an identifier of C.
  private static func isIdentifier(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    return !bytes.isEmpty && !(48...57).contains(bytes[0])
      && bytes.allSatisfy { (48...57).contains($0) || (97...122).contains($0 | 0x20) || $0 == UInt8(ascii: "_") }
  }

  private mutating func addLibrary(
    _ code: SliceCode, _ headers: HeaderFolder?, _ interfaces: [(name: String, input: ResolvedInput)]
  ) throws -> XCFramework.Library {
    let names = Set(code.sources.compactMap { $0.path.lastComponent?.string })
    let own = names.first.flatMap { name in
      names.count == 1 && name.hasPrefix("lib") && name.hasSuffix(".a") ? name : nil
    }
    let name = own ?? "lib\(module).a"
    var library = code.library(named: name, binaryPath: name)
    let folder = folder(of: library)
    try list.add(folder + name, code, context, at: place)
    if let headers {
      library.headersPath = "Headers"
      for (path, file) in headers.files {
        try list.add("\(folder)Headers/\(path)", file.entry(context), at: file.place)
      }
      for (path, bytes) in headers.made + headers.maps {
        try list.add("\(folder)Headers/\(path)", bytes: bytes, at: place)
      }
    }
    for (name, input) in interfaces {
      let path = "\(folder)\(module).swiftmodule/\(name)"
      try list.add(path, PackedEntry(try InfoPlist.path(path, at: place), input, context), at: place)
    }
    return library
  }

  /// The folder of a slice, with a slash.
  private func folder(of library: XCFramework.Library) -> String {
    package.container == .framework ? "" : "\(rootName)/\(library.identifier)/"
  }

  private var rootName: String { "\(module).xcframework" }

  private func refuseSeveral(_ slices: [SliceCode]) throws(Mistakes) {
    guard package.container == .framework, slices.count > 1 else { return }
    throw Mistakes(
      "a framework is for one platform, and these libraries are for \(enumerated(slices.map(\.target)))", at: place,
      notes: slices.compactMap { $0.sources.first?.path.string },
      hint: "name those of one platform, or use 'kind: xcframework'")
  }

  /// Says which modules an app has to bring.
  private mutating func noteMissing(_ imports: Set<String>) {
    let missing = imports.filter { !AppleModules.has($0) && !package.supplied.contains($0) }
    guard !missing.isEmpty else { return }
    notes.append("the interface of \(module) imports \(listed(missing.sorted())): nothing here brings that to an app")
  }

  // MARK: What goes with them

  private mutating func headers(of code: SliceCode, _ known: inout [Int: HeaderFolder]) throws -> HeaderFolder? {
    let numbers = Set(code.sources.map(\.headers))
    guard numbers.count == 1, let number = numbers.first else {
      throw Mistakes(
        "the libraries for \(code.target) have different headers", at: code.sources.last?.place ?? place,
        notes: code.sources.map(\.path.string), hint: "libraries of one platform share their headers")
    }
    if let folder = known[number ?? -1] { return folder }
    let sources = zip(package.sources, context.inputs).filter {
      $0.0.role == (number == nil ? .headers : .ownHeaders)
    }
    guard let (source, group) = sources.dropFirst(number ?? 0).first else { return nil }
    let folder = try HeaderFolder(source.node, group, module: module, package.layout, context)
    leftOut.add(folder.leftOut)
    notes += folder.notes
    known[number ?? -1] = folder
    return folder
  }

  private mutating func packedResources() throws -> [PackedFile] {
    let sources = zip(package.sources, context.inputs).filter { $0.0.item != nil }
    let packed = try PackedItems(sources.compactMap(\.0.item), sources.map(\.1))
    leftOut.add(packed.leftOut(context))
    return packed.files
  }

  private func privacyManifest() throws -> ResolvedInput? {
    guard let found = inputs(.privacy).first else { return nil }
    guard let file = found.inputs.first, found.inputs.count == 1, file.kind == .regular else {
      throw Mistakes("'privacy' is one file, and \(found.path) is a folder", at: found.node.place)
    }
    _ = try InfoPlist.read(file, at: found.node.place, context)
    return file
  }

  private mutating func finish(_ libraries: [XCFramework.Library]) throws {
    guard package.container == .xcframework else { return }
    let list = XCFramework(libraries).propertyList
    try self.list.add("\(rootName)/Info.plist", bytes: try InfoPlist.xml(list, at: place), at: place)
  }
}
