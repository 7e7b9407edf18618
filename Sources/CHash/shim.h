#pragma once
#include <stddef.h>
#include <stdint.h>

// SHA-256 (FIPS 180-4) and its HMAC (RFC 2104), and the checksums of Maven repositories, which are no protection: MD5
// (RFC 1321), SHA-1 and SHA-512 (FIPS 180-4). They are CommonCrypto's on macOS, nettle's elsewhere. Both use the
// processor's own instructions where it has them.

#ifdef __APPLE__
#include <CommonCrypto/CommonCrypto.h>

struct hash_state {
  CC_SHA256_CTX context;
};

static inline void hash_begin(struct hash_state *_Nonnull state) { CC_SHA256_Init(&state->context); }

static inline void hash_add(struct hash_state *_Nonnull state, const uint8_t *_Nullable bytes, size_t count) {
  // The length is a 32-bit number there.
  while (count > 0) {
    CC_LONG part = count > 1u << 30 ? 1u << 30 : (CC_LONG)count;
    CC_SHA256_Update(&state->context, bytes, part);
    bytes += part;
    count -= part;
  }
}

/// Writes 32 bytes; the state is of no use afterwards.
static inline void hash_end(struct hash_state *_Nonnull state, uint8_t *_Nonnull digest) {
  CC_SHA256_Final(digest, &state->context);
}

/// Writes 32 bytes.
static inline void hash_code(
    const uint8_t *_Nonnull key, size_t key_size, const uint8_t *_Nullable bytes, size_t count,
    uint8_t *_Nonnull code) {
  CCHmac(kCCHmacAlgSHA256, key, key_size, bytes, count, code);
}

struct checksums_state {
  CC_MD5_CTX md5;
  CC_SHA1_CTX sha1;
  CC_SHA512_CTX sha512;
};

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
static inline void checksums_begin(struct checksums_state *_Nonnull state) {
  CC_MD5_Init(&state->md5);
  CC_SHA1_Init(&state->sha1);
  CC_SHA512_Init(&state->sha512);
}

static inline void checksums_add(
    struct checksums_state *_Nonnull state, const uint8_t *_Nullable bytes, size_t count) {
  while (count > 0) {
    CC_LONG part = count > 1u << 30 ? 1u << 30 : (CC_LONG)count;
    CC_MD5_Update(&state->md5, bytes, part);
    CC_SHA1_Update(&state->sha1, bytes, part);
    CC_SHA512_Update(&state->sha512, bytes, part);
    bytes += part;
    count -= part;
  }
}

/// Writes 16 bytes of MD5, 20 of SHA-1 and 64 of SHA-512; the state is of no use afterwards.
static inline void checksums_end(struct checksums_state *_Nonnull state, uint8_t *_Nonnull digests) {
  CC_MD5_Final(digests, &state->md5);
  CC_SHA1_Final(digests + 16, &state->sha1);
  CC_SHA512_Final(digests + 36, &state->sha512);
}
#pragma clang diagnostic pop
#else
#include <nettle/hmac.h>
#include <nettle/md5.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>
#include <nettle/version.h>

#if NETTLE_VERSION_MAJOR >= 4
#define HASH_DIGEST(function, context, size, digest) function(context, digest)
#else
#define HASH_DIGEST(function, context, size, digest) function(context, size, digest)
#endif

struct hash_state {
  struct sha256_ctx context;
};

static inline void hash_begin(struct hash_state *_Nonnull state) { sha256_init(&state->context); }

static inline void hash_add(struct hash_state *_Nonnull state, const uint8_t *_Nullable bytes, size_t count) {
  if (count > 0) sha256_update(&state->context, count, bytes);
}

/// Writes 32 bytes; the state is of no use afterwards.
static inline void hash_end(struct hash_state *_Nonnull state, uint8_t *_Nonnull digest) {
  HASH_DIGEST(sha256_digest, &state->context, SHA256_DIGEST_SIZE, digest);
}

/// Writes 32 bytes.
static inline void hash_code(
    const uint8_t *_Nonnull key, size_t key_size, const uint8_t *_Nullable bytes, size_t count,
    uint8_t *_Nonnull code) {
  struct hmac_sha256_ctx context;
  hmac_sha256_set_key(&context, key_size, key);
  if (count > 0) hmac_sha256_update(&context, count, bytes);
  HASH_DIGEST(hmac_sha256_digest, &context, SHA256_DIGEST_SIZE, code);
}

struct checksums_state {
  struct md5_ctx md5;
  struct sha1_ctx sha1;
  struct sha512_ctx sha512;
};

static inline void checksums_begin(struct checksums_state *_Nonnull state) {
  md5_init(&state->md5);
  sha1_init(&state->sha1);
  sha512_init(&state->sha512);
}

static inline void checksums_add(
    struct checksums_state *_Nonnull state, const uint8_t *_Nullable bytes, size_t count) {
  if (count == 0) return;
  md5_update(&state->md5, count, bytes);
  sha1_update(&state->sha1, count, bytes);
  sha512_update(&state->sha512, count, bytes);
}

/// Writes 16 bytes of MD5, 20 of SHA-1 and 64 of SHA-512; the state is of no use afterwards.
static inline void checksums_end(struct checksums_state *_Nonnull state, uint8_t *_Nonnull digests) {
  HASH_DIGEST(md5_digest, &state->md5, MD5_DIGEST_SIZE, digests);
  HASH_DIGEST(sha1_digest, &state->sha1, SHA1_DIGEST_SIZE, digests + MD5_DIGEST_SIZE);
  HASH_DIGEST(sha512_digest, &state->sha512, SHA512_DIGEST_SIZE, digests + MD5_DIGEST_SIZE + SHA1_DIGEST_SIZE);
}
#endif
