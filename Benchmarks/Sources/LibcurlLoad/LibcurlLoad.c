#include "LibcurlLoad.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

// Numbers of libcurl's stable binary interface; its headers are not needed.
enum {
    OPTION_WRITEDATA = 10001,
    OPTION_URL = 10002,
    OPTION_PRIVATE = 10103,
    OPTION_WRITEFUNCTION = 20011,
    OPTION_BUFFERSIZE = 98,
    OPTION_NOSIGNAL = 99,
    INFO_PRIVATE = 0x100015,
    INFO_RESPONSE_CODE = 0x200002,
    GLOBAL_ALL = 3,
    MESSAGE_DONE = 1,
};

typedef struct {
    int kind;
    void *easy;
    union {
        void *whatever;
        int code;
    } data;
} message;

static struct {
    int (*global_init)(long);
    void *(*easy_init)(void);
    int (*easy_setopt)(void *, int, ...);
    int (*easy_getinfo)(void *, int, ...);
    void (*easy_cleanup)(void *);
    void *(*multi_init)(void);
    int (*multi_add_handle)(void *, void *);
    int (*multi_remove_handle)(void *, void *);
    int (*multi_perform)(void *, int *);
    int (*multi_poll)(void *, void *, unsigned int, int, int *);
    message *(*multi_info_read)(void *, int *);
    int (*multi_cleanup)(void *);
} curl;

typedef struct {
    void *easy;
    size_t received;
    double start;
} transfer;

struct libcurl_load {
    void *multi;
    int count;
    transfer transfers[];
};

static bool find(void) {
    if (curl.multi_poll != NULL) { return true; }
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) { library = dlopen("libcurl.4.dylib", RTLD_NOW | RTLD_LOCAL); }
    if (library == NULL) { return false; }
#define FIND(name) \
    if ((*(void **)&curl.name = dlsym(library, "curl_" #name)) == NULL) { return false; }
    FIND(global_init)
    FIND(easy_init)
    FIND(easy_setopt)
    FIND(easy_getinfo)
    FIND(easy_cleanup)
    FIND(multi_init)
    FIND(multi_add_handle)
    FIND(multi_remove_handle)
    FIND(multi_perform)
    FIND(multi_info_read)
    FIND(multi_cleanup)
    FIND(multi_poll)
#undef FIND
    return curl.global_init(GLOBAL_ALL) == 0;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static size_t receive(char *bytes, size_t size, size_t count, void *context) {
    (void)bytes;
    ((transfer *)context)->received += size * count;
    return size * count;
}

libcurl_load *libcurl_load_make(const char *url, int in_flight) {
    if (!find()) { return NULL; }
    libcurl_load *load = calloc(1, sizeof(*load) + (size_t)in_flight * sizeof(transfer));
    if (load == NULL) { return NULL; }
    load->multi = curl.multi_init();
    load->count = in_flight;
    for (int index = 0; index < in_flight; index++) {
        transfer *transfer = &load->transfers[index];
        transfer->easy = curl.easy_init();
        curl.easy_setopt(transfer->easy, OPTION_URL, url);
        curl.easy_setopt(transfer->easy, OPTION_WRITEFUNCTION, receive);
        curl.easy_setopt(transfer->easy, OPTION_WRITEDATA, transfer);
        curl.easy_setopt(transfer->easy, OPTION_PRIVATE, transfer);
        // As much at a time as CurlTransport asks for.
        curl.easy_setopt(transfer->easy, OPTION_BUFFERSIZE, 65536L);
        curl.easy_setopt(transfer->easy, OPTION_NOSIGNAL, 1L);
    }
    return load;
}

static void begin(libcurl_load *load, transfer *transfer) {
    transfer->received = 0;
    transfer->start = now();
    curl.multi_add_handle(load->multi, transfer->easy);
}

long libcurl_load_run(
    libcurl_load *load,
    double duration,
    long limit,
    size_t size,
    double *seconds,
    long capacity
) {
    double end = now() + duration;
    long begun = 0;
    long answered = 0;
    bool failed = false;
    while (begun < load->count && begun < limit) { begin(load, &load->transfers[begun++]); }
    while (answered < begun) {
        int left;
        curl.multi_perform(load->multi, &left);
        message *message;
        while ((message = curl.multi_info_read(load->multi, &left)) != NULL) {
            if (message->kind != MESSAGE_DONE) { continue; }
            transfer *transfer = NULL;
            long status = 0;
            void *easy = message->easy;
            int code = message->data.code;
            curl.easy_getinfo(easy, INFO_PRIVATE, &transfer);
            curl.easy_getinfo(easy, INFO_RESPONSE_CODE, &status);
            curl.multi_remove_handle(load->multi, easy);
            failed = failed || code != 0 || status != 200 || transfer->received != size;
            double time = now();
            if (answered < capacity) { seconds[answered] = time - transfer->start; }
            answered++;
            if (time < end && begun < limit && !failed) {
                begin(load, transfer);
                begun++;
            }
        }
        if (answered < begun) { curl.multi_poll(load->multi, NULL, 0, 100, NULL); }
    }
    return failed ? -1 : answered;
}

void libcurl_load_free(libcurl_load *load) {
    for (int index = 0; index < load->count; index++) {
        curl.easy_cleanup(load->transfers[index].easy);
    }
    curl.multi_cleanup(load->multi);
    free(load);
}
