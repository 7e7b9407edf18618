import SystemPackage
import TestSupport
import Testing

@testable import Packaging

@Suite struct PodspecTests {
  private let scratch = Scratch()

  private func files(_ paths: String...) throws {
    for path in paths { try scratch.write(path, "") }
  }

  private func pod(_ text: String, at path: String = "Scan.podspec") throws -> ProjectDescription {
    try scratch.write(path, text)
    let all = ProjectDescription.all(in: StarterTree(root: scratch.path))
    return try #require(all.first { $0.path == path })
  }

  @Test func anOrdinaryOne() throws {
    try files("Classes/Scan.m", "Classes/Scan.h", "Classes/Private/Core.mm", "Classes/notes.txt", "Scan.bundle/a.png")
    let pod = try pod(
      """
      # s.name = 'Old'
      Pod::Spec.new do |s|
        s.name             = 'Scan'
        s.version          = "1.2.3"
        s.summary          = 'Scans' # it's quick
        s.description      = <<-DESC
          s.version = '0.0.0' isn't it
                             DESC
        s.license          = { :type => 'MIT', :file => 'LICENSE' }
        s.author           = { "Ann" => "ann@example.com" }
        s.source           = { :git => "https://example.com/scan.git", :tag => s.version.to_s }
        s.ios.deployment_target = '9.0'
        s.osx.deployment_target = '10.11'
        s.source_files = 'Classes/**/*.{h,m,mm}'
        s.resources = ["*.bundle"]
        s.frameworks = 'UIKit', 'AVFoundation'
        s.osx.frameworks = 'AppKit'
        s.weak_framework = "CoreML"
        s.libraries = %w[z sqlite3]
      end
      """)
    #expect(pod.kind == .podspec && pod.name == "Scan" && pod.version == "1.2.3" && pod.minimumIOS == "9.0")
    #expect(pod.sources == ["Classes/Private/Core.mm", "Classes/Scan.m"])
    #expect(pod.headers == ["Classes/Scan.h"])
    #expect(pod.resources == ["Scan.bundle"])
    #expect(pod.frameworks == ["UIKit", "AVFoundation", "CoreML", "libz", "libsqlite3"])
  }

  @Test(arguments: [
    "s.platform = :ios, '11.0'", "s.platform = :ios, 11.0", "s.platforms = { :ios => \"11.0\", :tvos => \"12.0\" }",
    "s.platforms = { ios: '11.0' }", "s.ios.deployment_target  = '11.0'",
    "target = '11.0'\n  s.ios.deployment_target = target",
    "s.ios.deployment_target = \"11.0\" if true",
  ])
  func whatItNeeds(_ line: String) throws {
    #expect(try pod("Pod::Spec.new do |s|\n  s.name = 'A'\n  \(line)\nend").minimumIOS == "11.0")
  }

  @Test func nothingThatIsComputed() throws {
    try files("a.m", "b.m")
    let pod = try pod(
      """
      Pod::Spec.new do |spec|
        spec.name = ENV['NAME'] + 'Kit'
        spec.version = "1.#{minor}"
        spec.ios.deployment_target = min_ios_version_supported
        spec.source_files = Dir['b.m'], File.join('b.m'), 'a' + '.m', "*.m".sub('a', 'b')
        spec.frameworks = 'UIKit'
      end
      """)
    #expect(pod.name == nil && pod.version == nil && pod.minimumIOS == nil && pod.sources.isEmpty)
    #expect(pod.frameworks == ["UIKit"])
  }

  @Test func versionsOfPackageJSON() throws {
    try scratch.write("package.json", #"{ "name": "@acme/react-native-scan", "version": "4.5.6" }"#)
    try files("ios/Scan.mm", "ios/ScanTests/Test.m")
    let pod = try pod(
      """
      require 'json'
      package = JSON.parse(File.read(File.join(__dir__, 'package.json')))
      folly_flags = '-DFOLLY_NO_CONFIG'
      Pod::Spec.new do |s|
        s.name         = "react-native-scan"
        s.version      = package['version']
        s.source       = { :git => "https://example.com/scan.git", :tag => "v#{s.version}" }
        s.source_files = "ios/**/*.{h,m,mm,swift}"
        s.exclude_files = 'ios/ScanTests/**/*'
        if ENV['RCT_NEW_ARCH_ENABLED'] == '1'
          install_modules_dependencies(s)
        else
          s.dependency 'React-Core'
        end
        s.platforms = { :ios => "14.0" }
      end
      """, at: "react-native-scan.podspec")
    #expect(pod.name == "react-native-scan" && pod.version == "4.5.6" && pod.minimumIOS == "14.0")
    #expect(pod.sources == ["ios/Scan.mm"])
  }

  @Test func subspecsThatAnAppGets() throws {
    try files("Core/a.m", "Map/b.m", "Crash.xcframework/Info.plist", "Legacy/Scan.framework/Scan", "Core/t.m")
    let pod = try pod(
      """
      Pod::Spec.new do |s|
        s.name = 'Scan'
        s.version = '2.0'
        s.default_subspecs = 'Core'
        s.subspec 'Core' do |ss|
          ss.source_files = 'Core/*.m'
          ss.ios.dependency 'Scan/Crash'
          ss.subspec 'Inner' do |sss|
            sss.framework = 'CoreData'
          end
          ss.library = 'z'
        end
        s.subspec('Map') { |m| m.frameworks = 'MapKit' }
        s.subspec 'Legacy' do |ss|
          ss.vendored_frameworks = 'Legacy/Scan.framework'
        end
        s.subspec 'Crash' do |ss|
          ss.ios.deployment_target = '10.0'
          ss.vendored_frameworks = "Crash.xcframework"
        end
        s.test_spec 'Tests' do |ss|
          ss.source_files = 'Core/t.m'
        end
        s.requires_arc = true
      end
      """)
    #expect(pod.sources == ["Core/a.m", "Core/t.m"])
    #expect(pod.libraries == ["Crash.xcframework"])
    #expect(pod.frameworks == ["CoreData", "libz"] || pod.frameworks == ["libz", "CoreData"])
    #expect(pod.minimumIOS == "10.0")
  }

  @Test func inJSON() throws {
    try files("Scan.xcframework/ios-arm64/Scan.framework/Scan", "Res/a.json", "Sources/a.m")
    let pod = try pod(
      """
      {
        "name": "Scan", "version": "5.0.0", "platforms": { "ios": "12.0", "tvos": "12.0" },
        "source": { "http": "https://example.com/scan.zip" },
        "ios": { "vendored_frameworks": "Scan.xcframework", "frameworks": ["Security"] },
        "osx": { "frameworks": "AppKit" },
        "libraries": "z",
        "subspecs": [ { "name": "Core", "source_files": "Sources", "resource_bundles": { "Scan": ["Res/*.json"] } } ]
      }
      """, at: "Scan.podspec.json")
    #expect(pod.name == "Scan" && pod.version == "5.0.0" && pod.minimumIOS == "12.0")
    #expect(
      pod.libraries == ["Scan.xcframework"] && pod.frameworks == ["Security", "libz"]
        || pod.frameworks == ["libz", "Security"])
    #expect(pod.sources == ["Sources/a.m"] && pod.resources == ["Res/a.json"])
  }

  @Test func listsOverLinesAndPathsFromTheirFolder() throws {
    try files("shared/a.c", "ios/Classes/b.m", "../outside.m")
    let pod = try pod(
      """
      Pod::Spec.new do |s|
        s.name = 'scan'
        s.source_files = [
          'Classes/**/*', # ours
          # and those of both
          '../shared/*.{c}',
          '../../outside.m',
          '/etc/*.m',
        ]
      end
      """, at: "ios/scan.podspec")
    #expect(pod.sources == ["ios/Classes/b.m", "shared/a.c"])
  }

  @Test func forAnotherSystem() throws {
    try scratch.write("Mac.podspec", "Pod::Spec.new do |s|\n  s.name = 'Mac'\n  s.platform = :osx, '10.13'\nend")
    #expect(ProjectDescription.all(in: StarterTree(root: scratch.path)).isEmpty)
  }

  /// None of these may take long or end the process.
  @Test(arguments: [
    "(", "[", "do |s| ", "'", "%w[", "<<A ", "\"#{", "if ", "end\n", "x.y = ", "/", ",\n", "a['", "Spec.new do |s|\n",
  ])
  func hostileTexts(_ piece: String) throws {
    let text = "Pod::Spec.new do |s|\n  s.name = 'A'\n" + String(repeating: piece, count: 60_000)
    let start = ContinuousClock.now
    _ = PodspecScript.read(Array(text.utf8), package: nil)
    #expect(ContinuousClock.now - start < .seconds(20))
  }
}
