import Android
import Archives
import Artifacts
import Findings
import ObjectFiles

/// Finds the classes that an AAR's code refers to and the AAR does not have. The app must have them.
struct MissingClasses {
  /// Paths without `.class`.
  private var supplied: Set<[UInt8]> = []
  private var wanted: Set<[UInt8]> = []

  /// Adds the classes of a jar that goes into the AAR.
  mutating func add(_ jar: JarContents) throws {
    for member in jar.members.values where member.kind == .classFile || member.kind == .rClass {
      supplied.insert(Array(member.path.bytes.dropLast(".class".utf8.count)))
      let bytes = try member.content.bytes()
      // A damaged class file is not reported here, because the app's build refuses it.
      let reader = ByteReader(bytes.span)
      if let names = try? ClassFile(reader).referenceNames(reader) { wanted.formUnion(names) }
    }
  }

  /// Longer lists are cut. A library with more needs a build tool that fetches them.
  private static let maxPackages = 20

  /// The missing classes, such as `com.example.Text`. `target` is the plugin's package, whose R class the app's build makes.
  func names(target: String?) -> [String] {
    let resources = target.map { Array(($0.with("/", for: ".") + "/R").utf8) }
    func isResources(_ name: [UInt8]) -> Bool {
      guard let resources, name.starts(with: resources) else { return false }
      return name.count == resources.count || name[resources.count] == UInt8(ascii: "$")
    }
    return wanted.subtracting(supplied).filter { !AndroidPlatform.has(class: $0) && !isResources($0) }
      .map { String(decoding: $0, as: UTF8.self).with(".", for: "/") }
  }

  /// Nil if there are no names.
  static func note(_ names: [String]) -> String? {
    var packages: [String: Int] = [:]
    for name in names { packages[JarEntry.package(Array(name.with("/", for: ".").utf8)), default: 0] += 1 }
    guard !packages.isEmpty else { return nil }
    let count = packages.values.reduce(0, +)
    let sorted = packages.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let listed = sorted.prefix(Self.maxPackages).map { "\($0.key) (\($0.value))" }
    let rest = sorted.count > listed.count ? ", and \(sorted.count - listed.count) more packages" : ""
    return "its code refers to \(counted(count, "class", "classes")) that neither it nor Android has: "
      + "\(listed.joined(separator: ", "))\(rest); the app must have them"
  }
}

/// The classes on every device.
private enum AndroidPlatform {
  /// - Parameter path: such as `com/example/Text`.
  static func has(class path: [UInt8]) -> Bool {
    present.contains { path.starts(with: $0) } && !absent.contains { path.starts(with: $0) }
  }

  private static let present = [
    "android/", "dalvik/", "java/", "javax/crypto/", "javax/microedition/", "javax/net/", "javax/security/auth/",
    "javax/security/cert/", "javax/sql/", "javax/xml/", "org/apache/http/", "org/json/", "org/w3c/dom/", "org/xml/sax/",
    "org/xmlpull/v1/", "sun/misc/Unsafe",
  ].map { Array($0.utf8) }

  /// Libraries in packages of the system, and parts of Java that Android does not have.
  private static let absent = [
    "android/arch/", "android/support/", "java/applet/", "java/awt/image/", "java/awt/event/", "java/lang/instrument/",
    "java/lang/management/", "java/rmi/", "javax/xml/bind/", "javax/xml/ws/", "javax/xml/soap/", "javax/xml/stream/",
  ].map { Array($0.utf8) }
}
