#ifndef MALLOC_COUNT_H
#define MALLOC_COUNT_H

#include <stdbool.h>
#include <stdint.h>

/// Whether this platform's allocations can be counted: only with glibc.
bool malloc_count_is_available(void);

/// Starts counting the allocations of every thread, from zero.
void malloc_count_start(void);

/// Stops counting.
/// @return The number of allocations since `malloc_count_start`; a `realloc` counts as one.
uint64_t malloc_count_stop(void);

#endif
