#pragma once
// The checks of types are macros, which would hide the functions.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <dlfcn.h>
#include <stddef.h>

/// Every function of libcurl that is called.
#define LIBCURL_FUNCTIONS(X)                                                                                         \
  X(curl_global_init) X(curl_easy_init) X(curl_easy_cleanup) X(curl_easy_setopt) X(curl_easy_getinfo)                \
  X(curl_easy_strerror) X(curl_slist_append) X(curl_slist_free_all) X(curl_multi_init) X(curl_multi_add_handle)      \
  X(curl_multi_remove_handle) X(curl_multi_perform) X(curl_multi_poll) X(curl_multi_wakeup) X(curl_multi_info_read)  \
  X(curl_multi_cleanup)

struct libcurl {
#define LIBCURL_MEMBER(name) __typeof__(name) *_Nonnull name;
  LIBCURL_FUNCTIONS(LIBCURL_MEMBER)
#undef LIBCURL_MEMBER
};

/// Fills the table, to be called once; NULL and the reason if the library cannot be had.
///
/// It is opened by name, so that only what asks a remote cache pays for the dozen libraries behind it.
static inline const struct libcurl *_Nullable libcurl_open(const char *_Nullable *_Nonnull reason) {
  static struct libcurl functions;
#ifdef __APPLE__
  void *library = dlopen("/usr/lib/libcurl.4.dylib", RTLD_NOW | RTLD_LOCAL);
#else
  // The two flavours that distributions have: with OpenSSL, and with GnuTLS.
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) library = dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL);
#endif
  if (!library) {
    *reason = dlerror();
    return NULL;
  }
#define LIBCURL_FIND(name)                                                                                           \
  {                                                                                                                  \
    void *found = dlsym(library, #name);                                                                             \
    if (!found) {                                                                                                    \
      *reason = dlerror();                                                                                           \
      return NULL;                                                                                                   \
    }                                                                                                                \
    functions.name = (__typeof__(name) *)found;                                                                      \
  }
  LIBCURL_FUNCTIONS(LIBCURL_FIND)
#undef LIBCURL_FIND
  functions.curl_global_init(CURL_GLOBAL_DEFAULT);
  return &functions;
}

// Swift calls no functions with a variable number of arguments.

static inline CURLcode libcurl_set_number(
  const struct libcurl *_Nonnull library, CURL *_Nonnull handle, CURLoption option, long value) {
  return library->curl_easy_setopt(handle, option, value);
}

static inline CURLcode libcurl_set_size(
  const struct libcurl *_Nonnull library, CURL *_Nonnull handle, CURLoption option, curl_off_t value) {
  return library->curl_easy_setopt(handle, option, value);
}

static inline CURLcode libcurl_set_text(
  const struct libcurl *_Nonnull library, CURL *_Nonnull handle, CURLoption option, const char *_Nullable value) {
  return library->curl_easy_setopt(handle, option, value);
}

static inline CURLcode libcurl_set_pointer(
  const struct libcurl *_Nonnull library, CURL *_Nonnull handle, CURLoption option, void *_Nullable value) {
  return library->curl_easy_setopt(handle, option, value);
}

/// Takes or gives a part of a body; the result is its size in bytes.
typedef size_t (*libcurl_body)(char *_Nonnull bytes, size_t size, size_t count, void *_Nonnull context);

static inline CURLcode libcurl_set_body(
  const struct libcurl *_Nonnull library, CURL *_Nonnull handle, CURLoption option, libcurl_body _Nonnull value) {
  return library->curl_easy_setopt(handle, option, value);
}

static inline long libcurl_number(const struct libcurl *_Nonnull library, CURL *_Nonnull handle, CURLINFO info) {
  long value = 0;
  return library->curl_easy_getinfo(handle, info, &value) == CURLE_OK ? value : 0;
}

static inline curl_off_t libcurl_size(const struct libcurl *_Nonnull library, CURL *_Nonnull handle, CURLINFO info) {
  curl_off_t value = 0;
  return library->curl_easy_getinfo(handle, info, &value) == CURLE_OK ? value : 0;
}

static inline const char *_Nullable libcurl_text(
  const struct libcurl *_Nonnull library, CURL *_Nonnull handle, CURLINFO info) {
  const char *value = NULL;
  return library->curl_easy_getinfo(handle, info, &value) == CURLE_OK ? value : NULL;
}

static inline CURL *_Nullable libcurl_begin(const struct libcurl *_Nonnull library) {
  return library->curl_easy_init();
}

static inline void libcurl_end(const struct libcurl *_Nonnull library, CURL *_Nonnull handle) {
  library->curl_easy_cleanup(handle);
}

static inline CURLM *_Nullable libcurl_multi(const struct libcurl *_Nonnull library) {
  return library->curl_multi_init();
}

static inline void libcurl_end_multi(const struct libcurl *_Nonnull library, CURLM *_Nonnull all) {
  library->curl_multi_cleanup(all);
}

static inline CURLMcode libcurl_add(const struct libcurl *_Nonnull library, CURLM *_Nonnull all, CURL *_Nonnull one) {
  return library->curl_multi_add_handle(all, one);
}

static inline void libcurl_remove(const struct libcurl *_Nonnull library, CURLM *_Nonnull all, CURL *_Nonnull one) {
  library->curl_multi_remove_handle(all, one);
}

/// Does what can be done without waiting.
static inline void libcurl_perform(const struct libcurl *_Nonnull library, CURLM *_Nonnull all) {
  int running = 0;
  library->curl_multi_perform(all, &running);
}

static inline void libcurl_wait(const struct libcurl *_Nonnull library, CURLM *_Nonnull all, int milliseconds) {
  library->curl_multi_poll(all, NULL, 0, milliseconds, NULL);
}

static inline void libcurl_wake(const struct libcurl *_Nonnull library, CURLM *_Nonnull all) {
  library->curl_multi_wakeup(all);
}

/// The next transfer that has ended, and how; NULL if there is none.
static inline CURL *_Nullable libcurl_ended(
  const struct libcurl *_Nonnull library, CURLM *_Nonnull all, CURLcode *_Nonnull code) {
  int left = 0;
  CURLMsg *message;
  while ((message = library->curl_multi_info_read(all, &left))) {
    if (message->msg != CURLMSG_DONE) continue;
    *code = message->data.result;
    return message->easy_handle;
  }
  return NULL;
}

static inline const char *_Nonnull libcurl_reason(const struct libcurl *_Nonnull library, CURLcode code) {
  return library->curl_easy_strerror(code);
}

static inline struct curl_slist *_Nullable libcurl_append(
  const struct libcurl *_Nonnull library, struct curl_slist *_Nullable list, const char *_Nonnull text) {
  return library->curl_slist_append(list, text);
}

static inline void libcurl_free(const struct libcurl *_Nonnull library, struct curl_slist *_Nullable list) {
  library->curl_slist_free_all(list);
}
