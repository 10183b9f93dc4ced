#include "CInterceptorKitCurlCodings.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

// zlib's z_stream, of which every version since 1.1 has the same.
struct zlib_stream {
    const uint8_t *next_in;
    unsigned int avail_in;
    unsigned long total_in;
    uint8_t *next_out;
    unsigned int avail_out;
    unsigned long total_out;
    const char *message;
    void *state;
    void *allocate;
    void *release;
    void *opaque;
    int data_type;
    unsigned long checksum;
    unsigned long reserved;
};

struct zstd_output {
    void *bytes;
    size_t size;
    size_t position;
};

struct zstd_input {
    const void *bytes;
    size_t size;
    size_t position;
};

static struct {
    const char *(*version)(void);
    int (*init)(struct zlib_stream *, int, const char *, int);
    int (*inflate)(struct zlib_stream *, int);
    int (*reset)(struct zlib_stream *, int);
    int (*end)(struct zlib_stream *);
} zlib;

static struct {
    void *(*make)(void *, void *, void *);
    void (*free)(void *);
    int (*run)(void *, size_t *, const uint8_t **, size_t *, uint8_t **, size_t *);
} brotli;

static struct {
    void *(*make)(void);
    size_t (*free)(void *);
    size_t (*run)(void *, struct zstd_output *, struct zstd_input *);
    unsigned int (*is_error)(size_t);
    size_t (*set)(void *, int, int);
} zstd;

static bool has_zlib, has_brotli, has_zstd;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void *library(const char *linux_name, const char *apple_name) {
#if defined(__APPLE__)
    (void)linux_name;
    return dlopen(apple_name, RTLD_NOW | RTLD_LOCAL);
#else
    (void)apple_name;
    return dlopen(linux_name, RTLD_NOW | RTLD_LOCAL);
#endif
}

static bool find(void *from, const char *name, void *place) {
    void *found = from ? dlsym(from, name) : NULL;
    *(void **)place = found;
    return found != NULL;
}

static void load(void) {
    void *from = library("libz.so.1", "libz.1.dylib");
    has_zlib = find(from, "zlibVersion", &zlib.version) && find(from, "inflateInit2_", &zlib.init)
        && find(from, "inflate", &zlib.inflate) && find(from, "inflateReset2", &zlib.reset)
        && find(from, "inflateEnd", &zlib.end);
    from = library("libbrotlidec.so.1", "libbrotlidec.1.dylib");
    has_brotli = find(from, "BrotliDecoderCreateInstance", &brotli.make)
        && find(from, "BrotliDecoderDestroyInstance", &brotli.free)
        && find(from, "BrotliDecoderDecompressStream", &brotli.run);
    from = library("libzstd.so.1", "libzstd.1.dylib");
    has_zstd = find(from, "ZSTD_createDStream", &zstd.make)
        && find(from, "ZSTD_freeDStream", &zstd.free)
        && find(from, "ZSTD_decompressStream", &zstd.run)
        && find(from, "ZSTD_isError", &zstd.is_error)
        && find(from, "ZSTD_DCtx_setParameter", &zstd.set);
}

bool ikcurl_can_decode(enum ikcurl_coding coding) {
    pthread_once(&once, load);
    switch (coding) {
    case IKCURL_GZIP:
    case IKCURL_DEFLATE: return has_zlib;
    case IKCURL_BROTLI: return has_brotli;
    case IKCURL_ZSTD: return has_zstd;
    }
    return false;
}

struct ikcurl_decoder {
    enum ikcurl_coding coding;
    struct zlib_stream stream;
    // brotli's or zstd's.
    void *state;
    bool has_begun;
    bool is_at_end;
};

// Where a coding's parts follow each other, one may make nothing: what ends it is not the input's end.
static enum ikcurl_decoding between_parts(size_t input_left) {
    return input_left > 0 ? IKCURL_WANTS_OUTPUT : IKCURL_DECODED;
}

enum {
    ZLIB_OK = 0,
    ZLIB_END = 1,
    ZLIB_NO_PROGRESS = -5,
    ZLIB_NO_FLUSH = 0,
    WINDOW_GZIP = 15 + 16,
    WINDOW_ZLIB = 15,
    WINDOW_RAW = -15,
    BROTLI_FAILED = 0,
    BROTLI_DONE = 1,
    BROTLI_WANTS_INPUT = 2,
    // RFC 9659: 8 MiB is the largest window that a sender may ask for.
    ZSTD_WINDOW_LOG_MAX = 100,
    ZSTD_LARGEST_WINDOW_LOG = 23,
};

ikcurl_decoder *ikcurl_decoder_make(enum ikcurl_coding coding) {
    if (!ikcurl_can_decode(coding)) return NULL;
    ikcurl_decoder *made = calloc(1, sizeof *made);
    if (!made) return NULL;
    made->coding = coding;
    bool is_ready = false;
    switch (coding) {
    case IKCURL_GZIP:
    case IKCURL_DEFLATE:
        is_ready = zlib.init(
                       &made->stream, coding == IKCURL_GZIP ? WINDOW_GZIP : WINDOW_ZLIB,
                       zlib.version(), (int)sizeof made->stream
                   ) == ZLIB_OK;
        break;
    case IKCURL_BROTLI:
        made->state = brotli.make(NULL, NULL, NULL);
        is_ready = made->state != NULL;
        break;
    case IKCURL_ZSTD:
        made->state = zstd.make();
        is_ready = made->state != NULL;
        if (is_ready) zstd.set(made->state, ZSTD_WINDOW_LOG_MAX, ZSTD_LARGEST_WINDOW_LOG);
        break;
    }
    if (is_ready) return made;
    free(made);
    return NULL;
}

void ikcurl_decoder_free(ikcurl_decoder *decoder) {
    switch (decoder->coding) {
    case IKCURL_GZIP:
    case IKCURL_DEFLATE: zlib.end(&decoder->stream); break;
    case IKCURL_BROTLI: brotli.free(decoder->state); break;
    case IKCURL_ZSTD: zstd.free(decoder->state); break;
    }
    free(decoder);
}

static unsigned int clamped(size_t count) { return count > UINT_MAX ? UINT_MAX : (unsigned int)count; }

static enum ikcurl_decoding run_zlib(
    ikcurl_decoder *decoder, const uint8_t *input, size_t *input_left, uint8_t *output,
    size_t *output_left
) {
    struct zlib_stream *stream = &decoder->stream;
    // A gzip body may be several members in a row (RFC 1952 section 2.2).
    if (decoder->is_at_end) {
        if (*input_left == 0) return IKCURL_DECODED;
        if (decoder->coding != IKCURL_GZIP || zlib.reset(stream, WINDOW_GZIP) != ZLIB_OK) {
            return IKCURL_DECODING_FAILED;
        }
        decoder->is_at_end = false;
    }
    // Some servers send "deflate" without zlib's frame, as browsers have long taken it. The frame begins with
    // its method, 8 (RFC 1950 section 2.2); without it that would be a stored block with bits set in its
    // padding, which no encoder makes.
    if (decoder->coding == IKCURL_DEFLATE && !decoder->has_begun && *input_left > 0
        && (*input & 0x0f) != 8 && zlib.reset(stream, WINDOW_RAW) != ZLIB_OK) {
        return IKCURL_DECODING_FAILED;
    }
    decoder->has_begun = decoder->has_begun || *input_left > 0;
    unsigned int given = clamped(*input_left), room = clamped(*output_left);
    stream->next_in = input;
    stream->avail_in = given;
    stream->next_out = output;
    stream->avail_out = room;
    int code = zlib.inflate(stream, ZLIB_NO_FLUSH);
    *input_left -= given - stream->avail_in;
    *output_left -= room - stream->avail_out;
    if (code == ZLIB_END) {
        decoder->is_at_end = true;
        return decoder->coding == IKCURL_GZIP ? between_parts(*input_left) : IKCURL_DECODED;
    }
    if (code != ZLIB_OK && code != ZLIB_NO_PROGRESS) return IKCURL_DECODING_FAILED;
    return stream->avail_out == 0 || *input_left > 0 ? IKCURL_WANTS_OUTPUT : IKCURL_WANTS_INPUT;
}

static enum ikcurl_decoding run_brotli(
    ikcurl_decoder *decoder, const uint8_t *input, size_t *input_left, uint8_t *output,
    size_t *output_left
) {
    switch (brotli.run(decoder->state, input_left, &input, output_left, &output, NULL)) {
    case BROTLI_FAILED: return IKCURL_DECODING_FAILED;
    case BROTLI_DONE: return IKCURL_DECODED;
    case BROTLI_WANTS_INPUT: return IKCURL_WANTS_INPUT;
    default: return IKCURL_WANTS_OUTPUT;
    }
}

static enum ikcurl_decoding run_zstd(
    ikcurl_decoder *decoder, const uint8_t *input, size_t *input_left, uint8_t *output,
    size_t *output_left
) {
    // A body may be several frames in a row (RFC 8878 section 3).
    if (decoder->is_at_end && *input_left == 0) return IKCURL_DECODED;
    struct zstd_input from = {input, *input_left, 0};
    struct zstd_output to = {output, *output_left, 0};
    size_t hint = zstd.run(decoder->state, &to, &from);
    *input_left -= from.position;
    *output_left -= to.position;
    if (zstd.is_error(hint)) return IKCURL_DECODING_FAILED;
    decoder->is_at_end = hint == 0;
    if (hint == 0) return between_parts(*input_left);
    return to.position == to.size || *input_left > 0 ? IKCURL_WANTS_OUTPUT : IKCURL_WANTS_INPUT;
}

enum ikcurl_decoding ikcurl_decoder_run(
    ikcurl_decoder *decoder, const uint8_t *input, size_t *input_left, uint8_t *output,
    size_t *output_left
) {
    switch (decoder->coding) {
    case IKCURL_GZIP:
    case IKCURL_DEFLATE: return run_zlib(decoder, input, input_left, output, output_left);
    case IKCURL_BROTLI: return run_brotli(decoder, input, input_left, output, output_left);
    case IKCURL_ZSTD: return run_zstd(decoder, input, input_left, output, output_left);
    }
    return IKCURL_DECODING_FAILED;
}
