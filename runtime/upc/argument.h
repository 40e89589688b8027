/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments of collective functions, for which all threads must give one value, and their values in
 * the words of the program. */
#ifndef FL_UPC_ARGUMENT_H
#define FL_UPC_ARGUMENT_H

#include "core/status.h"

enum upc_argument_kind {
    UPC_NUMBER,
    UPC_POINTER,   /* an address of shared memory, with or without a phase */
    UPC_SYNC,      /* upc_flag_t */
    UPC_OPERATION, /* bits of upc_op_t */
    UPC_TYPE       /* upc_type_t */
};

struct upc_argument {
    const char *name;
    uint64_t value;
    enum upc_argument_kind kind;
};

struct upc_value_text {
    char text[256];
};

/* "thread 0's part of `a`", "UPC_IN_MYSYNC | UPC_OUT_NOSYNC", "UPC_ADD", "17". */
FL_COLD struct upc_value_text upc_value_text(enum upc_argument_kind kind, uint64_t value);

#endif
