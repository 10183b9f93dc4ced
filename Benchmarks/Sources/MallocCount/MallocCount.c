#include "MallocCount.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

#if defined(__GLIBC__)

// Defined in the executable, these take the place of the C library's for the Swift runtime and
// every other shared library as well, and hand on to the names under which glibc exports its own.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *pointer, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static atomic_bool counting;
static atomic_uint_fast64_t count;

static inline void note_allocation(void) {
    if (atomic_load_explicit(&counting, memory_order_relaxed)) {
        atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    }
}

void *malloc(size_t size) {
    note_allocation();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    note_allocation();
    return __libc_calloc(number, size);
}

void *realloc(void *pointer, size_t size) {
    note_allocation();
    return __libc_realloc(pointer, size);
}

void *memalign(size_t alignment, size_t size) {
    note_allocation();
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    note_allocation();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **pointer, size_t alignment, size_t size) {
    // A power of two and a multiple of a pointer's size, as POSIX asks.
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) {
        return EINVAL;
    }
    note_allocation();
    void *allocated = __libc_memalign(alignment, size);
    if (allocated == NULL) { return ENOMEM; }
    *pointer = allocated;
    return 0;
}

bool malloc_count_is_available(void) { return true; }

void malloc_count_start(void) {
    atomic_store_explicit(&count, 0, memory_order_relaxed);
    atomic_store_explicit(&counting, true, memory_order_seq_cst);
}

uint64_t malloc_count_stop(void) {
    atomic_store_explicit(&counting, false, memory_order_seq_cst);
    return atomic_load_explicit(&count, memory_order_relaxed);
}

#else

bool malloc_count_is_available(void) { return false; }
void malloc_count_start(void) {}
uint64_t malloc_count_stop(void) { return 0; }

#endif
