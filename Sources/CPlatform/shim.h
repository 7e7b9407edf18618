// What glibc and musl declare for GNU's dialect only, which Swift's module of the C library is not made with.
#include <spawn.h>

#ifndef __APPLE__
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *restrict actions, const char *restrict path);
#ifdef __GLIBC__
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);
#endif

#include <sys/types.h>
int fallocate(int file, int mode, off_t offset, off_t length);
int sync_file_range(int file, off_t offset, off_t length, unsigned int flags);

#include <sys/prctl.h>
/// Swift calls no functions with a variable number of arguments.
static inline void platform_hide_process(void) { prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

#include <linux/stat.h>
int statx(int folder, const char *restrict path, int flags, unsigned int mask, struct statx *restrict status);

int renameat2(int folder, const char *path, int target, const char *new_path, unsigned int flags);
#endif
