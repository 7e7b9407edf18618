#if os(Linux)
  package import SystemPackage

  /// Counts how often a program opens some files, as the kernel tells it (inotify).
  package enum OpenCounter {
    /// Runs a program to its end. The counts are in the order of the files, which must be there.
    package static func run(
      _ words: [String], counting files: [FilePath], in folder: FilePath, environment: [String: String?] = [:]
    ) async throws -> (result: ToolResult, counts: [Int]) {
      let scratch = Scratch()
      try scratch.write("files", files.map(\.string).joined(separator: "\n"))
      let result = try await Tool.run(
        ["python3", "-c", program, scratch("files").string, scratch("counts").string] + words, in: folder,
        environment: environment)
      let counts = try scratch.text("counts").split(separator: "\n").compactMap { Int($0) }
      guard counts.count == files.count else { throw ToolError("opens were not counted: \(result.all)") }
      return (result, counts)
    }

    /// Two equal events in a row are one to inotify. So the folder of each file is watched, too: each time a file is opened
    /// there is an event of the folder, then one of the file.
    private static let program = #"""
      import ctypes, os, struct, subprocess, sys, threading

      libc = ctypes.CDLL(None, use_errno=True)
      IN_OPEN, IN_Q_OVERFLOW = 0x20, 0x4000
      files = [os.path.realpath(line) for line in open(sys.argv[1]).read().split("\n")]
      queue = libc.inotify_init1(os.O_CLOEXEC)

      def watch(path):
          number = libc.inotify_add_watch(queue, os.fsencode(path), IN_OPEN)
          if number < 0:
              raise OSError(ctypes.get_errno(), path)
          return number

      for folder in sorted({os.path.dirname(path) for path in files}):
          watch(folder)
      numbers = [watch(path) for path in files]
      counts = dict.fromkeys(numbers, 0)
      end = os.path.join(os.path.dirname(sys.argv[1]), "end")
      open(end, "w").close()
      last = watch(end)
      is_whole = True

      def count():
          global is_whole
          while True:
              events, at = os.read(queue, 1 << 20), 0
              while at < len(events):
                  number, mask, _, length = struct.unpack_from("iIII", events, at)
                  at += 16 + length
                  is_whole = is_whole and not mask & IN_Q_OVERFLOW
                  if number == last:
                      return
                  if number in counts:
                      counts[number] += 1

      thread = threading.Thread(target=count)
      thread.start()
      status = subprocess.call(sys.argv[3:])
      open(end).close()
      thread.join()
      if is_whole:
          with open(sys.argv[2], "w") as out:
              out.write("\n".join(str(counts[number]) for number in numbers))
      sys.exit(status)
      """#
  }
#endif
