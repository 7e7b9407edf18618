import Android
import Testing

@Suite struct AARMetadataTests {
  @Test func theStandardFileIsGradles() {
    let text = String(decoding: AARMetadata().bytes, as: UTF8.self)
    #expect(
      text == """
        aarFormatVersion=1.0
        aarMetadataVersion=1.0
        minCompileSdk=1
        minCompileSdkExtension=0
        minAndroidGradlePluginVersion=1.0.0
        coreLibraryDesugaringEnabled=false

        """)
    #expect(AARMetadata().problems.isEmpty)
  }

  @Test func reads() {
    let text =
      "# made by hand\r\n! too\n  aarFormatVersion = 1.0\naarMetadataVersion:1.2\n\nnothing\nminCompileSdk=33\n"
    let metadata = AARMetadata(properties: Array(text.utf8))
    #expect(
      metadata.values == ["aarFormatVersion": "1.0", "aarMetadataVersion": "1.2", "minCompileSdk": "33"])
    #expect(metadata.problems.isEmpty)
    #expect(AARMetadata(properties: [0xFF, 0xFE, 0x00]).problems.count == 2)
  }

  @Test(arguments: [
    ("aarFormatVersion", "2.0", "aarFormatVersion is 2.0: today's Gradle plugins read version 1"),
    ("aarMetadataVersion", "x", "aarMetadataVersion is 'x', not a version"),
    ("minCompileSdk", "33.0", "minCompileSdk is '33.0', not a number"),
    ("minAndroidGradlePluginVersion", "8", "minAndroidGradlePluginVersion is '8', not a version such as 8.0.0"),
    ("coreLibraryDesugaringEnabled", "yes", "coreLibraryDesugaringEnabled is 'yes', neither true nor false"),
  ])
  func problems(_ key: String, _ value: String, _ problem: String) {
    #expect(AARMetadata([(key, value)]).problems == [problem])
  }

  @Test func theHigherDemandWins() {
    var metadata = AARMetadata([("minCompileSdk", "30"), ("minAndroidGradlePluginVersion", "8.2.0")])
    metadata.raise(
      to: AARMetadata([
        ("minCompileSdk", "28"), ("minAndroidGradlePluginVersion", "8.10.1"), ("coreLibraryDesugaringEnabled", "true"),
      ]))
    #expect(metadata.values["minCompileSdk"] == "30")
    #expect(metadata.values["minAndroidGradlePluginVersion"] == "8.10.1")
    #expect(metadata.values["coreLibraryDesugaringEnabled"] == "true")
  }

  @Test func demandsOfNewerToolsStay() {
    var metadata = AARMetadata()
    metadata.raise(to: AARMetadata(properties: Array("aarFormatVersion=2.0\nforceCompileSdkPreview=Tiramisu\n".utf8)))
    #expect(metadata.values["forceCompileSdkPreview"] == "Tiramisu")
    #expect(metadata.values["aarFormatVersion"] == "1.0")
  }
}
