// libcurl's functions, shared by the files of this module and no others.

#ifndef CINTERCEPTORKITCURLFUNCTIONS_H
#define CINTERCEPTORKITCURLFUNCTIONS_H

#include "CInterceptorKitCurl.h"

struct message {
    int kind;
    void *easy;
    union {
        void *whatever;
        int result;
    } data;
};

// Filled by ikcurl_load, and read-only after that.
extern struct ikcurl_functions {
    int (*global_init)(long);
    struct version_info *(*version_info)(int);
    void *(*easy_init)(void);
    void (*easy_cleanup)(void *);
    void (*easy_reset)(void *);
    int (*easy_pause)(void *, int);
    const char *(*easy_strerror)(int);
    int (*easy_setopt)(void *, int, ...);
    int (*easy_getinfo)(void *, int, ...);
    const struct easy_option *(*easy_option_by_id)(int);
    void *(*multi_init)(void);
    int (*multi_cleanup)(void *);
    int (*multi_setopt)(void *, int, ...);
    int (*multi_add_handle)(void *, void *);
    int (*multi_remove_handle)(void *, void *);
    int (*multi_perform)(void *, int *);
    int (*multi_poll)(void *, void *, unsigned int, int, int *);
    int (*multi_wakeup)(void *);
    int (*multi_socket_action)(void *, int, int, int *);
    int (*multi_timeout)(void *, long *);
    struct message *(*multi_info_read)(void *, int *);
} ikcurl_functions __attribute__((visibility("hidden")));

#endif
