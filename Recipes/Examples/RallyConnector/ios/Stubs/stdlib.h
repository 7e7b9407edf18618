#include <stddef.h>

void *malloc(size_t size);
void free(void *memory);
