/* SPDX-License-Identifier: BSD-3-Clause */
/* See argument.h. */
#include "upc/argument.h"

#include "upc/abi.h"
#include "upc/objects.h"
#include "upc/process.h"

#include <stdio.h>
#include <string.h>

/* The names of bits, the lowest first (upc_types.h, upc_collective.h, upc_atomic.h). */
static const char *const sync_names[] = {"UPC_IN_ALLSYNC",  "UPC_IN_MYSYNC",  "UPC_IN_NOSYNC",
                                         "UPC_OUT_ALLSYNC", "UPC_OUT_MYSYNC", "UPC_OUT_NOSYNC"};
static const char *const operation_names[] = {
    "UPC_ADD", "UPC_MULT", "UPC_AND", "UPC_OR", "UPC_XOR", "UPC_LOGAND", "UPC_LOGOR", "UPC_MIN",
    "UPC_MAX", "UPC_FUNC", "UPC_NONCOMM_FUNC", "UPC_GET", "UPC_SET", "UPC_CSWAP", "UPC_SUB",
    "UPC_INC", "UPC_DEC"};

/* The names of numbers from 1. */
static const char *const type_names[] = {
    "UPC_CHAR",   "UPC_UCHAR", "UPC_SHORT", "UPC_USHORT", "UPC_INT",    "UPC_UINT",
    "UPC_LONG",   "UPC_ULONG", "UPC_LLONG", "UPC_ULLONG", "UPC_INT8",   "UPC_UINT8",
    "UPC_INT16",  "UPC_UINT16", "UPC_INT32", "UPC_UINT32", "UPC_INT64", "UPC_UINT64",
    "UPC_FLOAT",  "UPC_DOUBLE", "UPC_LDOUBLE", "UPC_PTS"};

#define COUNT(names) (sizeof(names) / sizeof *(names))

static void add(struct upc_value_text *t, const char *text) {
    size_t used = strlen(t->text);
    snprintf(t->text + used, sizeof t->text - used, "%s%s", used ? " | " : "", text);
}

static void add_number(struct upc_value_text *t, uint64_t value) {
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)value);
    add(t, text);
}

static void add_bits(struct upc_value_text *t, uint64_t value, const char *const *names, size_t n) {
    for (size_t bit = 0; bit < n; bit++) {
        if (value >> bit & 1) {
            add(t, names[bit]);
        }
    }
    if (value >> n || value == 0) {
        add_number(t, value >> n << n);
    }
}

static void add_pointer(struct upc_value_text *t, upcr_pts p) {
    uint64_t address = upcr_address(p), within;
    if (address == 0) {
        add(t, "null");
        return;
    }
    unsigned long thread = upcr_threadof(address);
    const char *object = upc_objects_at(upcr_addrfield(address), &within);
    char where[256], phase[32] = "";
    if (!object) {
        snprintf(where, sizeof where, "offset 0x%lx at thread %lu", upcr_addrfield(address), thread);
    } else if (within == 0) {
        snprintf(where, sizeof where, "thread %lu's part of `%.160s`", thread, object);
    } else {
        snprintf(where, sizeof where, "byte %llu of thread %lu's part of `%.160s`",
                 (unsigned long long)within, thread, object);
    }
    if (upcr_phase(p)) {
        snprintf(phase, sizeof phase, ", phase %lu", upcr_phase(p));
    }
    snprintf(t->text, sizeof t->text, "%s%s", where, phase);
}

struct upc_value_text upc_value_text(enum upc_argument_kind kind, uint64_t value) {
    struct upc_value_text t = {""};
    switch (kind) {
    case UPC_POINTER: add_pointer(&t, value); break;
    case UPC_SYNC: add_bits(&t, value, sync_names, COUNT(sync_names)); break;
    case UPC_OPERATION: add_bits(&t, value, operation_names, COUNT(operation_names)); break;
    case UPC_TYPE:
        if (value - 1 < COUNT(type_names)) {
            add(&t, type_names[value - 1]);
            break;
        } /* fallthrough */
    case UPC_NUMBER: add_number(&t, value);
    }
    return t;
}
