/* SPDX-License-Identifier: BSD-3-Clause */
/* The shared object libfurlong-pmix.so. See launcher.h. */
#include "job/launcher.h"

#include <pmix.h>
#include <stdio.h>
#include <string.h>

static pmix_proc_t self;
static unsigned n_ranks;

static const char *failed(const char *what, pmix_status_t status) {
    static char why[200];
    snprintf(why, sizeof why, "%s: %s", what, PMIx_Error_string(status));
    return why;
}

static void all_ranks(pmix_proc_t *proc) {
    PMIX_LOAD_PROCID(proc, self.nspace, PMIX_RANK_WILDCARD);
}

static const char *start(unsigned *rank_p, unsigned *size_p, char *peers, size_t room) {
    pmix_status_t status = PMIx_Init(&self, NULL, 0);
    if (status != PMIX_SUCCESS) {
        return failed("PMIx_Init", status);
    }
    pmix_proc_t all;
    pmix_value_t *value;
    all_ranks(&all);
    if ((status = PMIx_Get(&all, PMIX_JOB_SIZE, NULL, 0, &value)) != PMIX_SUCCESS) {
        return failed("PMIX_JOB_SIZE", status);
    }
    *rank_p = self.rank;
    *size_p = n_ranks = value->data.uint32;
    PMIX_VALUE_RELEASE(value);
    if ((status = PMIx_Get(&all, PMIX_LOCAL_PEERS, NULL, 0, &value)) != PMIX_SUCCESS) {
        return failed("PMIX_LOCAL_PEERS", status);
    }
    int length = snprintf(peers, room, "%s", value->data.string);
    PMIX_VALUE_RELEASE(value);
    return (size_t)length < room ? NULL : "too many processes on this host";
}

static pmix_status_t fence(bool collect) {
    pmix_proc_t all;
    pmix_info_t info;
    all_ranks(&all);
    PMIX_INFO_CONSTRUCT(&info);
    PMIX_INFO_LOAD(&info, PMIX_COLLECT_DATA, &collect, PMIX_BOOL);
    pmix_status_t status = PMIx_Fence(&all, 1, &info, 1);
    PMIX_INFO_DESTRUCT(&info);
    return status;
}

static const char *get(const char *name, unsigned rank, fl_launcher_take *take, void *context) {
    pmix_proc_t proc;
    pmix_value_t *value;
    PMIX_LOAD_PROCID(&proc, self.nspace, rank);
    pmix_status_t status = PMIx_Get(&proc, name, NULL, 0, &value);
    if (status != PMIX_SUCCESS) {
        return failed("PMIx_Get", status);
    }
    bool good = value->type == PMIX_BYTE_OBJECT;
    if (good) {
        take(context, rank, value->data.bo.bytes, value->data.bo.size);
    }
    PMIX_VALUE_RELEASE(value);
    return good ? NULL : "PMIx_Get: another type";
}

static const char *exchange(const char *name, const void *own, size_t bytes, fl_launcher_take *take,
                            void *context) {
    pmix_value_t value = {.type = PMIX_BYTE_OBJECT};
    value.data.bo.bytes = (char *)(uintptr_t)own;
    value.data.bo.size = bytes;
    pmix_status_t status = PMIx_Put(PMIX_GLOBAL, name, &value);
    if (status != PMIX_SUCCESS) {
        return failed("PMIx_Put", status);
    }
    if ((status = PMIx_Commit()) != PMIX_SUCCESS) {
        return failed("PMIx_Commit", status);
    }
    if ((status = fence(true)) != PMIX_SUCCESS) {
        return failed("PMIx_Fence", status);
    }
    const char *why = NULL;
    for (unsigned rank = 0; rank < n_ranks && !why; rank++) {
        why = get(name, rank, take, context);
    }
    return why;
}

static void finish(void) {
    (void)fence(false);
    (void)PMIx_Finalize(NULL, 0);
}

static void end_all(int status) {
    (void)PMIx_Abort(status, "a UPC thread ended the job", NULL, 0);
}

__attribute__((visibility("default"))) const struct fl_launcher_ops fl_launcher_ops = {
    .abi = FL_LAUNCHER_ABI,
    .start = start,
    .exchange = exchange,
    .finish = finish,
    .abort = end_all,
};
