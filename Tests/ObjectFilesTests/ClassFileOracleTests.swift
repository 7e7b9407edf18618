import Lanes
import Foundation
import ObjectFiles
import Testing

/// Class files that we did not make, and what `javap` reads in them.
@Suite(.tools, .timeLimit(.minutes(20))) struct ClassFileOracleTests {
  @Test func javaBase() throws { #expect(try JavaOracle(["module:java.base"]).compare() > 5000) }

  /// Of libraries that the tests' packages bring: by old and new compilers, by an obfuscator, with annotations of all kinds.
  private static let jars = [
    "antlr3-runtime", "asm", "commons-compress", "commons-io", "error_prone_annotations", "gson", "guava", "httpcore",
    "jna", "jsr305", "rhino", "slf4j-api", "snakeyaml", "xz",
  ]

  #if os(Linux)
    @Test func libraries() throws {
      let jars = Self.jars.map { "/usr/share/java/\($0).jar" }.filter(FileManager.default.fileExists)
      #expect(jars.count >= 10)
      #expect(try JavaOracle(jars).compare() > 1000)
    }
  #endif

  private static let plain = """
    package a;
    import java.lang.annotation.*;
    import java.util.*;
    @Retention(RetentionPolicy.RUNTIME) @interface Seen { String value() default "@#1("; Inner[] inners() default @Inner(7); }
    @interface Inner { int value(); Class<?> type() default int[].class; Thread.State state() default Thread.State.NEW; }
    @Target({ ElementType.TYPE_USE, ElementType.TYPE_PARAMETER }) @interface Type {}
    @Retention(RetentionPolicy.SOURCE) @interface Gone {}
    @Deprecated @Gone @Seen(inners = { @Inner(1), @Inner(value = 2, type = Map.class) })
    public abstract class Plain<@Type T extends @Type Object & Comparable<@Type T>> extends @Type ArrayList<T>
        implements @Type Runnable, Cloneable {
      static final long BIG = 1L << 40; static final double WIDE = 0.5; private transient volatile @Seen int[] @Type [] held;
      protected Plain(@Inner(3) int a, @Seen @Inner(4) String b) throws @Type Exception {}
      static { System.out.println(BIG + WIDE); }
      abstract @Seen <@Type U> @Type Set<@Type ? extends @Type U> find(@Type Plain<T> this, @Gone int... numbers);
      public synchronized strictfp void run() {
        @Type List<@Type String> list = new @Type ArrayList<@Type String>();
        for (@Type String text : list) try { Runnable r = () -> wait((@Type int) 5); }
          catch (@Type IllegalStateException | ArithmeticException e) { Object o = (@Type Object) list instanceof @Type Map; }
        try (java.io.@Type Closeable c = null) {} catch (java.io.IOException e) { }
      }
      private native void wait(int time);
      Object clone(int[][] a) { return a.clone(); }
      class Nested { private Plain<T> outer() { return Plain.this; } }
      interface Shape { default void draw() {} static void make() {} int SIDES = new Random().nextInt(); }
      enum Kind { ONE { void go() {} }, @Deprecated TWO; void go() {} }
      int \\u00e9, \\ud835\\udc9c; void \\u20ac() {}
    }
    """

  private static let modern = """
    package a;
    @interface Mark {}
    @java.lang.annotation.Target(java.lang.annotation.ElementType.TYPE_PARAMETER) @interface Parameter {}
    public sealed interface Modern permits Modern.Point, Modern.Circle {
      record Point<@Parameter T>(@Mark T x, @Deprecated int... y) implements Modern { public Point { assert y != null; } }
      non-sealed class Circle implements Modern {
        private int seen;
        int area(Object o) { return o instanceof Point p ? p.y()[0] : switch (seen) { case 1 -> 2; default -> 3; }; }
        String text() { return "a" + seen + new Object() { int inner = seen; }.inner; }
      }
      private static void hidden() {}
    }
    """

  @Test func compiled() throws {
    let scratch = try Scratch()
    try scratch.write("Plain.java", Array(Self.plain.utf8))
    try scratch.write("Modern.java", Array(Self.modern.utf8))
    try scratch.write(
      "module-info.java", Array("@Deprecated module a.b { exports a; requires java.logging; uses a.Modern; }".utf8))
    for release in ["8", "11", "17"] {
      try scratch.run(
        "javac", "-nowarn", "-g", "-parameters", "--release", release, "-d", "out\(release)", "Plain.java")
    }
    try scratch.run("javac", "-nowarn", "--release", "17", "-d", "modern", "Modern.java", "module-info.java")
    let folders = ["out8", "out11", "out17", "modern"].map { scratch.folder.appendingPathComponent($0).path }
    #expect(try JavaOracle(folders).compare() > 30)
    let module = try scratch.bytes("modern/module-info.class")
    let file = try ClassFile(ByteReader(module.span))
    #expect(file.access == .module && file.superclass == nil && file.version.description == "61.0")
  }
}
