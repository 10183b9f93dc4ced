#include "CInterceptorKitCurlFunctions.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

enum {
    OPT_VERBOSE = 41,
    OPT_WRITEDATA = 10001,
    OPT_READDATA = 10009,
    OPT_WRITEFUNCTION = 20011,
    OPT_READFUNCTION = 20012,
    OPT_HEADERDATA = 10029,
    OPT_HEADERFUNCTION = 20079,
    OPT_DEBUGFUNCTION = 20094,
    OPT_DEBUGDATA = 10095,
    OPT_SOCKOPTFUNCTION = 20148,
    OPT_SOCKOPTDATA = 10149,
    OPT_PREREQFUNCTION = 20312,
    OPT_PREREQDATA = 10313,

    GLOBAL_DEFAULT = 3,
    KIND_TEXT = 0,
    VERSION_NOW = 0,
    // curl_multi_wakeup came with 7.68.0.
    OLDEST = 0x074400,
};

// The beginnings of libcurl's structs, which only ever grow at their ends.
struct version_info {
    int age;
    const char *text;
    unsigned int number;
    const char *host;
    int features;
};

struct easy_option {
    const char *name;
    int id;
    int takes;
    unsigned int flags;
};

struct ikcurl_functions ikcurl_functions;
#define curl ikcurl_functions

// The first name is what FoundationNetworking loads, so that a process has one libcurl.
static const char *const names[] = {
#if defined(__APPLE__)
    "libcurl.4.dylib", "/usr/lib/libcurl.4.dylib",
#else
    "libcurl.so.4", "libcurl-gnutls.so.4",
#endif
};

static bool find(void *library) {
    struct {
        const char *name;
        void *place;
    } wanted[] = {
        {"curl_global_init", &curl.global_init},
        {"curl_version_info", &curl.version_info},
        {"curl_easy_init", &curl.easy_init},
        {"curl_easy_cleanup", &curl.easy_cleanup},
        {"curl_easy_reset", &curl.easy_reset},
        {"curl_easy_pause", &curl.easy_pause},
        {"curl_easy_strerror", &curl.easy_strerror},
        {"curl_easy_setopt", &curl.easy_setopt},
        {"curl_easy_getinfo", &curl.easy_getinfo},
        {"curl_multi_init", &curl.multi_init},
        {"curl_multi_cleanup", &curl.multi_cleanup},
        {"curl_multi_setopt", &curl.multi_setopt},
        {"curl_multi_add_handle", &curl.multi_add_handle},
        {"curl_multi_remove_handle", &curl.multi_remove_handle},
        {"curl_multi_perform", &curl.multi_perform},
        {"curl_multi_poll", &curl.multi_poll},
        {"curl_multi_wakeup", &curl.multi_wakeup},
        {"curl_multi_socket_action", &curl.multi_socket_action},
        {"curl_multi_info_read", &curl.multi_info_read},
        {"curl_multi_timeout", &curl.multi_timeout},
    };
    for (size_t index = 0; index < sizeof wanted / sizeof *wanted; index++) {
        void *found = dlsym(library, wanted[index].name);
        if (!found) return false;
        *(void **)wanted[index].place = found;
    }
    *(void **)&curl.easy_option_by_id = dlsym(library, "curl_easy_option_by_id");
    return true;
}

static enum ikcurl_loading loading = IKCURL_MISSING;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    void *library = NULL;
    for (size_t index = 0; !library && index < sizeof names / sizeof *names; index++) {
        library = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
    }
    if (!library) return;
    loading = IKCURL_TOO_OLD;
    if (!find(library) || curl.version_info(VERSION_NOW)->number < OLDEST) return;
    // Counted by libcurl, and never given back: the library stays loaded with the process.
    loading = curl.global_init(GLOBAL_DEFAULT) == 0 ? IKCURL_LOADED : IKCURL_NOT_INITIALISED;
}

enum ikcurl_loading ikcurl_load(void) {
    pthread_once(&once, load);
    return loading;
}

ikcurl_version ikcurl_get_version(void) {
    const struct version_info *info = curl.version_info(VERSION_NOW);
    return (ikcurl_version){info->number, info->features, info->text};
}

ikcurl_easy *ikcurl_easy_make(void) { return curl.easy_init(); }

void ikcurl_easy_free(ikcurl_easy *easy) { curl.easy_cleanup(easy); }

void ikcurl_easy_reset(ikcurl_easy *easy) { curl.easy_reset(easy); }

int ikcurl_easy_pause(ikcurl_easy *easy, int mask) { return curl.easy_pause(easy, mask); }

const char *ikcurl_easy_error_text(int code) { return curl.easy_strerror(code); }

int ikcurl_easy_set_number(ikcurl_easy *easy, int option, long value) {
    return curl.easy_setopt(easy, option, value);
}

int ikcurl_easy_set_size(ikcurl_easy *easy, int option, int64_t value) {
    return curl.easy_setopt(easy, option, value);
}

int ikcurl_easy_set_text(ikcurl_easy *easy, int option, const char *value) {
    return curl.easy_setopt(easy, option, value);
}

int ikcurl_easy_set_memory(ikcurl_easy *easy, int option, const void *value) {
    return curl.easy_setopt(easy, option, value);
}

int ikcurl_easy_set_callbacks(
    ikcurl_easy *easy, ikcurl_receive body, ikcurl_receive head, ikcurl_supply supply,
    ikcurl_opened opened, ikcurl_ready ready
) {
    curl.easy_setopt(easy, OPT_WRITEFUNCTION, body);
    curl.easy_setopt(easy, OPT_HEADERFUNCTION, head);
    curl.easy_setopt(easy, OPT_READFUNCTION, supply);
    curl.easy_setopt(easy, OPT_SOCKOPTFUNCTION, opened);
    // Since 7.80.0; the return value says whether there is such a moment.
    return curl.easy_setopt(easy, OPT_PREREQFUNCTION, ready);
}

// One function for all handles, set by each of their threads.
static _Atomic(ikcurl_noted) listener;

static bool begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

// The texts of libcurl 7.80 to 8.19; of others none is known, which is nothing said.
static int listen_to(void *easy, int kind, const char *bytes, size_t length, void *context) {
    (void)easy;
    ikcurl_noted noted = listener;
    if (kind != KIND_TEXT || !noted) return 0;
    char text[128];
    size_t count = length < sizeof text - 1 ? length : sizeof text - 1;
    memcpy(text, bytes, count);
    text[count] = 0;
    unsigned int number;
    const char *last;
    if (sscanf(text, "Using Stream ID: %u", &number) == 1
        || (strstr(text, " OPENED stream") && sscanf(text, "[HTTP/2] [%u]", &number) == 1)) {
        noted(context, IKCURL_STREAM_OPENED, number);
    } else if ((begins(text, "received GOAWAY") || begins(text, "recveived GOAWAY"))
        && (last = strstr(text, "last_stream=")) && sscanf(last, "last_stream=%u", &number) == 1) {
        noted(context, IKCURL_STREAMS_LIMITED, number);
    } else if (begins(text, "REFUSED_STREAM, retrying")) {
        noted(context, IKCURL_STREAM_REFUSED, 0);
    } else if (begins(text, "Connection died, retrying")) {
        noted(context, IKCURL_CONNECTION_LEFT, 0);
    }
    return 0;
}

void ikcurl_easy_set_listener(ikcurl_easy *easy, ikcurl_noted noted) {
    listener = noted;
    curl.easy_setopt(easy, OPT_DEBUGFUNCTION, listen_to);
    curl.easy_setopt(easy, OPT_VERBOSE, 1L);
}

void ikcurl_easy_set_context(ikcurl_easy *easy, void *context) {
    curl.easy_setopt(easy, OPT_WRITEDATA, context);
    curl.easy_setopt(easy, OPT_HEADERDATA, context);
    curl.easy_setopt(easy, OPT_READDATA, context);
    curl.easy_setopt(easy, OPT_SOCKOPTDATA, context);
    curl.easy_setopt(easy, OPT_PREREQDATA, context);
    curl.easy_setopt(easy, OPT_DEBUGDATA, context);
}

bool ikcurl_socket_has_port(int number, int port) {
    struct sockaddr_storage own;
    socklen_t length = sizeof own;
    if (getsockname(number, (struct sockaddr *)&own, &length) != 0) return false;
    if (own.ss_family == AF_INET) return ntohs(((struct sockaddr_in *)&own)->sin_port) == port;
    if (own.ss_family == AF_INET6) return ntohs(((struct sockaddr_in6 *)&own)->sin6_port) == port;
    return false;
}

bool ikcurl_socket_is_quiet(int number) {
    char byte;
    return recv(number, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

long ikcurl_easy_get_number(ikcurl_easy *easy, int info) {
    long value = 0;
    return curl.easy_getinfo(easy, info, &value) == 0 ? value : 0;
}

int64_t ikcurl_easy_get_size(ikcurl_easy *easy, int info) {
    int64_t value = 0;
    return curl.easy_getinfo(easy, info, &value) == 0 ? value : 0;
}

int ikcurl_option_takes(int option) {
    if (!curl.easy_option_by_id) return -1;
    const struct easy_option *found = curl.easy_option_by_id(option);
    return found ? found->takes : -2;
}
