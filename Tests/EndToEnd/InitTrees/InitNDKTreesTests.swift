import Foundation
import SystemPackage
import TestSupport
import Testing

/// Trees whose Android.mk ndk-build reads, without Gradle.
@Suite(.timeLimit(.minutes(10))) struct InitNDKTreesTests {
  private static let head = "LOCAL_PATH := $(call my-dir)\n"

  private static func module(_ name: String, _ lines: String..., as kind: String = "BUILD_SHARED_LIBRARY") -> String {
    (["include $(CLEAR_VARS)", "LOCAL_MODULE := \(name)"] + lines + ["include $(\(kind))", ""]).joined(separator: "\n")
  }

  /// A stand-in for ndk-build: it reads what a build reads, and makes these libraries for each ABI.
  private func ndk(_ tree: PluginTree, reading files: [String], making names: [String]) async throws {
    for (abi, target) in PluginTree.androids {
      for name in names { try await tree.native("../made/ndk/\(abi)/\(name)", target) }
    }
    try tree.scratch.write(
      "tools/ndk-build",
      """
      #!/bin/sh
      set -e
      for word; do
        case "$word" in NDK_LIBS_OUT=*) out=${word#*=};; APP_ABI=*) abis=${word#*=};; esac
      done
      cat \(files.joined(separator: " ")) > /dev/null
      for abi in ${abis:-arm64-v8a}; do
        mkdir -p "$out/$abi"
        cp '\(tree.scratch("made/ndk"))'/$abi/* "$out/$abi/"
        echo program > "$out/$abi/tool"
      done
      """, executable: true)
  }

  /// The plugin's libraries are made and packed, and none that the app has from its engine; sources are where variables say.
  @Test func ofAnEngine() async throws {
    let tree = PluginTree("scan")
    let corona = "../corona-libs/jni/$(TARGET_ARCH_ABI)"
    try tree.write(
      "android/jni/Android.mk",
      Self.head
        + Self.module("corona", "LOCAL_SRC_FILES := \(corona)/libcorona.so", as: "PREBUILT_SHARED_LIBRARY")
        + Self.module("liblua", "LOCAL_SRC_FILES := \(corona)/liblua.so", as: "PREBUILT_SHARED_LIBRARY")
        + Self.module(
          "vendor", "LOCAL_SRC_FILES := $(TARGET_ARCH_ABI)/libvendor.so", as: "PREBUILT_SHARED_LIBRARY")
        + Self.module("tool", "LOCAL_SRC_FILES := tool.c", as: "BUILD_EXECUTABLE")
        + Self.module(
          "libplugin.scan", "PLUGIN := ../..", "SOURCES = $(PLUGIN)/shared # all of them",
          "LOCAL_C_INCLUDES := $(LOCAL_PATH)/$(SOURCES)/include $(CORONA_ROOT)/include", "LOCAL_SRC_FILES := \\",
          "  $(SOURCES)/scan.c \\", "  native.c", "ifeq ($(TARGET_ARCH),arm)",
          "  LOCAL_SRC_FILES += $(SOURCES)/arm/neon.c",
          "endif", "LOCAL_SHARED_LIBRARIES := corona lua vendor"))
    try tree.write("android/jni/Application.mk", "APP_ABI := armeabi armeabi-v7a arm64-v8a\n")
    try tree.write("android/jni/native.c", "#include <jni.h>\n")
    try tree.write("android/jni/tool.c", "int main(void) { return 0; }\n")
    for file in ["scan.c", "include/scan.h", "arm/neon.c"] { try tree.write("shared/\(file)", "#include <jni.h>\n") }
    try await tree.native("android/corona-libs/jni/arm64-v8a/libcorona.so", "aarch64-linux-android21")
    try await tree.native("android/jni/arm64-v8a/libvendor.so", "aarch64-linux-android21")
    try await tree.native("android/jni/arm64-v8a/libother.so", "aarch64-linux-android21")
    try await ndk(
      tree,
      reading: [
        "jni/Android.mk", "jni/native.c", "../shared/scan.c", "../shared/include/scan.h", "../shared/arm/neon.c",
      ],
      making: ["libplugin.scan.so", "libvendor.so", "libcorona.so", "liblua.so"])
    let lines = try await tree.initialize()
    #expect(names(lines, "android/corona-libs/jni/arm64-v8a/libcorona.so", "from its engine"), "\(lines)")
    #expect(names(lines, "android/jni/arm64-v8a/libother.so", "android/jni/Android.mk does not name it"), "\(lines)")
    #expect(
      lines.contains(
        "android/jni/Android.mk wants libraries that are not in the tree (they are inputs of the step 'ndk', too): android/corona-libs/jni/$(TARGET_ARCH_ABI)/liblua.so"
      ), "\(lines)")
    #expect(lines.contains { $0.hasSuffix("in the env of the step 'ndk': CORONA_ROOT") }, "\(lines)")
    #expect(
      !lines.contains { $0.contains("shared/") || $0.contains("native.c") || $0.contains("libvendor") }, "\(lines)")
    let manifest = try tree.manifest
    #expect(
      manifest.contains(
        """
            run: [ndk-build, "NDK_OUT=../build/ndk/obj", "NDK_LIBS_OUT=../build/ndk/libs", "NDK_DEBUG=0", "APP_ABI=armeabi-v7a arm64-v8a"]
            directory: android
            inputs:
              - "android/corona-libs/jni/**"
              - "android/jni/**"
              - "shared/**"
            outputs: [build/ndk/libs]
        """), "\(manifest)")
    _ = try await tree.build()
    #expect(
      Set(try await tree.entries(".aar").filter { $0.hasSuffix(".so") }) == [
        "jni/arm64-v8a/libplugin.scan.so", "jni/arm64-v8a/libvendor.so", "jni/armeabi-v7a/libplugin.scan.so",
        "jni/armeabi-v7a/libvendor.so",
      ])
    try tree.write("shared/include/scan.h", "#include <jni.h>\n\n")
    let again = try await tree.run(["android"])
    #expect(again.all.contains("run ndk"), "\(again.all)")
  }

  /// Where a script's paths of headers are right, ndk-build runs.
  @Test(arguments: ["jni", ""]) func whereItRuns(_ folder: String) async throws {
    let tree = PluginTree("scan")
    let path = folder.isEmpty ? "shared/include" : "../shared/include"
    try tree.write(
      "jni/Android.mk", Self.head + Self.module("scan", "LOCAL_C_INCLUDES := \(path)", "LOCAL_SRC_FILES := scan.c"))
    try tree.write("jni/scan.c", "#include <jni.h>\n")
    try tree.write("shared/include/scan.h")
    try await tree.initialize()
    let manifest = try tree.manifest
    #expect(manifest.contains("\n    directory: jni\n") == !folder.isEmpty, "\(manifest)")
    #expect(manifest.contains("\"NDK_OUT=\(folder.isEmpty ? "" : "../")build/ndk/obj\""))
    #expect(manifest.contains("      - \"jni/**\"\n      - \"shared/include/**\"\n"))
  }

  /// What is there already is packed, as of a project of Xcode's.
  @Test func whatIsMadeAlready() async throws {
    let tree = PluginTree("scan")
    try tree.write("jni/Android.mk", Self.head + Self.module("scan", "LOCAL_SRC_FILES := scan.c"))
    try tree.write("jni/scan.c", "#include <jni.h>\n")
    try await tree.native("libs/arm64-v8a/libscan.so", "aarch64-linux-android21")
    let lines = try await tree.initialize()
    #expect(
      lines == [
        "did not take jni/Android.mk: libs/arm64-v8a/libscan.so, which it makes, is there",
        "not packed: jni/scan.c: compiled into libs/arm64-v8a/libscan.so already",
      ], "\(lines)")
    _ = try await tree.build()
    #expect(try await tree.entries(".aar").contains("jni/arm64-v8a/libscan.so"))
  }

  /// What a script does not say in so many words is named; a missing NDK is one clear error.
  @Test func whatOnlyMakeKnows() async throws {
    let tree = PluginTree("scan")
    try tree.write(
      "Android.mk",
      Self.head + Self.module("$(PREFIX)scan", "LOCAL_SRC_FILES := $(call all-c-files-under,src)")
        + "$(call import-module,other)\n")
    try tree.write("Application.mk", "APP_ABI := all\n")
    try tree.write("src/scan.c", "#include <jni.h>\n")
    try tree.write("more/Android.mk", Self.head + Self.module("more", "LOCAL_SRC_FILES := more.c"))
    let lines = try await tree.initialize()
    #expect(
      lines == [
        "took Android.mk, and not more/Android.mk (each is a build of its own)",
        "Android.mk wants variables that it does not set, in the env of the step 'ndk': PREFIX",
        "Android.mk computes names of libraries, which only ndk-build knows: $(PREFIX)scan",
        "Android.mk imports modules: say where they are, env: { NDK_MODULE_PATH: /path }",
      ], "\(lines)")
    #expect(
      try tree.manifest.contains(
        """
            run: [ndk-build, "NDK_PROJECT_PATH=.", "APP_BUILD_SCRIPT=Android.mk", "NDK_APPLICATION_MK=Application.mk", "NDK_OUT=build/ndk/obj", "NDK_LIBS_OUT=build/ndk/libs", "NDK_DEBUG=0", "APP_ABI=armeabi-v7a arm64-v8a x86 x86_64"]
            inputs:
              - Android.mk
              - Application.mk
              - "src/**"
        """))
    let result = try await tree.build(expecting: 1)
    #expect(result.all.contains("the program 'ndk-build' was not found"), "\(result.all)")
  }

  /// What Gradle has ndk-build make is made by it alone, and a tree of static libraries is none.
  @Test func otherScripts() async throws {
    let tree = PluginTree("scan")
    try tree.write(
      "build.gradle",
      "plugins { id 'com.android.library' }\nandroid { namespace 'com.example.scan'\n"
        + "externalNativeBuild { ndkBuild { path 'src/main/jni/Android.mk' } } }\n")
    try tree.write("src/main/java/com/example/scan/Scan.java", "package com.example.scan;\npublic class Scan {}\n")
    try tree.write("src/main/jni/scan.c", "#include <jni.h>\n")
    try tree.write("src/main/jni/Android.mk", Self.head + Self.module("scan", "LOCAL_SRC_FILES := scan.c"))
    try await tree.initialize()
    #expect(try !tree.manifest.contains("ndk-build") && tree.manifest.contains("mergeReleaseNativeLibs"))
    let other = PluginTree("other")
    try await other.native("libs/arm64-v8a/libother.so", "aarch64-linux-android21")
    try other.write(
      "jni/Android.mk", Self.head + Self.module("scan", "LOCAL_SRC_FILES := scan.c", as: "BUILD_STATIC_LIBRARY"))
    try await other.initialize()
    #expect(try !other.manifest.contains("ndk-build"))
  }
}
