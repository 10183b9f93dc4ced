// libcurl as far as CurlTransport needs it, found at run time.
//
// libcurl's setters and getters are variadic, which Swift cannot call; here each has a fixed signature.
// The numbers are part of libcurl's stable binary interface. Nothing here keeps or frees what it is
// given, except as said.

#ifndef CINTERCEPTORKITCURL_H
#define CINTERCEPTORKITCURL_H

#include "CInterceptorKitCurlCodings.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

// libcurl's own easy handle, and its multi handle with what it takes to wait for sockets; each is freed
// by whoever made it.
typedef struct ikcurl_easy ikcurl_easy;
typedef struct ikcurl_multi ikcurl_multi;

// Laid out as curl_slist: a list made of these is libcurl's to read and its maker's to free.
typedef struct ikcurl_node {
    char *_Nullable text;
    struct ikcurl_node *_Nullable next;
} ikcurl_node;

// Laid out as curl_blob. With `flags` 0 libcurl reads `data` where it is for as long as a handle is set
// to it.
typedef struct ikcurl_blob {
    const void *_Nullable data;
    size_t length;
    unsigned int flags;
} ikcurl_blob;

typedef struct ikcurl_version {
    unsigned int number;
    int features;
    const char *_Nullable text;
} ikcurl_version;

// `context` is what ikcurl_easy_set_context was given; `bytes` is libcurl's and gone on return.
typedef size_t (*ikcurl_receive)(char *bytes, size_t size, size_t count, void *_Nullable context);
typedef size_t (*ikcurl_supply)(char *bytes, size_t size, size_t count, void *_Nullable context);
typedef int (*ikcurl_opened)(void *_Nullable context, int number, int purpose);
typedef int (*ikcurl_ready)(
    void *_Nullable context, char *_Nullable peer, char *_Nullable own, int peer_port, int own_port
);

// What libcurl says of a transfer's stream in words alone, on libcurl's thread; see
// ikcurl_easy_set_listener.
enum ikcurl_note {
    // Its number on its connection.
    IKCURL_STREAM_OPENED,
    // The host takes no stream above this number (GOAWAY), on the connection of the transfer that is told.
    IKCURL_STREAMS_LIMITED,
    // The host did not take the stream.
    IKCURL_STREAM_REFUSED,
    // The transfer is done with its connection.
    IKCURL_CONNECTION_LEFT,
};
typedef void (*ikcurl_noted)(void *_Nullable context, enum ikcurl_note note, unsigned int number);

enum ikcurl_loading { IKCURL_LOADED, IKCURL_MISSING, IKCURL_TOO_OLD, IKCURL_NOT_INITIALISED };

// Finds libcurl and initialises it, once for the process and never undone, since others may share it.
// May be called from any thread; everything else here only after it has returned IKCURL_LOADED.
enum ikcurl_loading ikcurl_load(void);
ikcurl_version ikcurl_get_version(void);

ikcurl_easy *_Nullable ikcurl_easy_make(void);
void ikcurl_easy_free(ikcurl_easy *easy);
void ikcurl_easy_reset(ikcurl_easy *easy);
int ikcurl_easy_pause(ikcurl_easy *easy, int mask);
const char *ikcurl_easy_error_text(int code);
// The four setters; libcurl copies a text, and reads other memory where it is.
int ikcurl_easy_set_number(ikcurl_easy *easy, int option, long value);
int ikcurl_easy_set_size(ikcurl_easy *easy, int option, int64_t value);
int ikcurl_easy_set_text(ikcurl_easy *easy, int option, const char *_Nullable value);
int ikcurl_easy_set_memory(ikcurl_easy *easy, int option, const void *_Nullable value);
// Returns 0 if `ready` will be called.
int ikcurl_easy_set_callbacks(
    ikcurl_easy *easy, ikcurl_receive body, ikcurl_receive head, ikcurl_supply supply,
    ikcurl_opened opened, ikcurl_ready ready
);
// Has `noted` called, which is the same function each time; costs libcurl its words for all it does.
void ikcurl_easy_set_listener(ikcurl_easy *easy, ikcurl_noted noted);
// What callbacks are given; it must live while a multi handle has the easy one.
void ikcurl_easy_set_context(ikcurl_easy *easy, void *_Nullable context);
// Whether a socket is an Internet one that sends from this port.
bool ikcurl_socket_has_port(int number, int port);
// Whether nothing waits in a socket: no byte that nobody has read, no end and no error.
bool ikcurl_socket_is_quiet(int number);
long ikcurl_easy_get_number(ikcurl_easy *easy, int info);
int64_t ikcurl_easy_get_size(ikcurl_easy *easy, int info);
// What an option takes: IKCURL_TAKES_…, or a negative number where libcurl does not say.
int ikcurl_option_takes(int option);

ikcurl_multi *_Nullable ikcurl_multi_make(void);
void ikcurl_multi_free(ikcurl_multi *multi);
int ikcurl_multi_set_number(ikcurl_multi *multi, int option, long value);
int ikcurl_multi_add(ikcurl_multi *multi, ikcurl_easy *easy);
int ikcurl_multi_remove(ikcurl_multi *multi, ikcurl_easy *easy);
// Lets libcurl do what can be done after the last wait, by the thread that waited.
void ikcurl_multi_serve_sockets(ikcurl_multi *multi);
// Lets libcurl do what is due, as is the beginning of a transfer.
void ikcurl_multi_serve_timer(ikcurl_multi *multi);
// How long to wait at most, so long or until libcurl has something to do.
int ikcurl_multi_time_to_wait(ikcurl_multi *multi, int milliseconds);
// Whether something is due before the end of the wait that ikcurl_multi_time_to_wait allowed.
bool ikcurl_multi_waits_too_long(ikcurl_multi *multi, int milliseconds);
// Returns when a socket is ready, the time is over or it is woken.
void ikcurl_multi_wait(ikcurl_multi *multi, int milliseconds);
// Whether other threads may use it, one at a time, while one waits.
bool ikcurl_multi_can_be_shared(void);
// Keeps SIGPIPE from this thread, and says whether that is to be undone; some TLS libraries raise it.
bool ikcurl_broken_pipes_block(void);
void ikcurl_broken_pipes_unblock(void);
// May be called from any thread.
void ikcurl_multi_wake(ikcurl_multi *multi);
// The next transfer that is complete and how it ended; NULL if there is none.
ikcurl_easy *_Nullable ikcurl_multi_completed(ikcurl_multi *multi, int *code);

enum {
    IKCURL_OPT_COPYPOSTFIELDS = 10165,
    IKCURL_OPT_URL = 10002,
    IKCURL_OPT_PROXY = 10004,
    IKCURL_OPT_ERRORBUFFER = 10010,
    IKCURL_OPT_HTTPHEADER = 10023,
    IKCURL_OPT_SSLCERT = 10025,
    IKCURL_OPT_KEYPASSWD = 10026,
    IKCURL_OPT_SSLVERSION = 32,
    IKCURL_OPT_CUSTOMREQUEST = 10036,
    IKCURL_OPT_VERBOSE = 41,
    IKCURL_OPT_NOBODY = 44,
    IKCURL_OPT_UPLOAD = 46,
    IKCURL_OPT_POST = 47,
    IKCURL_OPT_HTTPPROXYTUNNEL = 61,
    IKCURL_OPT_INTERFACE = 10062,
    IKCURL_OPT_CAINFO = 10065,
    IKCURL_OPT_FRESH_CONNECT = 74,
    IKCURL_OPT_FORBID_REUSE = 75,
    IKCURL_OPT_HTTPGET = 80,
    IKCURL_OPT_HTTP_VERSION = 84,
    IKCURL_OPT_SSLCERTTYPE = 10086,
    IKCURL_OPT_SSLKEY = 10087,
    IKCURL_OPT_DNS_CACHE_TIMEOUT = 92,
    IKCURL_OPT_CAPATH = 10097,
    IKCURL_OPT_BUFFERSIZE = 98,
    IKCURL_OPT_NOSIGNAL = 99,
    IKCURL_OPT_PROXYAUTH = 111,
    IKCURL_OPT_INFILESIZE = 30115,
    IKCURL_OPT_POSTFIELDSIZE = 30120,
    IKCURL_OPT_IGNORE_CONTENT_LENGTH = 136,
    IKCURL_OPT_CONNECTTIMEOUT_MS = 156,
    IKCURL_OPT_PROXYUSERNAME = 10175,
    IKCURL_OPT_PROXYPASSWORD = 10176,
    IKCURL_OPT_NOPROXY = 10177,
    IKCURL_OPT_PROTOCOLS = 181,
    IKCURL_OPT_RESOLVE = 10203,
    IKCURL_OPT_PINNEDPUBLICKEY = 10230,
    IKCURL_OPT_UNIX_SOCKET_PATH = 10231,
    IKCURL_OPT_PATH_AS_IS = 234,
    IKCURL_OPT_PIPEWAIT = 237,
    IKCURL_OPT_CONNECT_TO = 10243,
    IKCURL_OPT_KEEP_SENDING_ON_ERROR = 245,
    IKCURL_OPT_SUPPRESS_CONNECT_HEADERS = 265,
    IKCURL_OPT_REQUEST_TARGET = 10266,
    IKCURL_OPT_UPLOAD_BUFFERSIZE = 280,
    IKCURL_OPT_HTTP09_ALLOWED = 285,
    IKCURL_OPT_SSLCERT_BLOB = 40291,
    IKCURL_OPT_SSLKEY_BLOB = 40292,
    IKCURL_OPT_CAINFO_BLOB = 40309,
    IKCURL_OPT_QUICK_EXIT = 322,

    IKCURL_INFO_REQUEST_SIZE = 0x20000c,
    IKCURL_INFO_NUM_CONNECTS = 0x20001a,
    IKCURL_INFO_HTTP_VERSION = 0x20002e,
    // Microseconds since the transfer began.
    IKCURL_INFO_NAMELOOKUP_TIME = 0x600033,
    IKCURL_INFO_CONNECT_TIME = 0x600034,
    IKCURL_INFO_PRETRANSFER_TIME = 0x600035,
    IKCURL_INFO_STARTTRANSFER_TIME = 0x600036,
    IKCURL_INFO_APPCONNECT_TIME = 0x600038,

    IKCURL_MULTI_PIPELINING = 3,
    IKCURL_MULTI_MAXCONNECTS = 6,
    IKCURL_MULTI_MAX_HOST_CONNECTIONS = 7,
    IKCURL_MULTI_MAX_TOTAL_CONNECTIONS = 13,

    IKCURL_PAUSE = 0x10000001,
    IKCURL_ABORT = 0x10000000,
    IKCURL_PAUSE_RECEIVING = 1,
    IKCURL_PAUSE_SENDING = 4,
    IKCURL_START = 0,
    IKCURL_DO_NOT_START = 1,

    IKCURL_FEATURE_TLS = 1 << 2,
    IKCURL_FEATURE_HTTP2 = 1 << 16,
    IKCURL_FEATURE_UNIX_SOCKETS = 1 << 19,

    IKCURL_TAKES_LONG = 0,
    IKCURL_TAKES_VALUES = 1,
    IKCURL_TAKES_SIZE = 2,
    IKCURL_TAKES_TEXT = 4,

    IKCURL_ERROR_TEXT_SIZE = 256,
};

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
