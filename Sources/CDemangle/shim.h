// Every C++ runtime has this (Itanium C++ ABI, 3.4), and declares it for C++ only.
#include <stddef.h>

char *_Nullable __cxa_demangle(
    const char *_Nonnull name, char *_Nullable buffer, size_t *_Nullable length, int *_Nullable status);
