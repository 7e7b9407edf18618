#pragma once
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <zstd.h>

/// Every function of libzstd that is called.
#define LIBZSTD_FUNCTIONS(X)                                                                                         \
  X(ZSTD_createCCtx) X(ZSTD_freeCCtx) X(ZSTD_compressStream2) X(ZSTD_createDCtx) X(ZSTD_freeDCtx)                    \
  X(ZSTD_DCtx_setParameter) X(ZSTD_decompressStream) X(ZSTD_isError)

struct libzstd {
#define LIBZSTD_MEMBER(name) __typeof__(name) *_Nonnull name;
  LIBZSTD_FUNCTIONS(LIBZSTD_MEMBER)
#undef LIBZSTD_MEMBER
};

/// Fills the table, to be called once; NULL if the library cannot be had.
///
/// It is opened by name, so that only what asks a server that takes compressed blobs needs it.
static inline const struct libzstd *_Nullable libzstd_open(void) {
  static struct libzstd functions;
#ifdef __APPLE__
  void *library = dlopen("/opt/homebrew/lib/libzstd.1.dylib", RTLD_NOW | RTLD_LOCAL);
  if (!library) library = dlopen("/usr/local/lib/libzstd.1.dylib", RTLD_NOW | RTLD_LOCAL);
#else
  void *library = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL);
#endif
  if (!library) return NULL;
#define LIBZSTD_FIND(name)                                                                                           \
  {                                                                                                                  \
    void *found = dlsym(library, #name);                                                                             \
    if (!found) return NULL;                                                                                         \
    functions.name = (__typeof__(name) *)found;                                                                      \
  }
  LIBZSTD_FUNCTIONS(LIBZSTD_FIND)
#undef LIBZSTD_FIND
  return &functions;
}

/// The sizes of the bytes that a step of a stream has taken and given.
struct libzstd_step {
  size_t taken, given;
  /// All is taken, and all that comes of it is given.
  bool isDone;
  bool hasFailed;
};

static inline struct libzstd_step libzstd_compress(
  const struct libzstd *_Nonnull library, void *_Nonnull stream, const void *_Nullable bytes, size_t size, bool isLast,
  void *_Nullable room, size_t capacity) {
  ZSTD_inBuffer input = {bytes, size, 0};
  ZSTD_outBuffer output = {room, capacity, 0};
  size_t left = library->ZSTD_compressStream2(
    (ZSTD_CCtx *)stream, &output, &input, isLast ? ZSTD_e_end : ZSTD_e_continue);
  bool hasFailed = library->ZSTD_isError(left);
  return (struct libzstd_step){input.pos, output.pos, isLast ? left == 0 : input.pos == size, hasFailed};
}

static inline struct libzstd_step libzstd_decompress(
  const struct libzstd *_Nonnull library, void *_Nonnull stream, const void *_Nullable bytes, size_t size,
  void *_Nullable room, size_t capacity) {
  ZSTD_inBuffer input = {bytes, size, 0};
  ZSTD_outBuffer output = {room, capacity, 0};
  size_t left = library->ZSTD_decompressStream((ZSTD_DCtx *)stream, &output, &input);
  bool hasFailed = library->ZSTD_isError(left);
  return (struct libzstd_step){input.pos, output.pos, input.pos == size && output.pos < capacity, hasFailed};
}

static inline void *_Nullable libzstd_begin_compressing(const struct libzstd *_Nonnull library) {
  return library->ZSTD_createCCtx();
}

/// - Parameter windowLog: the memory that a stream may ask for: two to that power, in bytes.
static inline void *_Nullable libzstd_begin_decompressing(const struct libzstd *_Nonnull library, int windowLog) {
  ZSTD_DCtx *stream = library->ZSTD_createDCtx();
  if (stream) library->ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, windowLog);
  return stream;
}

static inline void libzstd_end(const struct libzstd *_Nonnull library, void *_Nonnull stream, bool compresses) {
  if (compresses) {
    library->ZSTD_freeCCtx((ZSTD_CCtx *)stream);
  } else {
    library->ZSTD_freeDCtx((ZSTD_DCtx *)stream);
  }
}
