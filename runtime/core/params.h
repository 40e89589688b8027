/* SPDX-License-Identifier: BSD-3-Clause */
/* The settings: params.def as a struct, and its reader. */
#ifndef FL_CORE_PARAMS_H
#define FL_CORE_PARAMS_H

#include "core/status.h"

/* What holds a value of each type. */
#define FL_PARAM_SIZE uint64_t
#define FL_PARAM_COUNT uint64_t
#define FL_PARAM_FLAG uint64_t
#define FL_PARAM_TEXT const char *

struct fl_params {
#define FL_PARAM(field, variable, type, initial, least, most, stability, help)                     \
    FL_PARAM_##type field;
#include "core/params.def"
#undef FL_PARAM
};

/* As if the environment had none of them. */
extern const struct fl_params fl_params_initial;

/* Reads the environment. An invalid value is fatal. */
void fl_params_read(struct fl_params *params);

/* Warns of FURLONG_ variables that are no settings, with the nearest one's name. */
void fl_params_warn_unknown(void);

/* The value of a variable that one process hands to the next, in memory that stays; it is removed
 * from the environment, so that programs that this one starts do not see it. Null if not set. */
char *fl_params_take(const char *variable);

/* The value of a variable that others have defined: other launchers, OpenMP; null if not set. */
const char *fl_params_foreign(const char *variable);

/* "64MB" to bytes; a bare number is multiplied by `unit`. False if it is no size. */
FL_MUST_USE bool fl_params_parse_size(const char *text, uint64_t unit, uint64_t *bytes_p);

#endif
