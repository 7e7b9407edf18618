// glibc and musl declare this for GNU's dialect only, which Swift's module of the C library is not made with.
#include <spawn.h>

#ifndef __APPLE__
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *restrict actions, const char *restrict path);
#endif
