// libcurl's multi interface, and how its thread waits.
//
// On Linux libcurl says which sockets it waits for, and epoll which of them are ready: curl_multi_perform
// asks the system about the socket of every transfer, each time. Elsewhere there is no epoll, and
// curl_multi_perform and curl_multi_poll serve.

#include "CInterceptorKitCurlFunctions.h"

#include <stdlib.h>

#if defined(__linux__)
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#endif

#define curl ikcurl_functions

enum {
    MESSAGE_DONE = 1,
    MULTI_SOCKETDATA = 10002,
    MULTI_TIMERDATA = 10005,
    MULTI_SOCKETFUNCTION = 20001,
    MULTI_TIMERFUNCTION = 20004,
    OPT_OPENSOCKETDATA = 10164,
    OPT_OPENSOCKETFUNCTION = 20163,
    OPT_CLOSESOCKETDATA = 10209,
    OPT_CLOSESOCKETFUNCTION = 20208,
    SOCKET_BAD = -1,
    SOCKET_TIMEOUT = -1,
    WANT_IN = 1,
    WANT_OUT = 2,
    WANT_REMOVE = 4,
};

#if defined(__linux__)

// The beginning of libcurl's curl_sockaddr.
struct address {
    int family;
    int kind;
    int protocol;
};

// What is known of the socket of one number; `wanted` and `watched` are WANT_IN and WANT_OUT.
struct watch {
    unsigned char wanted;
    // At least what is wanted: a connection that carries nothing for a while stays with epoll, which
    // saves two system calls for each request, until something comes meanwhile.
    unsigned char watched;
    // Opened and closed here. Only of these the end is known, before the number can be another's.
    bool is_own;
};

struct ikcurl_multi {
    void *handle;
    int poller;
    int bell;
    struct watch *watches;
    int watch_count;
    // Of the thread that waits, apart from `ready_count`, which is not 0 while sockets are served.
    struct epoll_event ready[64];
    int found_count;
    int ready_count;
    bool has_timer;
    // In milliseconds; 0 is at once.
    int64_t timer;
    // Until when the thread waits at most.
    int64_t until;
};

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static struct watch *watch_of(ikcurl_multi *multi, int number) {
    if (number >= multi->watch_count) {
        int count = number < 32 ? 64 : number * 2;
        struct watch *watches = realloc(multi->watches, (size_t)count * sizeof *watches);
        if (!watches) return NULL;
        for (int index = multi->watch_count; index < count; index++) watches[index] = (struct watch){0};
        multi->watches = watches;
        multi->watch_count = count;
    }
    return &multi->watches[number];
}

static int watch(ikcurl_multi *multi, int number, struct watch *watch, unsigned char wanted) {
    if (watch->watched == wanted) return 0;
    struct epoll_event event = {
        .events = (wanted & WANT_IN ? EPOLLIN : 0) | (wanted & WANT_OUT ? EPOLLOUT : 0),
        .data = {.fd = number},
    };
    int change = !wanted ? EPOLL_CTL_DEL : watch->watched ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
    watch->watched = wanted;
    return epoll_ctl(multi->poller, change, number, &event) == 0 || !wanted ? 0 : -1;
}

static int interest_changed(void *easy, int number, int what, void *context, void *unused) {
    (void)easy;
    (void)unused;
    ikcurl_multi *multi = context;
    struct watch *found = watch_of(multi, number);
    if (!found) return -1;
    found->wanted = what & WANT_REMOVE ? 0 : (unsigned char)(what & (WANT_IN | WANT_OUT));
    return !found->wanted && found->is_own ? 0 : watch(multi, number, found, found->wanted);
}

static int timer_changed(void *handle, long milliseconds, void *context) {
    (void)handle;
    ikcurl_multi *multi = context;
    multi->has_timer = milliseconds >= 0;
    multi->timer = milliseconds > 0 ? now() + milliseconds : 0;
    return 0;
}

static int open_socket(void *context, int purpose, struct address *address) {
    (void)purpose;
    int number = socket(address->family, address->kind | SOCK_CLOEXEC, address->protocol);
    if (number < 0) return SOCKET_BAD;
    struct watch *found = watch_of(context, number);
    if (found) *found = (struct watch){.is_own = true};
    return number;
}

static int close_socket(void *context, int number) {
    ikcurl_multi *multi = context;
    struct watch *found = watch_of(multi, number);
    if (found) {
        // Said to epoll, which watches on while another process has the socket too.
        watch(multi, number, found, 0);
        *found = (struct watch){0};
    }
    for (int index = 0; index < multi->ready_count; index++) {
        if (multi->ready[index].data.fd == number) multi->ready[index].data.fd = SOCKET_BAD;
    }
    return close(number);
}

ikcurl_multi *ikcurl_multi_make(void) {
    ikcurl_multi *multi = calloc(1, sizeof *multi);
    if (!multi) return NULL;
    multi->poller = epoll_create1(EPOLL_CLOEXEC);
    multi->bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    // Reported once for each ring, so that nobody has to read it.
    struct epoll_event ring = {.events = EPOLLIN | EPOLLET, .data = {.fd = multi->bell}};
    if (multi->poller < 0 || multi->bell < 0
        || epoll_ctl(multi->poller, EPOLL_CTL_ADD, multi->bell, &ring) != 0
        || !(multi->handle = curl.multi_init())) {
        ikcurl_multi_free(multi);
        return NULL;
    }
    curl.multi_setopt(multi->handle, MULTI_SOCKETDATA, multi);
    curl.multi_setopt(multi->handle, MULTI_SOCKETFUNCTION, interest_changed);
    curl.multi_setopt(multi->handle, MULTI_TIMERDATA, multi);
    curl.multi_setopt(multi->handle, MULTI_TIMERFUNCTION, timer_changed);
    return multi;
}

void ikcurl_multi_free(ikcurl_multi *multi) {
    // Closes connections, and calls back for it.
    if (multi->handle) curl.multi_cleanup(multi->handle);
    if (multi->bell >= 0) close(multi->bell);
    if (multi->poller >= 0) close(multi->poller);
    free(multi->watches);
    free(multi);
}

int ikcurl_multi_add(ikcurl_multi *multi, ikcurl_easy *easy) {
    curl.easy_setopt(easy, OPT_OPENSOCKETDATA, multi);
    curl.easy_setopt(easy, OPT_OPENSOCKETFUNCTION, open_socket);
    curl.easy_setopt(easy, OPT_CLOSESOCKETDATA, multi);
    curl.easy_setopt(easy, OPT_CLOSESOCKETFUNCTION, close_socket);
    return curl.multi_add_handle(multi->handle, easy);
}

int ikcurl_multi_remove(ikcurl_multi *multi, ikcurl_easy *easy) {
    int code = curl.multi_remove_handle(multi->handle, easy);
    // libcurl 8.14 does not always say that a transfer which waited for a connection can go on now.
    long milliseconds;
    if (curl.multi_timeout(multi->handle, &milliseconds) == 0) timer_changed(NULL, milliseconds, multi);
    return code;
}

void ikcurl_multi_serve_sockets(ikcurl_multi *multi) {
    int running;
    multi->ready_count = multi->found_count;
    multi->found_count = 0;
    for (int index = 0; index < multi->ready_count; index++) {
        struct epoll_event event = multi->ready[index];
        int number = event.data.fd;
        if (number == SOCKET_BAD || number == multi->bell) continue;
        struct watch *found = watch_of(multi, number);
        if (!found->wanted) {
            watch(multi, number, found, 0);
            continue;
        }
        // Of anything unusual libcurl finds out itself.
        bool is_usual = !(event.events & ~(uint32_t)(EPOLLIN | EPOLLOUT));
        int mask = (event.events & EPOLLIN ? WANT_IN : 0) | (event.events & EPOLLOUT ? WANT_OUT : 0);
        curl.multi_socket_action(multi->handle, number, is_usual ? mask : 0, &running);
    }
    multi->ready_count = 0;
}

void ikcurl_multi_serve_timer(ikcurl_multi *multi) {
    if (!multi->has_timer || (multi->timer && multi->timer > now())) return;
    int running;
    multi->has_timer = false;
    curl.multi_socket_action(multi->handle, SOCKET_TIMEOUT, 0, &running);
}

static int64_t due(ikcurl_multi *multi, int64_t time, int milliseconds) {
    int64_t due = time + milliseconds;
    return multi->has_timer && multi->timer < due ? multi->timer : due;
}

int ikcurl_multi_time_to_wait(ikcurl_multi *multi, int milliseconds) {
    int64_t time = now();
    int64_t next = due(multi, time, milliseconds);
    // An earlier time stays, so that what others start meanwhile seldom has to ring.
    if (multi->until <= time || next < multi->until) multi->until = next;
    return multi->until > time ? (int)(multi->until - time) : 0;
}

bool ikcurl_multi_waits_too_long(ikcurl_multi *multi, int milliseconds) {
    return due(multi, now(), milliseconds) < multi->until;
}

void ikcurl_multi_wait(ikcurl_multi *multi, int milliseconds) {
    int room = sizeof multi->ready / sizeof *multi->ready;
    int count = epoll_wait(multi->poller, multi->ready, room, milliseconds);
    multi->found_count = count > 0 ? count : 0;
}

bool ikcurl_multi_can_be_shared(void) { return true; }

bool ikcurl_broken_pipes_block(void) {
    sigset_t pipes, before;
    sigemptyset(&pipes);
    sigaddset(&pipes, SIGPIPE);
    return pthread_sigmask(SIG_BLOCK, &pipes, &before) == 0 && !sigismember(&before, SIGPIPE);
}

void ikcurl_broken_pipes_unblock(void) {
    sigset_t pipes;
    sigemptyset(&pipes);
    sigaddset(&pipes, SIGPIPE);
    struct timespec none = {0};
    // One that came meanwhile is taken, or it would come now.
    sigtimedwait(&pipes, NULL, &none);
    pthread_sigmask(SIG_UNBLOCK, &pipes, NULL);
}

void ikcurl_multi_wake(ikcurl_multi *multi) {
    uint64_t one = 1;
    // It can fail only if it has rung two to the sixty-fourth times.
    ssize_t written = write(multi->bell, &one, sizeof one);
    (void)written;
}

#else

struct ikcurl_multi {
    void *handle;
};

ikcurl_multi *ikcurl_multi_make(void) {
    ikcurl_multi *multi = calloc(1, sizeof *multi);
    if (!multi) return NULL;
    multi->handle = curl.multi_init();
    if (multi->handle) return multi;
    free(multi);
    return NULL;
}

void ikcurl_multi_free(ikcurl_multi *multi) {
    curl.multi_cleanup(multi->handle);
    free(multi);
}

int ikcurl_multi_add(ikcurl_multi *multi, ikcurl_easy *easy) {
    return curl.multi_add_handle(multi->handle, easy);
}

int ikcurl_multi_remove(ikcurl_multi *multi, ikcurl_easy *easy) {
    return curl.multi_remove_handle(multi->handle, easy);
}

void ikcurl_multi_serve_sockets(ikcurl_multi *multi) {
    int running = 0;
    curl.multi_perform(multi->handle, &running);
}

void ikcurl_multi_serve_timer(ikcurl_multi *multi) { (void)multi; }

int ikcurl_multi_time_to_wait(ikcurl_multi *multi, int milliseconds) {
    (void)multi;
    return milliseconds;
}

bool ikcurl_multi_waits_too_long(ikcurl_multi *multi, int milliseconds) {
    (void)multi;
    (void)milliseconds;
    return true;
}

bool ikcurl_multi_can_be_shared(void) { return false; }

bool ikcurl_broken_pipes_block(void) { return false; }

void ikcurl_broken_pipes_unblock(void) {}

void ikcurl_multi_wait(ikcurl_multi *multi, int milliseconds) {
    curl.multi_poll(multi->handle, NULL, 0, milliseconds, NULL);
}

void ikcurl_multi_wake(ikcurl_multi *multi) { curl.multi_wakeup(multi->handle); }

#endif

int ikcurl_multi_set_number(ikcurl_multi *multi, int option, long value) {
    return curl.multi_setopt(multi->handle, option, value);
}

ikcurl_easy *ikcurl_multi_completed(ikcurl_multi *multi, int *code) {
    int left = 0;
    struct message *message;
    while ((message = curl.multi_info_read(multi->handle, &left))) {
        if (message->kind != MESSAGE_DONE) continue;
        *code = message->data.result;
        return message->easy;
    }
    return NULL;
}
