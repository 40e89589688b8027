/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the files of this room share: the objects of a process, of which all but teams and domains
 * exist once, and the tables of its job. Knows gas.h, and of its room tokens alone.
 */
#ifndef FL_GASNET_INSIDE_H
#define FL_GASNET_INSIDE_H

#define GASNET_PAR 1
#include "gas/inside.h"
#include "gasnet/include/gasnetex.h"

/* Of one conduit and mode, in their library (build.c). */
enum fl_gasnet_mode { FL_GASNET_SEQ, FL_GASNET_PARSYNC, FL_GASNET_PAR };
struct fl_gasnet_build {
    const char *conduit;
    enum fl_gasnet_mode mode;
    bool several_hosts; /* its programs know that a thread of the library runs handlers */
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
    bool is_owned; /* by the library, which has allocated it */
};

struct fl_gasnet_ep {
    const void *cdata;
    struct fl_gasnet_segment *segment; /* null: none is attached */
};

struct fl_gasnet_tm {
    const void *cdata;
    gas_team_t team;
    gex_Flags_t flags;
    gex_Memvec_t scratch; /* lent by the client; not used */
};

struct fl_gasnet_process {
    const struct fl_gasnet_build *build;
    struct fl_gasnet_client client;
    struct fl_gasnet_ep ep;
    struct fl_gasnet_segment segment; /* the attached one */
    uintptr_t *segments;              /* sizes of all ranks', from attach on */
    uintptr_t most, most_of_all;      /* bytes of a segment: here, and on every rank */
    gex_RankInfo_t *host;             /* the ranks of this host */
    const void *kind_cdata;           /* of GEX_MK_HOST */
    bool started, defers_threads, is_quiet;
    int wait_mode;
    gex_AM_Entry_t handlers[GAS_HANDLERS_MOST];
    struct {
        int id;
        bool anonymous;
    } barrier;
};
extern struct fl_gasnet_process fl_gasnet;

/* Handlers of the library's own. */
enum { FL_GASNET_SET_HANDLER = 1, FL_GASNET_SET_DONE_HANDLER };

enum { FL_GASNET_ANY_ARGS = 17 }; /* of a handler that takes what comes */

/* Fatal. Names the function and the place of the call, if that is known (the debug build). */
FL_COLD FL_PRINTF(2, 3) _Noreturn void fl_gasnet_misuse(const char *function, const char *format,
                                                        ...);
/* An error that the client is told by the result; on the console if it wants that. */
FL_COLD FL_PRINTF(3, 4) int fl_gasnet_refuse(int code, const char *function, const char *format,
                                             ...);

/* The function that a check of a range is part of, if that is known. */
const char *fl_gasnet_noted_function(void);

gas_team_t fl_gasnet_team(gex_TM_t tm, const char *function);

/* Makes this process the first of a job that the user has asked for by GASNET_PSHM_NODES, unless it
 * is part of one: does not return then (spawn.c). `header` is where gasnetex.h was compiled from. */
void fl_gasnet_spawn(const char *header);

#endif
