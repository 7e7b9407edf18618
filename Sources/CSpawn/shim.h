// glibc and musl declare these for GNU's dialect only, which Swift's module of the C library is not made with; the second
// is glibc's alone.
#include <spawn.h>

#ifndef __APPLE__
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *restrict actions, const char *restrict path);
#ifdef __GLIBC__
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);
#endif
#endif
