#pragma once
#include <archive.h>
#include <archive_entry.h>
#include <dlfcn.h>
#include <stddef.h>
// Swift's Glibc module leaves it out.
#include <sys/xattr.h>

/// Every function of libarchive that is called.
#define LIBARCHIVE_FUNCTIONS(X)                                                                                      \
  X(archive_read_new) X(archive_read_free) X(archive_error_string) X(archive_read_support_filter_all)                \
  X(archive_read_support_format_zip) X(archive_read_support_format_tar) X(archive_read_support_format_7zip)          \
  X(archive_read_support_format_cpio) X(archive_read_set_options) X(archive_read_set_read_callback)                  \
  X(archive_read_set_skip_callback) X(archive_read_set_seek_callback) X(archive_read_set_callback_data)              \
  X(archive_read_open1) X(archive_read_next_header) X(archive_read_data_block) X(archive_entry_pathname)             \
  X(archive_entry_mode) X(archive_entry_hardlink) X(archive_entry_symlink) X(archive_entry_size)                     \
  X(archive_entry_size_is_set) X(archive_entry_xattr_reset) X(archive_entry_xattr_next)

struct libarchive {
#define LIBARCHIVE_MEMBER(name) __typeof__(name) *_Nonnull name;
  LIBARCHIVE_FUNCTIONS(LIBARCHIVE_MEMBER)
#undef LIBARCHIVE_MEMBER
};

/// The functions of a library that is linked into the program that calls this.
static inline struct libarchive libarchive_linked(void) {
#define LIBARCHIVE_TAKE(name) .name = name,
  return (struct libarchive){LIBARCHIVE_FUNCTIONS(LIBARCHIVE_TAKE)};
#undef LIBARCHIVE_TAKE
}

/// Fills the table, to be called once; NULL and the reason if the library cannot be had.
///
/// On Linux it is opened by name, so that only what reads an archive pays for the dozen libraries behind it (ICU is one
/// of them): they take as long to load as everything else together. On macOS they are in the system's shared cache.
static inline const struct libarchive *_Nullable libarchive_open(const char *_Nullable *_Nonnull reason) {
  static struct libarchive functions;
#ifdef __APPLE__
  functions = libarchive_linked();
#else
  // The version of the interface since 2012: it would change with a function's types.
  void *library = dlopen("libarchive.so.13", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    *reason = dlerror();
    return NULL;
  }
#define LIBARCHIVE_FIND(name)                                                                                        \
  {                                                                                                                  \
    void *found = dlsym(library, #name);                                                                             \
    if (!found) {                                                                                                    \
      *reason = dlerror();                                                                                           \
      return NULL;                                                                                                   \
    }                                                                                                                \
    functions.name = (__typeof__(name) *)found;                                                                      \
  }
  LIBARCHIVE_FUNCTIONS(LIBARCHIVE_FIND)
#undef LIBARCHIVE_FIND
#endif
  return &functions;
}
