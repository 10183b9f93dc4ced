#include "HeapUse.h"

#include <stdlib.h>

#if defined(__GLIBC__)
#include <malloc.h>
#if __GLIBC_PREREQ(2, 33)
#define HAS_MALLINFO2 1
#endif
#endif

int64_t heap_use_bytes(void) {
#ifdef HAS_MALLINFO2
    struct mallinfo2 info = mallinfo2();
    return (int64_t)(info.uordblks + info.hblkhd);
#else
    return -1;
#endif
}

void heap_trim(void) {
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
}
