import Android
import Findings
import Testing

@Suite struct GradleSettingsTests {
  @Test(arguments: [
    "android { namespace = \"com.acme\"\n compileSdk = 35\n defaultConfig {\n applicationId = \"com.acme.app\"\n minSdk = 24\n targetSdk = 34 // x\n } }",
    "android {\n  namespace 'com.acme'\n compileSdkVersion 35\n applicationId 'com.acme.app'\n minSdkVersion 24\n targetSdkVersion 34\n}",
    "namespace = 'com.acme'\ncompileSdkVersion(35)\napplicationId(\"com.acme.app\")\nminSdkVersion(24)\ntargetSdk(34);",
  ])
  func plain(_ script: String) {
    let settings = GradleSettings(script: Array(script.with("\n", for: "{").utf8))
    #expect(settings.namespace == "com.acme" && settings.applicationID == "com.acme.app")
    #expect(settings.minSDK == .number(24) && settings.targetSDK == .number(34))
    #expect(settings.compileSDK == .number(35))
  }

  /// A script names versions of the catalog, whose keys may be written in three ways.
  @Test func catalog() {
    let script = "minSdk = libs.versions.minSdk.get().toInt()\ntargetSdk libs.versions.sdk.target.get().toInteger()"
    let settings = GradleSettings(script: Array("\(script)\ncompileSdk(libs.versions.gone.get().toInt())".utf8))
    #expect(settings.minSDK == .version("minSdk") && settings.targetSDK == .version("sdk.target"))
    let text = "[metadata]\nminSdk = \"1\"\n[versions]\nminSdk = \"24\" # the oldest\nsdk-target = '35'\n"
    let catalog = VersionCatalog(Array("\(text)kotlin = \"2.0.21\"\n[libraries]\ngone = \"3\"\n".utf8))
    #expect(settings.minSDK?.value(in: catalog) == 24 && settings.targetSDK?.value(in: catalog) == 35)
    #expect(settings.compileSDK == .version("gone") && settings.compileSDK?.value(in: catalog) == nil)
    #expect(settings.minSDK?.value(in: nil) == nil && catalog.kotlin == KotlinVersion(2, 0))
  }

  /// A script is not run.
  @Test(arguments: [
    "minSdk = libs.versions.minSdk.get()", "minSdk = libs.versions.f(1).get().toInt()",
    "minSdkVersion rootProject.minSdk", "// minSdk = 24",
    "minSdk = 2 * 12",
    "minSdk = \"24\" + x", "minSdkPreview = \"Tiramisu\"", "productFlavors {\n free {\n minSdk = 24 } }",
  ])
  func computed(_ script: String) {
    #expect(GradleSettings(script: Array(script.utf8)).minSDK == nil)
  }
}
