#include "SCStrings.h"

#include <stdlib.h>
#include <string.h>

char *MakeStringCopy(const char *text) {
  if (!text) return NULL;
  char *copy = malloc(strlen(text) + 1);
  if (!copy) return NULL;
  char *end = copy;
  for (; *text; text++) {
    if (*text != ' ') *end++ = *text;
  }
  *end = '\0';
  return copy;
}
