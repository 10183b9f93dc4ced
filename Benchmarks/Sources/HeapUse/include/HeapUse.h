#ifndef HEAP_USE_H
#define HEAP_USE_H

#include <stdint.h>

/// The bytes allocated and not freed, in all of the C library's arenas; -1 where it cannot be asked.
int64_t heap_use_bytes(void);

/// Gives the pages of freed memory back to the system, where the C library can.
void heap_trim(void);

#endif
