/* SPDX-License-Identifier: BSD-3-Clause */
/* In programs compiled with -g: finds objects of C, of which a process has one, that several of its
 * UPC threads write. Such a program is correct with a process for each thread, and wrong with
 * pthreads. */
#include "core/fatal.h"
#include "upc/abi.h"
#include "upc/process.h"

#include <pthread.h>
#include <stddef.h>

/* Objects beyond these are not checked. */
enum { OBJECTS_MAX = 256 };

struct c_object {
    const void *address; /* null: free */
    unsigned thread;     /* that wrote it first */
    bool told;
    const char *file; /* where */
    int line;
};

static struct {
    pthread_mutex_t mutex;
    struct c_object objects[OBJECTS_MAX];
} writes = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static struct c_object *find(const void *address) {
    for (size_t i = 0; i < OBJECTS_MAX; i++) {
        struct c_object *object = &writes.objects[i];
        if (object->address == address || !object->address) {
            return object;
        }
    }
    return NULL;
}

/* Notes a write by the calling thread. Returns the first write to the object if it was by another
 * thread and has not been reported yet. */
static struct c_object note(const void *address, const char *file, int line) {
    struct c_object first = {0};
    pthread_mutex_lock(&writes.mutex);
    struct c_object *object = find(address);
    if (object && !object->address) {
        *object = (struct c_object){address, upc_self->me, false, file, line};
    } else if (object && object->thread != upc_self->me && !object->told) {
        object->told = true;
        first = *object;
    }
    pthread_mutex_unlock(&writes.mutex);
    return first;
}

void upcr_c_write(const void *address, const char *name, const char *file, int line) {
    static _Thread_local const void *last;
    if (!upc_process.check || upc_process.job.count == 1 || !upc_self || address == last) {
        return;
    }
    last = address;
    struct c_object first = note(address, file, line);
    if (first.address) {
        fl_warn("%s is a variable of C, one for all threads of a process, and UPC threads %u "
                "(%s:%d) and %u (%s:%d) write it; define it in a UPC file, so that each thread "
                "has its own, or run each thread as a process (without -p)",
                name, first.thread, first.file, first.line, upc_self->me, file, line);
    }
}
