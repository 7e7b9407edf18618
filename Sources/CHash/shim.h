#pragma once
#include <stddef.h>
#include <stdint.h>

// SHA-256 (FIPS 180-4) and its HMAC (RFC 2104): CommonCrypto's on macOS, nettle's elsewhere. Both use the processor's own
// instructions where it has them.

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
#else
#include <nettle/hmac.h>
#include <nettle/sha2.h>
#include <nettle/version.h>

#if NETTLE_VERSION_MAJOR >= 4
#define HASH_DIGEST(function, context, digest) function(context, digest)
#else
#define HASH_DIGEST(function, context, digest) function(context, SHA256_DIGEST_SIZE, digest)
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
  HASH_DIGEST(sha256_digest, &state->context, digest);
}

/// Writes 32 bytes.
static inline void hash_code(
    const uint8_t *_Nonnull key, size_t key_size, const uint8_t *_Nullable bytes, size_t count,
    uint8_t *_Nonnull code) {
  struct hmac_sha256_ctx context;
  hmac_sha256_set_key(&context, key_size, key);
  if (count > 0) hmac_sha256_update(&context, count, bytes);
  HASH_DIGEST(hmac_sha256_digest, &context, code);
}
#endif
