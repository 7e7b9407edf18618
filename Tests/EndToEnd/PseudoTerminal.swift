import Foundation
import SystemPackage
import TestSupport

/// A program at a terminal of a given width, and somebody who watches and types: Python's `pty`, and a small screen that
/// understands what a status line needs and notes everything else.
struct PseudoTerminal: Decodable {
  /// -N if signal N ended it.
  let status: Int32
  /// What is on the screen in the end, without blanks at the end of lines.
  let screen: [String]
  /// The line of the cursor, each time that its rest was erased: the status lines, and "" where one was taken away.
  let lines: [String]
  /// What a status line must not do: wrap, reach the last column, escape sequences that nobody expects.
  let faults: [String]
  /// Where the cursor is in the end.
  let column: Int
  /// All that was written, byte for byte.
  let raw: [UInt8]

  /// The status lines that were shown.
  var statuses: [String] { lines.filter { !$0.isEmpty } }
  var text: String { String(decoding: raw, as: UTF8.self) }

  /// What the watcher does next.
  enum Act {
    /// Waits until the line of the cursor matches; it may do so already.
    case shows(String)
    /// Waits until it is drawn anew and matches.
    case draws(String)
    /// Waits until a file is there.
    case finds(FilePath)
    case makes(FilePath)
    case types(String)
    case signals(Int32)
    case resizes(Int)

    fileprivate var words: [String] {
      switch self {
      case .shows(let pattern): ["shows", pattern]
      case .draws(let pattern): ["draws", pattern]
      case .finds(let file): ["finds", file.string]
      case .makes(let file): ["makes", file.string]
      case .types(let text): ["types", text]
      case .signals(let number): ["signals", "\(number)"]
      case .resizes(let columns): ["resizes", "\(columns)"]
      }
    }
  }

  static func run(
    _ words: [String], in folder: FilePath, columns: Int = 80, term: String = "xterm", _ acts: [Act] = []
  ) async throws -> PseudoTerminal {
    try await run(program: [Scenario.binary.string] + words, in: folder, columns: columns, term: term, acts)
  }

  static func run(
    program words: [String], in folder: FilePath, columns: Int = 80, term: String = "xterm", _ acts: [Act] = []
  ) async throws -> PseudoTerminal {
    let given = try JSONEncoder().encode([acts.map(\.words), [words]])
    let done = try await Tool.run(
      ["python3", "-c", program, String(decoding: given, as: UTF8.self), "\(columns)"], in: folder,
      environment: ["TERM": term, "NO_COLOR": nil, "PYTHONIOENCODING": "utf-8"])
    guard done.status == 0 else { throw ToolError(done.all) }
    return try JSONDecoder().decode(PseudoTerminal.self, from: Data(done.out.utf8))
  }

  private static let program = #"""
    import codecs, fcntl, json, os, pty, re, select, signal, struct, sys, termios, time, unicodedata

    acts, [words] = json.loads(sys.argv[1])
    columns = int(sys.argv[2])

    def resize(file):
        fcntl.ioctl(file, termios.TIOCSWINSZ, struct.pack("HHHH", 25, columns, 0, 0))

    class Screen:
        def __init__(self):
            self.rows, self.row, self.column = [[]], 0, 0
            self.lines, self.faults = [], []
            self.wrapped = self.returned = False
            self.escape = ""

        def line(self, row=None):
            return "".join(self.rows[self.row if row is None else row]).rstrip()

        def width(self, scalar):
            if unicodedata.category(scalar) in ("Mn", "Me", "Cf"): return 0
            return 2 if unicodedata.east_asian_width(scalar) in "WF" else 1

        def down(self):
            self.row += 1
            if self.row == len(self.rows): self.rows.append([])

        def put(self, scalar):
            width = self.width(scalar)
            if self.column + width > columns:
                self.wrapped = True
                self.column = 0
                self.down()
            cells = self.rows[self.row]
            cells.extend(" " * (self.column + width - len(cells)))
            if width == 0:
                if self.column: cells[self.column - 1] += scalar
                return
            cells[self.column : self.column + width] = [scalar] + [""] * (width - 1)
            self.column += width

        def rewritten(self):
            if self.wrapped: self.faults.append("written over after it had wrapped: " + self.line())
            self.wrapped = False

        def sequence(self, text):
            if text in ("\x1b[K", "\x1b[0K"):
                self.rewritten()
                if self.column >= columns: self.faults.append("reaches the last column: " + self.line())
                del self.rows[self.row][self.column :]
                self.lines.append(self.line())
            elif not re.fullmatch("\x1b\\[[0-9;]*m", text):
                self.faults.append("unexpected sequence " + ascii(text))

        def feed(self, scalar):
            if self.escape:
                self.escape += scalar
                if scalar.isalpha() or len(self.escape) > 20:
                    text, self.escape = self.escape, ""
                    self.sequence(text)
                return
            if self.returned and scalar != "\n": self.rewritten()
            self.returned = False
            if scalar == "\r":
                self.returned, self.column = True, 0
            elif scalar == "\n":
                self.wrapped = False
                self.column = 0
                self.down()
            elif scalar == "\x1b":
                self.escape = scalar
            elif scalar < " ":
                self.faults.append("control character " + ascii(scalar))
            else:
                self.put(scalar)

    child, terminal = pty.fork()
    if child == 0:
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        resize(0)
        os.execvp(words[0], words)
    screen, raw, decoder = Screen(), b"", codecs.getincrementaldecoder("utf-8")("replace")
    # A machine under load may take its time; a build that hangs is to be told from it.
    end = time.monotonic() + 240
    acts = [tuple(act) for act in acts]
    fresh = 0

    def is_done(kind, value):
        if kind == "finds": return os.path.exists(value)
        if kind in ("shows", "draws"):
            now = screen.lines[fresh if kind == "draws" else max(0, fresh - 1) :]
            return any(re.search(value, line) for line in now)
        if kind == "makes": open(value, "w").close()
        if kind == "types": os.write(terminal, value.encode())
        if kind == "signals": os.kill(child, int(value))
        if kind == "resizes":
            global columns
            columns = int(value)
            resize(terminal)
        return True

    while True:
        while acts and is_done(*acts[0]):
            acts.pop(0)
            fresh = len(screen.lines)
        if time.monotonic() > end:
            os.killpg(child, signal.SIGKILL)
            sys.exit("too late for %s; shown: %s" % (acts, screen.lines[-20:]))
        if not select.select([terminal], [], [], 0.01)[0]: continue
        try: part = os.read(terminal, 4096)
        except OSError: part = b""
        if not part: break
        raw += part
        for scalar in decoder.decode(part): screen.feed(scalar)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if acts: sys.exit("it has ended before %s; shown: %s\n%s" % (acts, screen.lines[-20:], raw.decode(errors="replace")))
    rows = [screen.line(row) for row in range(len(screen.rows))]
    while rows and not rows[-1]: rows.pop()
    json.dump({"status": status, "screen": rows, "lines": screen.lines, "faults": screen.faults,
               "column": screen.column, "raw": list(raw)}, sys.stdout)
    """#
}
