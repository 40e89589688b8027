/* SPDX-License-Identifier: BSD-3-Clause */
/* The interface for gfortran: names in lower case, arguments by reference. See furlong/tmkf.h. */
#include "tmk/inside.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The command line, which Fortran's main program does not pass on, and with which threads run main.
 * Each argument ends with a zero byte. */
static char *read_command_line(size_t *bytes_p) {
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    size_t room = 0, bytes = 0;
    char *text = NULL;
    for (ssize_t n = 1; fd >= 0 && n > 0; bytes += n > 0 ? (size_t)n : 0) {
        room += room - bytes < 2 ? 4096 : 0;
        text = realloc(text, room);
        n = text ? read(fd, text + bytes, room - bytes - 1) : -1;
    }
    if (fd >= 0) {
        close(fd);
    }
    if (bytes == 0) {
        fl_fatal(FL_CODE_PRIVATE_MEMORY, "the program's arguments cannot be read (/proc)");
    }
    text[bytes] = '\0';
    *bytes_p = bytes;
    return text;
}

void tmk_startup_(void);
void tmk_startup_(void) {
    if (tmk_thread_begun()) {
        Tmk_startup(0, NULL);
        return;
    }
    size_t bytes;
    char *text = read_command_line(&bytes);
    char **argv = calloc(bytes + 1, sizeof *argv);
    int argc = 0;
    for (size_t at = 0; argv && at < bytes; at += strlen(text + at) + 1) {
        argv[argc++] = text + at;
    }
    Tmk_startup(argc, argv);
    free(argv);
    free(text);
}

void tmk_exit_(const int *status);
void tmk_exit_(const int *status) {
    Tmk_exit(*status);
}

int tmk_proc_id_(void);
int tmk_proc_id_(void) {
    return (int)Tmk_proc_id;
}

int tmk_nprocs_(void);
int tmk_nprocs_(void) {
    return (int)Tmk_nprocs;
}

void tmk_barrier_(const int *barrier);
void tmk_barrier_(const int *barrier) {
    Tmk_barrier((unsigned)*barrier);
}

void tmk_lock_acquire_(const int *lock);
void tmk_lock_acquire_(const int *lock) {
    Tmk_lock_acquire((unsigned)*lock);
}

void tmk_lock_release_(const int *lock);
void tmk_lock_release_(const int *lock) {
    Tmk_lock_release((unsigned)*lock);
}

void tmk_lock_cond_wait_(const int *lock, const int *cond);
void tmk_lock_cond_wait_(const int *lock, const int *cond) {
    Tmk_lock_cond_wait((unsigned)*lock, (unsigned)*cond);
}

void tmk_lock_cond_signal_(const int *lock, const int *cond);
void tmk_lock_cond_signal_(const int *lock, const int *cond) {
    Tmk_lock_cond_signal((unsigned)*lock, (unsigned)*cond);
}

void tmk_lock_cond_broadcast_(const int *lock, const int *cond);
void tmk_lock_cond_broadcast_(const int *lock, const int *cond) {
    Tmk_lock_cond_broadcast((unsigned)*lock, (unsigned)*cond);
}

void tmk_distribute_(const void *variable, const int *bytes);
void tmk_distribute_(const void *variable, const int *bytes) {
    if (*bytes < 0) {
        tmk_misuse("tmk_distribute of %d bytes", *bytes);
    }
    Tmk_distribute(variable, (size_t)*bytes);
}
