/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Declarations for the files of this room: the objects of a process, each of which exists once
 * except teams, domains and created segments, and the tables of its job. Uses gas.h, and from the
 * room gas only tokens and events.
 */
#ifndef FL_GASNET_INSIDE_H
#define FL_GASNET_INSIDE_H

#define GASNET_PAR 1
#include "gas/inside.h"
#include "gasnet/include/gasnetex.h"

/* Describes one conduit and mode; defined in their library (build.c). */
enum fl_gasnet_mode { FL_GASNET_SEQ, FL_GASNET_PARSYNC, FL_GASNET_PAR };
struct fl_gasnet_build {
    const char *conduit;
    enum fl_gasnet_mode mode;
    bool several_hosts; /* its programs expect a thread of the library to run handlers */
};

struct fl_gasnet_client {
    const void *cdata;
    gex_Flags_t flags;
    const char *name;
};

struct fl_gasnet_segment {
    const void *cdata;
    void *address;
    uintptr_t bytes;
    bool is_owned; /* the library has allocated it */
};

struct fl_gasnet_ep {
    const void *cdata;
    struct fl_gasnet_segment *segment; /* null: not attached */
};

struct fl_gasnet_tm {
    const void *cdata;
    gas_team_t team;
    gex_Flags_t flags;
    gex_Memvec_t scratch; /* the client's; unused, returned by gex_TM_Destroy */
};

struct fl_gasnet_process {
    const struct fl_gasnet_build *build;
    struct fl_gasnet_client client;
    struct fl_gasnet_ep ep;
    struct fl_gasnet_segment segment; /* the attached one */
    uintptr_t *segments;              /* [rank]: size; null before attach */
    uintptr_t most, most_of_all;      /* most bytes of a segment: of this rank, of every rank */
    gex_RankInfo_t *host;             /* the ranks of this host */
    const void *kind_cdata;           /* the client's pointer for GEX_MK_HOST */
    bool started, defers_threads, is_quiet;
    int first_thread; /* its number at the kernel; it called gex_Client_Init */
    gex_AM_Entry_t handlers[GAS_HANDLERS_MOST];
    struct {
        int id;
        bool anonymous;
    } barrier;
};
extern struct fl_gasnet_process fl_gasnet;

/* Handler numbers of the library. */
enum { FL_GASNET_SET_HANDLER = 1, FL_GASNET_SET_DONE_HANDLER, FL_GASNET_PEER_HANDLER };

enum { FL_GASNET_ANY_ARGS = 17 }; /* a handler that takes any number of arguments */

/* Ends the job. The message names the function and, in the debug build, the place of the call. */
FL_COLD FL_PRINTF(2, 3) _Noreturn void fl_gasnet_misuse(const char *function, const char *format,
                                                        ...);
/* Returns `code`, an error for the client; also prints the message, unless the client has turned
 * verbose errors off. */
FL_COLD FL_PRINTF(3, 4) int fl_gasnet_refuse(int code, const char *function, const char *format,
                                             ...);

/* Notes a call of the debug build (gasnet_places.h). */
void fl_gasnet_here(const char *function, const char *file, int line);

/* The calling thread's last noted function, or a general name if none is noted. */
const char *fl_gasnet_noted_function(void);

/* Whether the thread has noted a call, as the debug build does. */
bool fl_gasnet_notes_calls(void);

/* Of the debug build: the token of the handler that the thread runs, or null. Returns the one
 * before. */
gex_Token_t fl_gasnet_set_token(gex_Token_t token);

/* What the thread has prepared and neither committed nor cancelled, or null. */
const char *fl_gasnet_prepared(void);

/* How many locks the thread holds, in the debug build (lock.c). */
unsigned fl_gasnet_locks_held(void);

gas_team_t fl_gasnet_team(gex_TM_t tm, const char *function);

/* How many ranks a team, or a pair, has. */
gex_Rank_t fl_gasnet_size(gex_TM_t tm, const char *function);

/* Of the debug build: ends the job unless `ways` (FL_GASNET_LC_...) has this way to complete
 * locally. */
void fl_gasnet_check_local(const gex_Event_t *local, unsigned ways);

/* Of the debug build: ends the job unless the token is that of the handler that the thread runs. */
void fl_gasnet_check_token(gex_Token_t token);

/* Of the debug build: ends the job if the bytes are not all in the segment of the rank. */
void fl_gasnet_check_range(gex_TM_t tm, gex_Rank_t rank, const void *address, size_t bytes);

/* Of the debug build: ends the job if the flags say what is not true of the rank. */
void fl_gasnet_check_peer(gex_TM_t tm, gex_Rank_t rank, gex_Flags_t flags);

/* Of the debug build: ends the job if the source and the destination have a byte in common. */
void fl_gasnet_check_overlap(const void *to, const void *from, size_t bytes);

/* Of the debug build: ends the job unless a value may have so many bytes. */
void fl_gasnet_check_value(size_t bytes);

/* Registers handlers that take at most `most_args` arguments. */
int fl_gasnet_register(gex_AM_Entry_t *table, size_t n, unsigned most_args);

/* Turns a process outside a job into the launcher of GASNET_PSHM_NODES processes, if that is set,
 * and does not return then (spawn.c). `header` is the path of the client's gasnetex.h. */
void fl_gasnet_spawn(const char *header);

#endif
