/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One-sided operations by MPI: a dynamic window (MPI 3.1 §11.2.4), to which processes attach the
 * memory that they expose, within one access epoch that lasts to the end (MPI_Win_lock_all).
 *
 * The request of a get says when its bytes are here. That a put is in the target's memory MPI says
 * only by MPI_Win_flush, which waits for the target where the library imitates one-sided access. So a
 * put is followed by a get from its place, the probe; when its byte is here, the target has seen the
 * puts before it as well, in every library that keeps the order of what it sends; and then the flush
 * returns at once. Were a library to keep no order, the flush would wait, and be right. One probe and
 * one flush serve all puts to a target that are on their way.
 *
 * MPI does not say whether hardware performs the operations, so they are never direct.
 */
#include "net/mpi.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A put or get that has not ended. */
struct operation {
    struct operation *next;
    void *token;
    unsigned owner;
    MPI_Request request; /* of a get */
};

/* A process that memory is put to. */
struct target {
    struct target *next; /* with puts on their way */
    struct operation *puts;
    MPI_Aint newest; /* where the last of them went */
    bool is_probing, is_probe_late; /* late: there are puts behind it */
    unsigned char probed;
    MPI_Request probe;
};

struct fl_net_region {
    struct fl_net_region *next;
    unsigned owner;
    struct place {
        uint64_t address;
        MPI_Aint displacement;
    } begin;
};

struct fl_mpi_window {
    MPI_Win win;
    struct target *targets; /* by process */
    struct target *putting; /* those with puts on their way */
    struct operation *gets, *free;
    struct fl_net_region *regions;
    unsigned attachable; /* pieces of memory that may still be attached */
};

/* ---- beginning and end ---- */

/* Loads and stores of the owner and operations of others shall see the same memory. */
static bool is_unified(MPI_Win win) {
    int *model, found;
    return MPI_Win_get_attr(win, MPI_WIN_MODEL, (void *)&model, &found) == MPI_SUCCESS && found &&
           *model == MPI_WIN_UNIFIED;
}

/* How many pieces of memory a window takes. Open MPI has a bound, and accesses hang after an attempt to
 * attach one more. */
static unsigned most_attached(void) {
    static const char name[] = "osc_rdma_max_attach";
    unsigned most = UINT_MAX;
    int level, index, n;
    MPI_T_cvar_handle variable;
    if (MPI_T_init_thread(MPI_THREAD_SERIALIZED, &level) != MPI_SUCCESS) {
        return most;
    }
    if (MPI_T_cvar_get_index(name, &index) == MPI_SUCCESS &&
        MPI_T_cvar_handle_alloc(index, NULL, &variable, &n) == MPI_SUCCESS) {
        if (n != 1 || MPI_T_cvar_read(variable, &most) != MPI_SUCCESS) {
            most = 0;
        }
        MPI_T_cvar_handle_free(&variable);
    }
    MPI_T_finalize();
    return most;
}

static bool all_agree(struct fl_net *net, bool yes) {
    int ours = yes, all = 0;
    return MPI_Allreduce(&ours, &all, 1, MPI_INT, MPI_MIN, net->comm) == MPI_SUCCESS && all;
}

static void window_free(struct fl_mpi_window *window) {
    if (window) {
        free(window->targets);
        free(window);
    }
}

static struct fl_mpi_window *window_new(unsigned procs) {
    struct fl_mpi_window *window = calloc(1, sizeof *window);
    struct target *targets = calloc(procs, sizeof *targets);
    if (window && targets) {
        window->targets = targets;
        return window;
    }
    free(window);
    free(targets);
    return NULL;
}

void fl_mpi_window_open(struct fl_net *net) {
    struct fl_mpi_window *window = net->setup.imitated ? window_new(net->setup.procs) : NULL;
    bool made = all_agree(net, window) &&
                all_agree(net, MPI_Win_create_dynamic(MPI_INFO_NULL, net->comm, &window->win) ==
                                   MPI_SUCCESS);
    if (made) {
        MPI_Win_set_errhandler(window->win, MPI_ERRORS_RETURN);
        made = all_agree(net, is_unified(window->win) &&
                                  MPI_Win_lock_all(MPI_MODE_NOCHECK, window->win) == MPI_SUCCESS);
    }
    if (made) {
        window->attachable = most_attached();
        net->window = window;
    } else {
        window_free(window);
    }
}

static void free_operations(struct operation *operation) {
    while (operation) {
        struct operation *next = operation->next;
        free(operation);
        operation = next;
    }
}

void fl_mpi_window_close(struct fl_net *net, bool together) {
    struct fl_mpi_window *window = net->window;
    if (!window) {
        return;
    }
    if (together) {
        MPI_Win_unlock_all(window->win);
        MPI_Win_free(&window->win);
    }
    for (unsigned i = 0; i < net->setup.procs; i++) {
        free_operations(window->targets[i].puts);
    }
    free_operations(window->gets);
    free_operations(window->free);
    while (window->regions) {
        struct fl_net_region *next = window->regions->next;
        free(window->regions);
        window->regions = next;
    }
    window_free(window);
    net->window = NULL;
}

/* ---- regions ---- */

static bool mpi_is_direct(struct fl_net *net, unsigned peer) {
    (void)net, (void)peer;
    return false;
}

static bool mpi_expose(struct fl_net *net, void *memory, size_t bytes,
                       struct fl_net_access *access) {
    struct fl_mpi_window *window = net->window;
    struct place begin = {.address = (uintptr_t)memory};
    if (!window || window->attachable == 0 ||
        MPI_Win_attach(window->win, memory, (MPI_Aint)bytes) != MPI_SUCCESS ||
        MPI_Get_address(memory, &begin.displacement) != MPI_SUCCESS) {
        return false;
    }
    window->attachable--;
    access->bytes = sizeof begin;
    memcpy(access->text, &begin, sizeof begin);
    return true;
}

static struct fl_net_region *mpi_open_region(struct fl_net *net, unsigned owner,
                                             const struct fl_net_access *access) {
    struct fl_net_region *region = NULL;
    if (net->window && access->bytes == sizeof region->begin) {
        region = malloc(sizeof *region);
    }
    if (region) {
        *region = (struct fl_net_region){.next = net->window->regions, .owner = owner};
        memcpy(&region->begin, access->text, sizeof region->begin);
        net->window->regions = region;
    }
    return region;
}

static MPI_Aint displacement(const struct fl_net_region *region, uint64_t address) {
    return MPI_Aint_add(region->begin.displacement, (MPI_Aint)(address - region->begin.address));
}

/* ---- operations ---- */

static struct operation *operation_new(struct fl_net *net, unsigned owner, void *token) {
    if (net->lost[owner]) {
        return NULL;
    }
    struct operation *operation = net->window->free;
    if (operation) {
        net->window->free = operation->next;
    } else if (!(operation = malloc(sizeof *operation))) {
        fl_mpi_lose(net, owner, "a transfer", MPI_ERR_NO_MEM);
        return NULL;
    }
    operation->owner = owner;
    operation->token = token;
    return operation;
}

/* The one after it. */
static struct operation *operation_end(struct fl_net *net, struct operation *operation, int error) {
    struct operation *next = operation->next;
    void *token = operation->token;
    operation->next = net->window->free;
    net->window->free = operation;
    if (error == MPI_SUCCESS) {
        net->setup.ended(net->setup.context, token);
    } else {
        fl_mpi_lose(net, operation->owner, "a transfer", error);
    }
    return next;
}

static void mpi_put(struct fl_net *net, struct fl_net_region *region, uint64_t address,
                    const void *from, size_t bytes, void *token) {
    struct fl_mpi_window *window = net->window;
    struct operation *operation = operation_new(net, region->owner, token);
    if (!operation) {
        return;
    }
    struct target *target = &window->targets[region->owner];
    target->newest = displacement(region, address);
    int error = MPI_Put(from, (int)bytes, MPI_BYTE, net->ranks[region->owner], target->newest,
                        (int)bytes, MPI_BYTE, window->win);
    if (error != MPI_SUCCESS) {
        operation_end(net, operation, error);
        return;
    }
    if (!target->puts) {
        target->next = window->putting;
        window->putting = target;
    }
    operation->next = target->puts;
    target->puts = operation;
    target->is_probe_late = true;
}

static void mpi_get(struct fl_net *net, struct fl_net_region *region, uint64_t address, void *to,
                    size_t bytes, void *token) {
    struct operation *operation = operation_new(net, region->owner, token);
    if (!operation) {
        return;
    }
    int error = MPI_Rget(to, (int)bytes, MPI_BYTE, net->ranks[region->owner],
                         displacement(region, address), (int)bytes, MPI_BYTE, net->window->win,
                         &operation->request);
    if (error != MPI_SUCCESS) {
        operation_end(net, operation, error);
        return;
    }
    operation->next = net->window->gets;
    net->window->gets = operation;
}

/* Whether all puts to the target have ended, or failed. */
static bool have_ended(struct fl_net *net, struct target *target, int *error_p) {
    int rank = net->ranks[target - net->window->targets], answered = 1;
    *error_p = target->is_probing ? MPI_Test(&target->probe, &answered, MPI_STATUS_IGNORE)
                                  : MPI_SUCCESS;
    if (*error_p == MPI_SUCCESS && !answered) {
        return false;
    }
    target->is_probing = false;
    if (*error_p == MPI_SUCCESS && target->is_probe_late) {
        *error_p = MPI_Rget(&target->probed, 1, MPI_BYTE, rank, target->newest, 1, MPI_BYTE,
                            net->window->win, &target->probe);
        target->is_probing = *error_p == MPI_SUCCESS;
        target->is_probe_late = false;
        return *error_p != MPI_SUCCESS;
    }
    *error_p = *error_p == MPI_SUCCESS ? MPI_Win_flush(rank, net->window->win) : *error_p;
    return true;
}

static unsigned end_puts(struct fl_net *net) {
    unsigned n = 0;
    for (struct target **at = &net->window->putting; *at;) {
        struct target *target = *at;
        int error;
        if (!have_ended(net, target, &error)) {
            at = &target->next;
            continue;
        }
        *at = target->next;
        struct operation *put = target->puts;
        target->puts = NULL;
        for (; put; n++) {
            put = operation_end(net, put, error);
        }
    }
    return n;
}

static unsigned end_gets(struct fl_net *net) {
    unsigned n = 0;
    for (struct operation **at = &net->window->gets; *at;) {
        int arrived = 0, error = MPI_Test(&(*at)->request, &arrived, MPI_STATUS_IGNORE);
        if (error == MPI_SUCCESS && !arrived) {
            at = &(*at)->next;
            continue;
        }
        struct operation *get = *at;
        *at = get->next;
        operation_end(net, get, error);
        n++;
    }
    return n;
}

unsigned fl_mpi_window_poll(struct fl_net *net) {
    return net->window ? end_puts(net) + end_gets(net) : 0;
}

const struct fl_net_one_sided fl_mpi_one_sided = {
    .is_direct = mpi_is_direct,
    .expose = mpi_expose,
    .open_region = mpi_open_region,
    .put = mpi_put,
    .get = mpi_get,
};
