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
    #expect(settings.minSDK == 24 && settings.targetSDK == 34 && settings.compileSDK == 35)
  }

  /// A script is not run.
  @Test(arguments: [
    "minSdk = libs.versions.minSdk.get().toInt()", "minSdkVersion rootProject.minSdk", "// minSdk = 24",
    "minSdk = 2 * 12",
    "minSdk = \"24\" + x", "minSdkPreview = \"Tiramisu\"", "productFlavors {\n free {\n minSdk = 24 } }",
  ])
  func computed(_ script: String) {
    #expect(GradleSettings(script: Array(script.utf8)).minSDK == nil)
  }
}
