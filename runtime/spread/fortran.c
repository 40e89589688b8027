/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Settings that a main program compiled by gfortran makes in libgfortran first: its arguments, and
 * those options of the compiler that the library has to know. Hosts that have no main get host 0's
 * settings, and make them in the thread that performs their parts of regions: its other threads
 * inherit from it which floating-point errors end the program.
 */
#include "spread/inside.h"

#include <string.h>

enum setting { ARGUMENTS, OPTIONS, CONVERT, RECORD_MARKER, SUBRECORD, FPE, SETTINGS };
enum { OPTIONS_MOST = 64 };

void _gfortran_set_args(int n, char **arguments);
void _gfortran_set_options(int n, int *options);
void _gfortran_set_convert(int kind);
void _gfortran_set_record_marker(int bytes);
void _gfortran_set_max_subrecord_length(int bytes);
void _gfortran_set_fpe(int which);

/* Of hosts other than 0: filled by handlers. */
static struct {
    struct fl_mutex mutex;
    struct {
        bool is;
        int number;
        char **arguments; /* the same on all hosts */
        int options[OPTIONS_MOST];
    } settings[SETTINGS];
} heard;

/* Sends a setting to the other hosts. `options`: `number` of them, or null. */
static void tell(enum setting setting, int number, char **arguments, const int *options) {
    if (!fl_spread_together() || fl_spread_me() > 0 || (options && number > OPTIONS_MOST)) {
        return;
    }
    for (unsigned host = 1; host < fl_spread_hosts(); host++) {
        fl_comm_tell(host, FL_COMM_SPREAD,
                     FL_MESSAGE_WORDS(fl_spread, fortran, .setting = setting,
                                      .value = (uint64_t)number, .arguments = (uintptr_t)arguments),
                     options, options ? (size_t)number * sizeof *options : 0);
    }
}

void fl_spread_serve_fortran(const struct fl_comm_call *call,
                             const struct fl_spread_fortran_message *words) {
    uint64_t setting = words->setting;
    if (setting >= SETTINGS || call->bytes > sizeof heard.settings[0].options) {
        fl_fatal(FL_CODE_BAD_MESSAGE, "process %u sent a setting of Fortran that there is not",
                 call->asker.proc);
    }
    fl_mutex_lock(&heard.mutex);
    heard.settings[setting].is = true;
    heard.settings[setting].number = (int)words->value;
    heard.settings[setting].arguments = (char **)(uintptr_t)words->arguments;
    if (call->bytes > 0) {
        memcpy(heard.settings[setting].options, call->payload, call->bytes);
    }
    fl_mutex_unlock(&heard.mutex);
}

static bool take(enum setting setting, int *number) {
    bool is = heard.settings[setting].is;
    heard.settings[setting].is = false;
    *number = heard.settings[setting].number;
    return is;
}

void fl_fortran_set(void) {
    int number;
    fl_mutex_lock(&heard.mutex);
    if (take(ARGUMENTS, &number)) {
        FL_NEXT(_gfortran_set_args)(number, heard.settings[ARGUMENTS].arguments);
    }
    if (take(OPTIONS, &number)) {
        FL_NEXT(_gfortran_set_options)(number, heard.settings[OPTIONS].options);
    }
    if (take(CONVERT, &number)) {
        FL_NEXT(_gfortran_set_convert)(number);
    }
    if (take(RECORD_MARKER, &number)) {
        FL_NEXT(_gfortran_set_record_marker)(number);
    }
    if (take(SUBRECORD, &number)) {
        FL_NEXT(_gfortran_set_max_subrecord_length)(number);
    }
    if (take(FPE, &number)) {
        FL_NEXT(_gfortran_set_fpe)(number);
    }
    fl_mutex_unlock(&heard.mutex);
}

/* ---- in the library's place ---- */

FL_EXPORT void _gfortran_set_args(int n, char **arguments) {
    FL_NEXT(_gfortran_set_args)(n, arguments);
    tell(ARGUMENTS, n, arguments, NULL);
}

FL_EXPORT void _gfortran_set_options(int n, int *options) {
    FL_NEXT(_gfortran_set_options)(n, options);
    tell(OPTIONS, n, NULL, options);
}

#define NUMBER(setting, function)                                                                  \
    FL_EXPORT void function(int number) {                                                          \
        FL_NEXT(function)(number);                                                                 \
        tell(setting, number, NULL, NULL);                                                         \
    }
NUMBER(CONVERT, _gfortran_set_convert)
NUMBER(RECORD_MARKER, _gfortran_set_record_marker)
NUMBER(SUBRECORD, _gfortran_set_max_subrecord_length)
NUMBER(FPE, _gfortran_set_fpe)
