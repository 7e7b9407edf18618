#include <stddef.h>

size_t strlen(const char *text);
void *memcpy(void *to, const void *from, size_t size);
