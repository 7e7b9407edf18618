#if os(Linux)
  import SystemPackage
  import TestSupport

  /// A library that is loaded before all others, counts what a program asks of the system for files in one folder, and
  /// lets one such call fail once. What the program's libraries do elsewhere, and memory that is no file's, is let alone.
  ///
  /// `FAULT_ROOT`: the folder. `FAULT_COUNTS`: a file for the numbers of calls, a line for each function. `FAULT_FUNCTION`,
  /// `FAULT_CALL` (from 1 on), `FAULT_ERROR`: what fails. `FAULT_DONE`: a file that is made when it did.
  enum FaultLibrary {
    static let functions = [
      "open", "read", "write", "pwrite", "fsync", "rename", "mmap", "ftruncate", "unlink", "mkdir",
    ]

    static let made = Task { () -> (scratch: Scratch, path: FilePath) in
      let scratch = Scratch()
      try scratch.write("fault.c", source)
      let path = scratch("fault.so")
      try await Tool.check(
        ["clang", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", scratch("fault.c").string, "-o", path.string])
      return (scratch, path)
    }

    private static let source = #"""
      #define _GNU_SOURCE
      #include <errno.h>
      #include <fcntl.h>
      #include <stdarg.h>
      #include <stdio.h>
      #include <stdlib.h>
      #include <string.h>
      #include <sys/mman.h>
      #include <sys/stat.h>
      #include <sys/syscall.h>
      #include <unistd.h>

      enum { OPEN, READ, WRITE, PWRITE, FSYNC, RENAME, MMAP, FTRUNCATE, UNLINK, MKDIR, FUNCTIONS };
      static const char *names[] = {
        "open", "read", "write", "pwrite", "fsync", "rename", "mmap", "ftruncate", "unlink", "mkdir"
      };
      static int counts[FUNCTIONS];
      static char tracked[4096] = { 0, 1 };
      static const char *root, *done;
      static int function = -1, call, error;

      __attribute__((constructor)) static void begin(void) {
        root = getenv("FAULT_ROOT");
        done = getenv("FAULT_DONE");
        const char *name = getenv("FAULT_FUNCTION");
        for (int i = 0; name && i < FUNCTIONS; i++) if (!strcmp(name, names[i])) function = i;
        call = name ? atoi(getenv("FAULT_CALL")) : 0;
        error = name ? atoi(getenv("FAULT_ERROR")) : 0;
      }

      __attribute__((destructor)) static void end(void) {
        const char *path = getenv("FAULT_COUNTS");
        int file = path ? syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
        for (int i = 0; file >= 0 && i < FUNCTIONS; i++) {
          char line[64];
          int length = snprintf(line, sizeof line, "%s %d\n", names[i], counts[i]);
          if (syscall(SYS_write, file, line, length) != length) abort();
        }
      }

      /* Whether this call is the one that fails. */
      static int fails(int which) {
        int number = __atomic_add_fetch(&counts[which], 1, __ATOMIC_RELAXED);
        if (which != function || number != call) return 0;
        syscall(SYS_close, syscall(SYS_openat, AT_FDCWD, done, O_WRONLY | O_CREAT, 0600));
        errno = error;
        return 1;
      }

      static int isKnown(int file) { return file >= 0 && file < 4096 && tracked[file]; }
      static int isOurs(int folder, const char *path) {
        if (!root || !path) return 0;
        if (path[0] == '/') return !strncmp(path, root, strlen(root));
        return folder == AT_FDCWD || isKnown(folder);
      }

      static int openFile(int folder, const char *path, int flags, mode_t mode) {
        int ours = isOurs(folder, path);
        if (ours && fails(OPEN)) return -1;
        int file = syscall(SYS_openat, folder, path, flags, mode);
        if (file >= 0 && file < 4096) tracked[file] = ours;
        return file;
      }
      #define MODE(flags) \
        mode_t mode = 0; \
        if ((flags) & (O_CREAT | __O_TMPFILE)) { va_list list; va_start(list, flags); mode = va_arg(list, mode_t); va_end(list); }
      int open(const char *path, int flags, ...) { MODE(flags) return openFile(AT_FDCWD, path, flags, mode); }
      int open64(const char *path, int flags, ...) { MODE(flags) return openFile(AT_FDCWD, path, flags, mode); }
      int openat(int folder, const char *path, int flags, ...) { MODE(flags) return openFile(folder, path, flags, mode); }
      int openat64(int folder, const char *path, int flags, ...) { MODE(flags) return openFile(folder, path, flags, mode); }
      int close(int file) {
        if (file > 2 && file < 4096) tracked[file] = 0;
        return syscall(SYS_close, file);
      }

      #define FAIL(file, which) if (isKnown(file) && fails(which)) return -1;
      ssize_t read(int file, void *bytes, size_t count) { FAIL(file, READ) return syscall(SYS_read, file, bytes, count); }
      ssize_t pread(int file, void *bytes, size_t count, off_t at) {
        FAIL(file, READ)
        return syscall(SYS_pread64, file, bytes, count, at);
      }
      ssize_t pread64(int file, void *bytes, size_t count, off64_t at) { return pread(file, bytes, count, at); }
      ssize_t write(int file, const void *bytes, size_t count) {
        FAIL(file, WRITE)
        return syscall(SYS_write, file, bytes, count);
      }
      ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) {
        FAIL(file, PWRITE)
        return syscall(SYS_pwrite64, file, bytes, count, at);
      }
      ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at) { return pwrite(file, bytes, count, at); }
      int fsync(int file) { FAIL(file, FSYNC) return syscall(SYS_fsync, file); }
      int fdatasync(int file) { FAIL(file, FSYNC) return syscall(SYS_fdatasync, file); }
      int ftruncate(int file, off_t size) { FAIL(file, FTRUNCATE) return syscall(SYS_ftruncate, file, size); }
      int ftruncate64(int file, off64_t size) { return ftruncate(file, size); }
      void *mmap(void *place, size_t size, int protection, int flags, int file, off_t at) {
        if (!(flags & MAP_ANONYMOUS) && isKnown(file) && fails(MMAP)) return MAP_FAILED;
        return (void *)syscall(SYS_mmap, place, size, protection, flags, file, at);
      }
      void *mmap64(void *place, size_t size, int protection, int flags, int file, off64_t at) {
        return mmap(place, size, protection, flags, file, at);
      }

      #define FAIL_AT(folder, path, which) if (isOurs(folder, path) && fails(which)) return -1;
      int renameat2(int from, const char *old, int to, const char *new, unsigned flags) {
        FAIL_AT(to, new, RENAME)
        return syscall(SYS_renameat2, from, old, to, new, flags);
      }
      int renameat(int from, const char *old, int to, const char *new) { return renameat2(from, old, to, new, 0); }
      int rename(const char *old, const char *new) { return renameat2(AT_FDCWD, old, AT_FDCWD, new, 0); }
      int unlinkat(int folder, const char *path, int flags) {
        FAIL_AT(folder, path, UNLINK)
        return syscall(SYS_unlinkat, folder, path, flags);
      }
      int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
      int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }
      int mkdirat(int folder, const char *path, mode_t mode) {
        FAIL_AT(folder, path, MKDIR)
        return syscall(SYS_mkdirat, folder, path, mode);
      }
      int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

      """#
  }
#endif
