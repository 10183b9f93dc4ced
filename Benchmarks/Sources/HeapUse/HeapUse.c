#include "HeapUse.h"

#include <stdlib.h>

#if defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 33)
#include <malloc.h>
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
