#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/// Counts an event, up to 64 of them. Returns how often it was counted before; -1 for a number that is too high.
int BNCount(unsigned event);

/// Forgets all counts.
void BNReset(void);

#ifdef __cplusplus
}
#endif
