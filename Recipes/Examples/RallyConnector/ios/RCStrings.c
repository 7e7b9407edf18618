#include "RCStrings.h"

#include <stdlib.h>
#include <string.h>

char *MakeStringCopy(const char *text) {
  if (!text) return NULL;
  size_t size = strlen(text) + 1;
  char *copy = malloc(size);
  return copy ? memcpy(copy, text, size) : NULL;
}
