import Testing

@testable import Packaging

@Suite struct GradleModuleTests {
  private func module(_ text: String) -> GradleModule { GradleModule(text, folder: "lib") }

  @Test(arguments: [
    "apply plugin: 'com.android.library'", "apply plugin: \"android-library\"", "plugins { id 'com.android.library' }",
    "plugins {\n  id(\"com.android.library\") version \"8.7.0\"\n}", "plugins { alias(libs.plugins.android.library) }",
    "plugins {\n  alias(libs.plugins.androidLibrary)\n}", "plugins { id(\"acme.android.library\") }",
  ])
  func aLibrary(_ text: String) { #expect(module(text).kind == .library) }

  @Test(arguments: [
    "apply plugin: 'com.android.application'", "plugins { alias(libs.plugins.android.application) }",
  ])
  func anApplication(_ text: String) { #expect(module(text).kind == .application) }

  @Test(arguments: [
    "", "plugins { id 'java-library' }", "plugins {\n  id 'com.android.library' version '8.7.0' apply false\n}",
    "// apply plugin: 'com.android.library'", "/* plugins {\n id 'com.android.library'\n} */",
    "dependencies { classpath 'com.android.tools.build:gradle:8.7.0' }",
  ])
  func neither(_ text: String) { #expect(module(text).kind == .other) }

  @Test func whatItSays() {
    let kotlin = module(
      """
      android {
        testNamespace = "com.example.tests"
        namespace = "com.example.scan" // not "com.example.old"
        defaultConfig { minSdk = 21; consumerProguardFiles("a.pro", "rules/b.pro") }
      }
      """)
    #expect(kotlin.namespace == "com.example.scan")
    #expect(kotlin.minSDK == "21")
    #expect(kotlin.consumerRules == ["a.pro", "rules/b.pro"])
    let groovy = module(
      """
      android {
        namespace 'com.example.scan'
        defaultConfig {
          minSdkVersion 14
          versionName '1.2-beta'
          consumerProguardFiles 'a.pro',
              'b.pro'
          versionCode 3
        }
        buildTypes { release { proguardFiles getDefaultProguardFile('proguard-android.txt'), 'own.pro' } }
      }
      """)
    #expect(groovy.namespace == "com.example.scan")
    #expect(groovy.minSDK == "14")
    #expect(groovy.version == "1.2-beta")
    #expect(groovy.consumerRules == ["a.pro", "b.pro"])
    let named = module("val id = \"com.example.scan\"\nandroid {\n  namespace = id\n  compileSdk = 36\n}")
    #expect(named.namespace == "com.example.scan")
    let computed = module("android { namespace = base + '.scan'\n minSdk = libs.versions.min.get().toInt() }")
    #expect(computed.namespace == nil && computed.minSDK == nil)
  }

  @Test func comments() {
    let text = "exclude '**/*.so'\n/* namespace 'a.b' */ namespace 'c.d' // namespace 'e.f'\n exclude '**/*.a' /*"
    #expect(module(text).namespace == "c.d")
    #expect(module(String(repeating: "/*", count: 1 << 18)).kind == .other)
    #expect(module(String(repeating: "api project ", count: 1 << 15)).needs == [])
  }

  @Test func whatGradlePacks() {
    let some = module(
      """
      dependencies {
        implementation fileTree(dir: 'libs', include: ['*.jar'])
        compileOnly(files("libs/host.jar"))
        testImplementation files('libs/junit.jar')
        debugApi files('libs/log.jar')
        api files('libs/both.jar')
        testImplementation files('libs/both.jar')
        implementation project(path: ':core:net')
        api(project(":ui"))
      }
      """)
    #expect(some.reasonToLeaveOut("third.jar") == nil)
    #expect(some.reasonToLeaveOut("both.jar") == nil)
    #expect(some.reasonToLeaveOut("host.jar") == "compileOnly in Gradle")
    #expect(some.reasonToLeaveOut("junit.jar") == "testImplementation in Gradle")
    #expect(some.reasonToLeaveOut("log.jar") == "debugApi in Gradle")
    #expect(some.needs == ["net", "ui"])
    #expect(module("").reasonToLeaveOut("third.jar") == nil)
    let none = module("dependencies { compileOnly fileTree(dir: 'libs', include: ['*.jar']) }")
    #expect(none.reasonToLeaveOut("third.jar") == "compileOnly in Gradle")
  }
}
