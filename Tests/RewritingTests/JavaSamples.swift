import TestSupport

/// A library in Java whose packages are relocated, and a program that uses it by the new names.
enum JavaSamples {
  static let files = [
    "com/old/util/Text.java": """
    package com.old.util;
    import java.util.*;
    import java.util.function.*;
    @Marks(type = Text.class, kinds = {Kind.SMALL, Kind.LARGE}, inner = @Marks.Inner(Text[].class), name = "com.old.util.Text")
    public class Text<LABEL extends Text<LABEL> & Comparable<LABEL>> extends Base<Map<? super Kind, ? extends List<Text.Part[]>>> {
      public static final String NAME = "com.old.util.Text", PATH = "com/old/util/words.txt", OTHER = "com.older.Thing";
      public static class Part implements java.io.Serializable { public int x; class Deep { Part outer() { return Part.this; } } }
      public record Pair<T extends Text<?>>(Part first, @Marks(type = Part.class, kinds = {}, inner = @Marks.Inner(int.class), name = "") List<T> second) {}
      public sealed interface Shape permits Round {}
      public static final class Round implements Shape {}
      public <E extends Exception> Part parts(Supplier<Part[]> made, int count, E error) throws E {
        List<Part> local = new ArrayList<>();
        Object any = made.get();
        if (count > 1) { for (Part part : made.get()) local.add(part); } else if (any instanceof Part[] all) { local.add(all[0]); }
        BiFunction<Text<?>, Part, Object> function = (text, part) -> text.new Held(part);
        switch (count) { case 1 -> local.clear(); case 7 -> local.add(new Part()); default -> {} }
        try { return local.isEmpty() ? new Part() : local.get(0); } finally { function.apply(this, null); }
      }
      public class Held { final Part part; Held(Part part) { this.part = part; } }
      @Override public String toString() { return getClass().getName() + " " + Part[][].class.getName() + " " + NAME; }
    }
    """,
    "com/old/util/Marks.java": """
    package com.old.util;
    import java.lang.annotation.*;
    @Retention(RetentionPolicy.RUNTIME) public @interface Marks {
      Class<?> type(); Kind[] kinds(); Inner inner(); String name(); Class<? extends Base> base() default Base.class;
      @interface Inner { Class<?> value(); }
    }
    """,
    "com/old/util/Kind.java":
      "package com.old.util; public enum Kind { SMALL, LARGE { public String toString() { return \"large\"; } } }",
    "com/old/util/Base.java": "package com.old.util; public class Base<T> { protected T value; }",
    "com/old/Service.java": """
    package com.old;
    public interface Service { String serve(); class One implements Service { public String serve() {
      try (java.io.InputStream in = getClass().getResourceAsStream("words.txt")) { return new String(in.readAllBytes()); }
      catch (java.io.IOException error) { return "none"; } } } }
    """,
    "com/older/Thing.java": "package com.older; public class Thing { public com.old.util.Text<?> text; }",
  ]
  static let program = """
    import own.kept.Service;
    import own.kept.util.*;
    public class Main {
      public static void main(String[] words) throws Exception {
        for (Service service : java.util.ServiceLoader.load(Service.class)) System.out.println(service.serve());
        System.out.println(Text.class.getAnnotation(Marks.class));
        System.out.println(java.util.Arrays.toString(Text.class.getTypeParameters()[0].getBounds()));
        System.out.println(Text.class.getGenericSuperclass());
        System.out.println(java.util.Arrays.toString(Text.Pair.class.getRecordComponents()));
        System.out.println(java.util.Arrays.toString(Text.Shape.class.getPermittedSubclasses()));
        System.out.println(Class.forName("com.older.Thing").getField("text").getGenericType());
        for (var method : Text.class.getDeclaredMethods()) if (!method.isSynthetic()) System.out.println(method.toGenericString());
        System.out.println(Class.forName("own.kept.util.Text$Part$Deep").getEnclosingClass());
        System.out.println(Text.NAME + " " + Text.PATH + " " + Text.OTHER + " " + Kind.LARGE);
      }
    }
    """
}

extension Scratch {
  /// Compiles the library as `old.jar`, with a service, a resource and a form for newer Java.
  func makeJar(_ flags: [String] = ["-g"]) async throws {
    for (path, text) in JavaSamples.files { try write("src/\(path)", text) }
    try await Tool.check(
      ["javac", "-nowarn"] + flags + ["-d", "classes"] + JavaSamples.files.keys.sorted().map { "src/\($0)" }, in: path)
    try write("classes/com/old/words.txt", "com.old words")
    try write("classes/META-INF/services/com.old.Service", "# com.old's\ncom.old.Service$One\n")
    try write(
      "manifest",
      "Main-Class: com.old.Main\nExport-Package: com.old;version=\"1\",com.old.util,com.older,a.very.long.name.of.a.package.that.wraps\n"
    )
    try await Tool.check(
      [
        "sh", "-c",
        "mkdir -p classes/META-INF/versions/11/com/old/util && cp classes/com/old/util/Base.class classes/META-INF/versions/11/com/old/util/",
      ], in: path)
    try await Tool.check(["jar", "cfm", "old.jar", "manifest", "-C", "classes", "."], in: path)
  }
}
