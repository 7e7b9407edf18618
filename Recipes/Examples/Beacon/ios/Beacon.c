#include "Beacon.h"

static int counts[64];

int BNCount(unsigned event) {
  if (event >= sizeof counts / sizeof *counts) return -1;
  return counts[event]++;
}

void BNReset(void) {
  for (unsigned event = 0; event < sizeof counts / sizeof *counts; event++) counts[event] = 0;
}
