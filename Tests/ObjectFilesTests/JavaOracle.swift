import Foundation
import ObjectFiles

/// What the JDK's `javap -v -p` reads in class files, and the same of `ClassFile`, as texts to be compared. `javap` runs inside
/// of one Java program that keeps only what is compared: as a program of its own it takes longer to start than to read.
///
/// A class is some lines, words apart by tabs, with `/` and `$` in the names of interfaces as dots, for so they are printed:
///
///     C   its file
///     V   version, flags, name, superclass or -
///     I   interfaces
///     F   name, descriptor, flags of a field, by number and by name      M   of a method
///     A   annotations of the member before, sorted        a   of the class
///     R   tag, class, name, descriptor of a member that it refers to
///     U   classes that it refers to, sorted
struct JavaOracle {
  let scratch: Scratch
  /// By the file's name.
  private(set) var expected: [(file: String, text: String)] = []

  /// - Parameter inputs: jars, folders, class files; `module:java.base` stands for a module of the JDK itself.
  init(_ inputs: [String]) throws {
    let scratch = try Scratch()
    self.scratch = scratch
    try scratch.write("Oracle.java", Array(JavaOracle.program.utf8))
    try scratch.run(["java", "-Xmx1g", "-XX:+UseSerialGC", "Oracle.java", "classes"] + inputs)
    for part in try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).sorted()
    where part.hasSuffix(".expected") {
      let text = String(decoding: try scratch.bytes(part), as: UTF8.self)
      for lines in text.components(separatedBy: "\nC\t").dropFirst() {
        let end = lines.firstIndex(of: "\n") ?? lines.endIndex
        expected.append((String(lines[..<end]), String(lines[end...].dropFirst())))
      }
    }
    let folder = scratch.folder.appendingPathComponent("classes").path
    let count = try FileManager.default.contentsOfDirectory(atPath: folder).count
    guard count == expected.count else { throw Difference(description: "javap read \(expected.count) of \(count)") }
  }

  /// The same by `ClassFile`.
  static func found(_ bytes: [UInt8]) throws -> String {
    let reader = ByteReader(bytes.span)
    let file = try ClassFile(reader)
    var lines: [String] = []
    func add(_ words: String...) { lines.append(words.joined(separator: "\t")) }
    func text(_ range: Range<Int>) -> String { reader.javaText(range) }
    func dotted(_ name: String) -> String { String(name.map { $0 == "/" || $0 == "$" ? "." : $0 }) }
    func flags(_ access: ClassAccess, _ holder: ClassAccess.Holder) -> String {
      ([String(access.rawValue, radix: 16)] + access.names(of: holder)).joined(separator: " ")
    }
    func addAnnotations(_ letter: String, _ names: [Range<Int>]) {
      if !names.isEmpty { lines.append(([letter] + names.map(text).sorted()).joined(separator: "\t")) }
    }
    add(
      "V", file.version.description, flags(file.access, .type), text(file.name), file.superclass.map(text) ?? "-")
    if !file.interfaces.isEmpty {
      lines.append((["I"] + file.interfaces.map { dotted(text($0)) }).joined(separator: "\t"))
    }
    for (letter, members) in [("F", file.fields), ("M", file.methods)] {
      for member in members {
        add(letter, text(member.name), text(member.descriptor), flags(member.access, letter == "F" ? .field : .method))
        addAnnotations("A", try file.annotations(of: member, reader))
      }
    }
    addAnnotations("a", try file.annotations(reader))
    for member in try file.memberReferences(reader) {
      add("R", "\(member.kind.rawValue)", text(member.className), text(member.name), text(member.descriptor))
    }
    lines.append((["U"] + Set(file.references.map(text)).sorted()).joined(separator: "\t"))
    return lines.map { $0 + "\n" }.joined()
  }

  /// The first lines that differ, or what was not read at all.
  struct Difference: Error, CustomStringConvertible {
    let description: String
  }

  func compare() throws -> Int {
    for (file, theirs) in expected {
      let ours = try JavaOracle.found(scratch.bytes(file))
      if ours == theirs { continue }
      let pairs = zip(ours.split(separator: "\n"), theirs.split(separator: "\n"))
      let first = pairs.first { $0 != $1 }.map { "ours:   \($0)\ntheirs: \($1)" } ?? "\(ours)\n\(theirs)"
      throw Difference(description: "\(file): \(theirs.prefix { $0 != "\n" })\n\(first)")
    }
    return expected.count
  }
}

extension JavaOracle {
  private static let program = #"""
    import java.io.*;
    import java.net.URI;
    import java.nio.file.*;
    import java.util.*;
    import java.util.regex.*;
    import java.util.spi.ToolProvider;
    import java.util.zip.*;

    public class Oracle {
      static Path folder;
      static List<String> files = new ArrayList<>();

      static void add(byte[] bytes) throws IOException {
        Path file = folder.resolve(String.format("%06d.class", files.size()));
        Files.write(file, bytes);
        files.add(file.toString());
      }

      static void addAll(Path root) throws IOException {
        try (var paths = Files.walk(root)) {
          for (Path path : (Iterable<Path>) paths.sorted()::iterator)
            if (path.toString().endsWith(".class")) add(Files.readAllBytes(path));
        }
      }

      public static void main(String[] args) throws Exception {
        folder = Files.createDirectory(Path.of(args[0]));
        for (String input : Arrays.copyOfRange(args, 1, args.length)) {
          if (input.startsWith("module:")) {
            addAll(FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules", input.substring(7)));
          } else if (input.endsWith(".jar")) {
            try (ZipFile jar = new ZipFile(input)) {
              for (ZipEntry entry : Collections.list(jar.entries()))
                if (entry.getName().endsWith(".class")) add(jar.getInputStream(entry).readAllBytes());
            }
          } else {
            addAll(Path.of(input));
          }
        }
        int parts = Math.min(Runtime.getRuntime().availableProcessors(), 1 + files.size() / 100);
        List<Thread> threads = new ArrayList<>();
        int[] failed = new int[1];
        for (int part = 0; part < parts; part++) {
          List<String> words = new ArrayList<>(List.of("-v", "-p"));
          words.addAll(files.subList(files.size() * part / parts, files.size() * (part + 1) / parts));
          String output = part + ".expected";
          Thread thread = new Thread(() -> {
            try (Lines lines = new Lines(output)) {
              var errors = new PrintWriter(System.err, true);
              var javap = ToolProvider.findFirst("javap").get();
              int status = javap.run(new PrintWriter(lines), errors, words.toArray(new String[0]));
              if (status != 0) failed[0] = status;
            } catch (Throwable e) { e.printStackTrace(); failed[0] = 99; }
          });
          thread.start();
          threads.add(thread);
        }
        for (Thread thread : threads) thread.join();
        System.exit(failed[0]);
      }

      /** Takes what javap prints, keeps a little of it. */
      static class Lines extends Writer {
        final Writer out;
        final StringBuilder line = new StringBuilder();
        final Map<Integer, String[]> constants = new TreeMap<>();
        final List<String> annotations = new ArrayList<>();
        final TreeSet<String> uses = new TreeSet<>();
        String section = "", declaration, version, flags, thisClass, superclass, member, descriptor;

        Lines(String file) throws IOException { out = Files.newBufferedWriter(Path.of(file)); }

        @Override public void write(char[] text, int start, int count) throws IOException {
          for (int i = start; i < start + count; i++) {
            if (text[i] != '\n') { line.append(text[i]); continue; }
            take(line.toString());
            line.setLength(0);
          }
        }
        @Override public void flush() {}
        @Override public void close() throws IOException { end(); out.close(); }

        static final Pattern CONSTANT = Pattern.compile(" *#(\\d+) = (.*)", Pattern.DOTALL);
        static final Pattern ANNOTATION = Pattern.compile(" +\\d+: #(\\d+)\\(.*");
        static final Pattern NESTED = Pattern.compile("@#(\\d+)\\(");
        static final Pattern NAMED = Pattern.compile("L([^;]*);");

        void take(String line) throws IOException {
          if (line.startsWith("Classfile ")) {
            end();
            section = "head";
            out.write("\nC\t" + line.substring(10).replaceAll(".*/(classes/[^/]*)$", "$1") + "\n");
            constants.clear(); uses.clear(); annotations.clear();
            declaration = null;
          } else if (section.equals("head")) {
            if (line.equals("Constant pool:")) section = "constants";
            else if (!line.startsWith(" ") && declaration == null) declaration = line;
            else if (line.startsWith("  minor version: ")) version = line.substring(17);
            else if (line.startsWith("  major version: ")) version = line.substring(17) + "." + version;
            else if (line.startsWith("  flags: ")) flags = flags(line);
            else if (line.startsWith("  this_class: ")) thisClass = number(line, 14);
            else if (line.startsWith("  super_class: ")) superclass = number(line, 15);
            if (declaration != null && declaration.startsWith("Compiled from ")) declaration = null;
          } else if (section.equals("constants")) {
            Matcher found = CONSTANT.matcher(line);
            if (line.equals("{")) { section = "members"; head(); }
            else if (found.matches()) {
              String tag = found.group(2).split(" ", 2)[0];
              String rest = found.group(2).length() < 19 ? "" : found.group(2).substring(19);
              constants.put(Integer.parseInt(found.group(1)),
                new String[] { tag, tag.equals("Utf8") ? unescaped(rest) : rest.split(" ")[0] });
            }
          } else if (section.equals("members") && line.equals("}")) {
            endMember();
            section = "tail";
          } else if (section.equals("members") && line.startsWith("    descriptor: ")) {
            descriptor = line.substring(16);
          } else if (section.equals("members") && line.startsWith("    flags: ") && descriptor != null) {
            String name = name(member);
            uses(descriptor);
            out.write((descriptor.startsWith("(") ? "M\t" : "F\t") + name + "\t" + descriptor + "\t" + flags(line) + "\n");
            descriptor = null;
          } else if (section.equals("members") && line.matches("  [^ ].*;")) {
            endMember();
            member = line.substring(2, line.length() - 1);
          } else {
            if (ANNOTATION.matcher(line).matches()) {
              Matcher type = Pattern.compile("#(\\d+)").matcher(line);
              type.find();
              annotate(type.group(1));
            }
            if (ANNOTATION.matcher(line).matches() || line.startsWith("      default_value: ")) {
              Matcher nested = NESTED.matcher(line);
              while (nested.find()) annotate(nested.group(1));
            }
          }
        }

        void annotate(String number) {
          String type = text(number);
          annotations.add(type.substring(1, type.length() - 1));
        }

        void endMember() throws IOException { annotations("A", annotations); annotations.clear(); }

        void annotations(String letter, List<String> names) throws IOException {
          if (names.isEmpty()) return;
          Collections.sort(names);
          out.write(letter + "\t" + String.join("\t", names) + "\n");
        }

        /** What is known as soon as the constants are. */
        void head() throws IOException {
          String above = superclass.equals("0") ? "-" : className(superclass);
          out.write("V\t" + version + "\t" + flags + "\t" + className(thisClass) + "\t" + above + "\n");
          String plain = plain(declaration).split(" permits ")[0];
          String word = plain.matches("(.* )?interface .*") ? " extends " : " implements ";
          int place = plain.indexOf(word);
          if (place >= 0)
            out.write("I\t" + plain.substring(place + word.length()).replace('$', '.').replaceAll(", *", "\t") + "\n");
        }

        void end() throws IOException {
          if (section.isEmpty()) return;
          annotations("a", annotations);
          for (String[] constant : constants.values()) {
            String[] parts = constant[1].split("[.:]");
            switch (constant[0]) {
              case "Fieldref": reference(9, parts); break;
              case "Methodref": reference(10, parts); break;
              case "InterfaceMethodref": reference(11, parts); break;
              case "NameAndType": uses(text(parts[1])); break;
              case "MethodType": uses(text(parts[0])); break;
              case "Class":
                String name = text(parts[0]);
                if (name.startsWith("[")) uses(name); else uses.add(name);
                break;
              default: break;
            }
          }
          out.write("U\t" + String.join("\t", uses) + "\n");
          section = "";
        }

        void reference(int tag, String[] parts) throws IOException {
          String[] pair = constants.get(Integer.parseInt(parts[1].substring(1)))[1].split(":");
          out.write("R\t" + tag + "\t" + className(parts[0]) + "\t" + text(pair[0]) + "\t" + text(pair[1]) + "\n");
        }

        void uses(String descriptor) {
          Matcher named = NAMED.matcher(descriptor);
          while (named.find()) uses.add(named.group(1));
        }

        String text(String number) { return constants.get(Integer.parseInt(number.replace("#", "")))[1]; }
        String className(String number) { return text(text(number)); }

        static String number(String line, int start) { return line.substring(start).split(" ")[0].replace("#", ""); }

        /** "flags: (0x0021) ACC_PUBLIC, ACC_SUPER" */
        static String flags(String line) {
          String[] parts = line.trim().substring(7).replaceAll("[(),]", "").split(" +");
          StringBuilder flags = new StringBuilder(Integer.toHexString(Integer.decode(parts[0])));
          // Bits without a name are there as a number once more.
          for (int i = 1; i < parts.length; i++)
            if (parts[i].startsWith("ACC_")) flags.append(' ').append(parts[i].substring(4).toLowerCase(Locale.ROOT));
          return flags.toString();
        }

        /** A declaration as the source has it, without the types' arguments. */
        static String plain(String declaration) {
          StringBuilder plain = new StringBuilder();
          int depth = 0;
          for (char c : declaration.toCharArray()) {
            if (c == '<') depth++;
            if (depth == 0) plain.append(c);
            if (c == '>') depth--;
          }
          return plain.toString().trim();
        }

        String name(String declaration) {
          String plain = plain(declaration);
          if (plain.equals("static {}")) return "<clinit>";
          int end = plain.indexOf('(');
          String name = (end < 0 ? plain : plain.substring(0, end));
          name = name.substring(name.lastIndexOf(' ') + 1);
          return end >= 0 && descriptor.endsWith("V") && name.equals(className(thisClass).replace('/', '.')) ? "<init>" : name;
        }

        static String unescaped(String text) {
          if (text.indexOf('\\') < 0) return text;
          StringBuilder plain = new StringBuilder();
          for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '\\') { plain.append(c); continue; }
            c = text.charAt(++i);
            int special = "tnrbf".indexOf(c);
            if (c == 'u') { plain.append((char) Integer.parseInt(text.substring(i + 1, i + 5), 16)); i += 4; }
            else plain.append(special < 0 ? c : "\t\n\r\b\f".charAt(special));
          }
          return plain.toString();
        }
      }
    }
    """#
}
