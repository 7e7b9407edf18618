import SystemPackage
import TestSupport
import Testing

@testable import Packaging

@Suite struct MakeScriptTests {
  private let scratch = Scratch()

  private func read(_ text: String) throws -> MakeScript {
    try scratch.write("android/jni/Android.mk", text)
    return MakeScript("android/jni/Android.mk", directory: "android", StarterTree(root: scratch.path))
  }

  @Test func modules() throws {
    let script = try read(
      """
      LOCAL_PATH := $(call my-dir)
      include $(CLEAR_VARS) # LOCAL_MODULE := none
      LOCAL_MODULE:=libscan
      LOCAL_SRC_FILES := ../../src/a.c ${LOCAL_PATH}/../b.c
      include $(BUILD_SHARED_LIBRARY)
      include $(CLEAR_VARS)
      LOCAL_MODULE := core
      LOCAL_MODULE_FILENAME := libscancore
      SOURCES := $(wildcard $(LOCAL_PATH)/../../core/*.cpp)
      LOCAL_SRC_FILES := $(SOURCES:$(LOCAL_PATH)/%=%)
      include $(BUILD_SHARED_LIBRARY)
      include $(CLEAR_VARS)
      LOCAL_MODULE := sdk
      LOCAL_SRC_FILES := sdk/$(TARGET_ARCH_ABI)/libvendor.so
      include $(PREBUILT_SHARED_LIBRARY)
      include $(CLEAR_VARS)
      LOCAL_MODULE := $(subst a,b,c)
      include $(BUILD_SHARED_LIBRARY)
      """)
    #expect(script.modules.map(\.file) == ["libscan.so", "libscancore.so", "libvendor.so", nil])
    #expect(script.modules[2].source == "android/jni/sdk/$(TARGET_ARCH_ABI)/libvendor.so")
    #expect(script.named.isSuperset(of: ["src/a.c", "android/b.c", "core", "android/jni/sdk"]))
    #expect(script.unset.isEmpty)
  }

  @Test func scriptsThatItIncludes() throws {
    try scratch.write(
      "core/Android.mk",
      "LOCAL_PATH := $(call my-dir)\ninclude $(CLEAR_VARS)\nLOCAL_MODULE := core\nLOCAL_SRC_FILES := core.c $(SHARED)/s.c\n"
        + "include $(BUILD_SHARED_LIBRARY)\n")
    let script = try read(
      """
      LOCAL_PATH := $(call my-dir)
      SHARED := $(LOCAL_PATH)/../../shared
      include $(LOCAL_PATH)/../../core/Android.mk $(NOWHERE)/Android.mk
      """)
    #expect(script.modules.map(\.file) == ["libcore.so"])
    #expect(script.scripts == ["android/jni/Android.mk", "core/Android.mk"])
    #expect(script.named.isSuperset(of: ["core/core.c", "shared/s.c"]))
  }

  /// What would go on for ever, or nearly, ends: a text that is repeated, and another one behind it.
  @Test(arguments: [
    ("A := $(A)$(A)x\n", 1 << 14, "", 0), ("$(a ", 1 << 16, "", 0), ("A:=$(a ", 1, "$(a ", 1 << 16),
    ("A := $(a \\\n", 1, ")$(a)\\\n", 1 << 15),
    ("A += x x x x x x x x\n", 1 << 13, "LOCAL_SRC_FILES += $(A)\n", 1 << 14),
    ("A\\\n", 1 << 16, "", 0), ("include $(LOCAL_PATH)/Android.mk\ninclude android/jni/Android.mk\n", 1 << 12, "", 0),
    ("include $(CLEAR_VARS)\nLOCAL_MODULE := a\ninclude $(BUILD_SHARED_LIBRARY)\n", 1 << 13, "", 0),
    ("include $(call all-subdir-makefiles)\n", 1 << 12, "", 0),
  ])
  func hostile(_ text: String, _ count: Int, _ more: String, _ times: Int) throws {
    let clock = ContinuousClock()
    let start = clock.now
    let script = try read(String(repeating: text, count: count) + String(repeating: more, count: times))
    #expect(script.modules.count <= 1000)
    #expect(clock.now - start < .seconds(20), "\(clock.now - start)")
  }
}
