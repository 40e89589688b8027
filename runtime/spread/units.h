/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A statement for another host's unit has two sides, which share this: parameters as
 * libgfortran.so.5 lays them out, its functions, and the messages between the sides.
 */
#ifndef FL_SPREAD_UNITS_H
#define FL_SPREAD_UNITS_H

#include "spread/inside.h"

#include <stddef.h>

enum {
    /* flags: how a call has ended, and which parameters there are */
    ENDED = 3, /* 0: well; error, end, end of record */
    HAS_ERR = 1 << 2,
    HAS_END = 1 << 3,
    HAS_EOR = 1 << 4,
    HAS_IOSTAT = 1 << 5,
    HAS_IOMSG = 1 << 6,
    OPEN_HAS_FILE = 1 << 8,
    OPEN_HAS_NEWUNIT = 1 << 23,
    CLOSE_HAS_STATUS = 1 << 7,
    HAS_EXIST = 1 << 7,
    HAS_OPENED = 1 << 8,
    INQUIRE_HAS_FILE = 1 << 14,
    INQUIRES_EASILY = HAS_EXIST | HAS_OPENED,
    INQUIRE_ABOUT_UNIT = HAS_OPENED | 1 << 9, /* or its number */
    HAS_SIZE = 1 << 10,
    HAS_INTERNAL_UNIT = 1 << 14,
    HAS_NAMELIST = 1 << 15,
    HAS_ID = 1 << 16,
    HAS_ASYNCHRONOUS = 1 << 18,
};

struct common {
    uint32_t flags;
    int32_t unit;
    const char *file;
    int32_t line;
    size_t iomsg_length;
    char *iomsg;
    int32_t *iostat;
};

struct transfer {
    struct common common;
    int64_t rec;
    int64_t *size;
    int64_t *iolength;
    void *internal_unit_descriptor;
    char *format;
    size_t format_length;
    size_t advance_length;
    char *advance;
    char *internal_unit;
    size_t internal_unit_length;
    size_t namelist_length;
    char *namelist;
    int32_t *id;
    int64_t pos;
    char *asynchronous;
    size_t asynchronous_length;
    size_t blank_length;
    char *blank;
    char *decimal;
    size_t decimal_length;
    size_t delim_length;
    char *delim;
    char *pad;
    size_t pad_length;
    size_t round_length;
    char *round;
    char *sign;
    size_t sign_length;
    char library[256];
};

static const struct {
    uint32_t flag;
    size_t text, length;
} texts[] = {
#define TEXT(flag, name) {1u << (flag), offsetof(struct transfer, name), \
                          offsetof(struct transfer, name##_length)}
    TEXT(12, format), TEXT(13, advance), TEXT(19, blank), TEXT(20, decimal),
    TEXT(21, delim),  TEXT(22, pad),     TEXT(23, round), TEXT(24, sign),
#undef TEXT
};
enum { TEXTS = sizeof texts / sizeof texts[0] };

struct open {
    struct common common;
    char others[296 - sizeof(struct common)];
    int32_t *newunit;
};

struct close {
    struct common common;
    char *status;
    size_t status_length;
};

struct inquire {
    struct common common;
    int32_t *exist;
    int32_t *opened;
};

struct array {
    char *base;
    size_t offset;
    size_t element_bytes;
    int32_t version;
    int8_t rank, type;
    int16_t attribute;
    int64_t span;
    struct {
        int64_t stride, lower, upper;
    } dimensions[15];
};

/* Functions for values that have a kind. */
#define VALUES                                                                                     \
    VALUE(INTEGER, integer)                                                                        \
    VALUE(LOGICAL, logical)                                                                        \
    VALUE(REAL, real)                                                                              \
    VALUE(REAL128, real128)                                                                        \
    VALUE(COMPLEX, complex)                                                                        \
    VALUE(COMPLEX128, complex128)

enum function {
#define VALUE(NAME, name) NAME,
    VALUES
#undef VALUE
    CHARACTER,
    CHARACTER_WIDE,
    ARRAY,
    FUNCTIONS
};

#define BOTH(name, ...)                                                                            \
    void _gfortran_transfer_##name(struct transfer *, __VA_ARGS__);                                \
    void _gfortran_transfer_##name##_write(struct transfer *, __VA_ARGS__);
#define VALUE(NAME, name) BOTH(name, void *, int)
VALUES
#undef VALUE
BOTH(character, void *, size_t)
BOTH(character_wide, void *, size_t, int)
BOTH(array, struct array *, int, size_t)
void _gfortran_st_read(struct transfer *);
void _gfortran_st_read_done(struct transfer *);
void _gfortran_st_write(struct transfer *);
void _gfortran_st_write_done(struct transfer *);
void _gfortran_st_set_nml_var(struct transfer *, void *, char *, int, size_t, size_t);
void _gfortran_st_open(struct open *);
void _gfortran_st_close(struct close *);
void _gfortran_st_flush(struct common *);
void _gfortran_st_rewind(struct common *);
void _gfortran_st_backspace(struct common *);
void _gfortran_st_endfile(struct common *);
void _gfortran_st_inquire(struct inquire *);
void _gfortran_transfer_derived(struct transfer *, void *, void *);
void _gfortran_transfer_derived_write(struct transfer *, void *, void *);
void _gfortran_st_wait(struct common *);
void _gfortran_st_wait_async(struct common *);
void _gfortran_flush_i4(const int32_t *);
void _gfortran_flush_i8(const int64_t *);
_Noreturn void _gfortran_runtime_error_at(const char *where, const char *text, ...);

static inline size_t bytes_of(enum function function, int kind) {
    size_t bytes = kind == 10 ? 16 : (size_t)kind;
    return function == COMPLEX || function == COMPLEX128 ? 2 * bytes : bytes;
}

/* libgfortran's memory for units is private to this host, whatever `call` calls. */
#define IN_LIBRARY(call)                                                                           \
    do {                                                                                           \
        bool outer = fl_heap_own;                                                                  \
        fl_heap_own = true;                                                                        \
        call;                                                                                      \
        fl_heap_own = outer;                                                                       \
    } while (0)

/* ---- messages between the sides ---- */

/* The outcome of a statement so far. */
struct outcome {
    int64_t size;
    uint32_t ended;
    int32_t iostat;
    int32_t exist, opened;
    char iomsg[128];
};

/* Values in a row. */
struct items {
    enum function function;
    int kind;
    size_t length; /* of characters */
    size_t n, element_bytes;
    int8_t type; /* of an array's elements */
};

/* Statements that transfer nothing; these have no parameters of their own. */
#define POSITIONS                                                                                  \
    POSITION(FLUSH, flush)                                                                         \
    POSITION(REWIND, rewind)                                                                       \
    POSITION(BACKSPACE, backspace)                                                                 \
    POSITION(ENDFILE, endfile)

enum statement_kind {
#define POSITION(NAME, name) NAME,
    POSITIONS
#undef POSITION
    CLOSE,
    INQUIRE
};

#endif
