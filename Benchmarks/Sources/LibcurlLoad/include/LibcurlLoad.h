// The least that a program in C does to keep so many requests in flight with libcurl.

#ifndef LIBCURL_LOAD_H
#define LIBCURL_LOAD_H

#include <stddef.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

typedef struct libcurl_load libcurl_load;

// Finds the system's libcurl and makes as many handles as are to be in flight; NULL without libcurl.
libcurl_load *_Nullable libcurl_load_make(const char *url, int in_flight);

// Sends again whenever an answer is there, on this thread, for a time and up to `limit` requests; what is
// under way at the end is finished and counted.
// `seconds` receives what each request took, up to `capacity` of them; it may be NULL if that is 0.
// Returns how many requests were answered, or -1 if one failed or had another status or size.
long libcurl_load_run(
    libcurl_load *load,
    double duration,
    long limit,
    size_t size,
    double *_Nullable seconds,
    long capacity
);

void libcurl_load_free(libcurl_load *load);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
