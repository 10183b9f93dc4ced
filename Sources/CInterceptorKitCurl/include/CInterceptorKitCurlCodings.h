// The decoders of content codings that libcurl itself uses (zlib, brotli, zstd), found at run time and
// called with one signature. They decode what is asked for and no more, so that a small body that
// unpacks to a huge one never takes more memory than its reader gives.

#ifndef CINTERCEPTORKITCURLCODINGS_H
#define CINTERCEPTORKITCURLCODINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

enum ikcurl_coding { IKCURL_GZIP, IKCURL_DEFLATE, IKCURL_BROTLI, IKCURL_ZSTD };

// Made by ikcurl_decoder_make and freed by ikcurl_decoder_free, by whoever made it.
typedef struct ikcurl_decoder ikcurl_decoder;

enum ikcurl_decoding {
    // All input is used and its output given.
    IKCURL_WANTS_INPUT,
    // There may be more, of which some output may be none: the output is full, or a part of the body, such as
    // a member of gzip's, is over and another follows.
    IKCURL_WANTS_OUTPUT,
    // The end that the coding marks was reached; what follows is not part of it.
    IKCURL_DECODED,
    IKCURL_DECODING_FAILED,
};

// May be called from any thread; the library is looked for once.
bool ikcurl_can_decode(enum ikcurl_coding coding);

ikcurl_decoder *_Nullable ikcurl_decoder_make(enum ikcurl_coding coding);
void ikcurl_decoder_free(ikcurl_decoder *decoder);
// Moves on in `input` and `output`, and says how much of each is left; keeps neither.
enum ikcurl_decoding ikcurl_decoder_run(
    ikcurl_decoder *decoder, const uint8_t *_Nullable input, size_t *input_left,
    uint8_t *_Nullable output, size_t *output_left
);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
