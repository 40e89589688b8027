/* SPDX-License-Identifier: BSD-3-Clause */
/* The client: its start and end, errors, queries about the job, and barriers. */
#include "gasnet/inside.h"

#include "core/params.h"
#include "gasnet/include/gasnet_tools.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct fl_gasnet_process fl_gasnet;
struct fl_gasnet_tm fl_gasnet_all = {.team = GAS_TEAM_ALL};

/* ---- errors ---- */

/* The calling thread's last noted call; only the debug build notes calls. */
static _Thread_local struct {
    const char *function, *file;
    int line;
    gex_Token_t token; /* of the handler that runs, or null */
} noted;

/* A handler only replies. Between a Prepare and its Commit the thread does neither, nor while it
 * holds a lock. Locks may be used everywhere, and pairs named. */
static void check_restrictions(const char *function) {
    const char *prepared = fl_gasnet_prepared();
    if (strncmp(function, "gex_HSL_", 8) == 0) {
        return;
    }
    if (!fl_gasnet.started) {
        fl_gasnet_misuse(function, "it is called before gex_Client_Init");
    }
    if (strcmp(function, "gex_TM_Pair") == 0) {
        return;
    }
    if (fl_gasnet_locks_held() > 0) {
        fl_gasnet_misuse(function, "the thread holds a handler-safe lock (gex_HSL_Lock)");
    }
    if (noted.token && !strstr(function, "Reply")) {
        fl_gasnet_misuse(function, "a handler may not call it");
    }
    if (fl_gasnet.build->mode == FL_GASNET_SEQ && !noted.token &&
        fl_os_thread_id() != fl_gasnet.first_thread) {
        fl_gasnet_misuse(function, "with GASNET_SEQ only the thread that has called gex_Client_Init "
                                   "may call it; GASNET_PAR allows others");
    }
    if (prepared && !strstr(function, "Commit") && !strstr(function, "Prepare")) {
        fl_gasnet_misuse(function, "a %s that the thread has prepared is neither committed nor "
                                   "cancelled", prepared);
    }
}

static void note(const char *function, const char *file, int line) {
    if (!noted.function) {
        gas_keep_discarded();
    }
    noted.function = function;
    noted.file = file;
    noted.line = line;
}

void fl_gasnet_here(const char *function, const char *file, int line) {
    note(function, file, line);
    check_restrictions(function);
}

void fl_gasnet_check_token(gex_Token_t token) {
    if (!token || token != noted.token) {
        fl_gasnet_misuse(noted.function, "the token is %s",
                         token ? "not that of the handler that the thread runs: it is valid there, "
                                 "and until that returns"
                               : "a null pointer");
    }
}

gex_Token_t fl_gasnet_token_here(gex_Token_t token, const char *function, const char *file,
                                 int line) {
    note(function, file, line);
    fl_gasnet_check_token(token);
    return token;
}

bool fl_gasnet_notes_calls(void) {
    return noted.function;
}

gex_Token_t fl_gasnet_set_token(gex_Token_t token) {
    gex_Token_t before = noted.token;
    noted.token = token;
    return before;
}

const char *fl_gasnet_noted_function(void) {
    return noted.function ? noted.function : "a transfer, or a long message";
}

/* A function's name, or the beginning of those of a family: the noted one, if that is of it. */
static const char *name_in_full(const char *function) {
    bool is_noted =
        noted.function && strncmp(function, noted.function, strlen(function)) == 0;
    return is_noted ? noted.function : function;
}

static void write_place(char *text, size_t room, const char *function) {
    if (!noted.file) {
        text[0] = '\0';
    } else if (strcmp(function, noted.function) == 0) {
        snprintf(text, room, " (called at %s:%d)", noted.file, noted.line);
    } else {
        snprintf(text, room, " (the last noted call of this thread is that of %s at %s:%d)",
                 noted.function, noted.file, noted.line);
    }
}

/* For errors that the room gas finds. */
static void write_last_place(char *text, size_t room) {
    write_place(text, room, "");
}

struct complaint {
    char text[300], place[200];
};

static void write_complaint(struct complaint *to, const char *function, const char *format,
                            va_list arguments) {
    vsnprintf(to->text, sizeof to->text, format, arguments);
    write_place(to->place, sizeof to->place, function);
}

void fl_gasnet_misuse(const char *function, const char *format, ...) {
    struct complaint complaint;
    va_list arguments;
    function = name_in_full(function);
    va_start(arguments, format);
    write_complaint(&complaint, function, format, arguments);
    va_end(arguments);
    fl_fatal(FL_CODE_GASNET_MISUSE, "%s: %s%s", function, complaint.text, complaint.place);
}

int fl_gasnet_refuse(int code, const char *function, const char *format, ...) {
    if (!fl_gasnet.is_quiet) {
        struct complaint complaint;
        va_list arguments;
        va_start(arguments, format);
        write_complaint(&complaint, function, format, arguments);
        va_end(arguments);
        fprintf(stderr, "rank %u: %s returns %s: %s%s\n", gas_rank(), function,
                gasnet_ErrorName(code), complaint.text, complaint.place);
    }
    return code;
}

static const struct {
    int code;
    const char *name, *meaning;
} errors[] = {
    {GASNET_OK, "GASNET_OK", "no error"},
    {GASNET_ERR_NOT_INIT, "GASNET_ERR_NOT_INIT", "the library has not been started"},
    {GASNET_ERR_RESOURCE, "GASNET_ERR_RESOURCE", "there is no more of what was asked for"},
    {GASNET_ERR_BAD_ARG, "GASNET_ERR_BAD_ARG", "an argument that the function does not allow"},
    {GASNET_ERR_NOT_READY, "GASNET_ERR_NOT_READY", "not done yet: try again"},
    {GASNET_ERR_BARRIER_MISMATCH, "GASNET_ERR_BARRIER_MISMATCH",
     "ranks are at barriers of different names"},
};

const char *gasnet_ErrorName(int code) {
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        if (errors[i].code == code) {
            return errors[i].name;
        }
    }
    return "an unknown code";
}

const char *gasnet_ErrorDesc(int code) {
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        if (errors[i].code == code) {
            return errors[i].meaning;
        }
    }
    return "no error of this library has this code";
}

/* ---- start ---- */

static void check_hosts(void) {
    if (gas_hosts() > 1 && !fl_gasnet.build->several_hosts) {
        fl_fatal(FL_CODE_ONE_HOST,
                 "the conduit %s is for one host, and the job is on %u: build the program with the "
                 "conduit ucx",
                 fl_gasnet.build->conduit, gas_hosts());
    }
}

static void list_host(void) {
    struct gas_host host = gas_host_ranks(gas_host_of(gas_rank()));
    gex_Rank_t *ranks = FL_ALLOCATED(calloc(host.count, sizeof *ranks),
                                     "a host of %u ranks", host.count);
    for (gex_Rank_t i = 0; i < host.count; i++) {
        ranks[i] = host.first + i;
    }
    _Static_assert(sizeof(gex_RankInfo_t) == sizeof *ranks, "a rank is all that is known");
    fl_gasnet.host = (gex_RankInfo_t *)ranks;
}

static bool is_unit(const char *text) {
    text += strspn(text, " ");
    text += *text && strchr("KMGTkmgt", *text) ? 1 : 0;
    text += *text == 'i' ? 1 : 0;
    return strcasecmp(text, "B") == 0 || *text == '\0';
}

/* GASNET_MAX_SEGSIZE: a fraction of memory like 0.85, or a size; then /P for each process or /H for
 * the host. */
static uint64_t wanted_bytes(uint64_t host_bytes, unsigned ranks) {
    const char *text = fl_params_foreign("GASNET_MAX_SEGSIZE");
    char number[40];
    snprintf(number, sizeof number, "%s", text && *text ? text : "0.85/H");
    char *slash = strchr(number, '/');
    bool of_host = slash && (slash[1] == 'H' || slash[1] == 'h');
    if (slash) {
        *slash = '\0';
    }
    char *unit;
    double part = strtod(number, &unit);
    bool is_part = strchr(number, '.') && *unit == '\0';
    int64_t bytes = 0;
    if (is_part && part > 0 && part <= 1) {
        bytes = (int64_t)(part * (double)host_bytes);
        of_host = of_host || !slash;
    } else if (!is_part && isdigit((unsigned char)number[0]) && is_unit(unit)) {
        bytes = gasnett_parse_int(number, 1);
    }
    if (bytes <= 0) {
        fl_fatal(FL_CODE_SETTING,
                 "GASNET_MAX_SEGSIZE is `%s`, which is no size: give one like 512MB, 2GB/P or 0.5/H",
                 text);
    }
    return (uint64_t)bytes / (of_host ? ranks : 1);
}

static void find_limits(void) {
    struct gas_host host = gas_host_ranks(gas_host_of(gas_rank()));
    uint64_t bytes = wanted_bytes(fl_os_memory_available(), host.count);
    if (bytes > gas_segment_most()) {
        bytes = gas_segment_most();
    }
    bytes -= bytes % GASNET_PAGESIZE;
    fl_gasnet.most = bytes < GASNET_PAGESIZE ? GASNET_PAGESIZE : bytes;
    uint64_t least = fl_gasnet.most;
    gas_team_reduce(GAS_TEAM_ALL, GAS_EVERYBODY, &least, &least, sizeof least, 1,
                    gas_reduction(GAS_U64, GAS_OP_MIN), NULL);
    fl_gasnet.most_of_all = least;
}

/* GASNet ends the job when a rank ends, unless GASNET_CATCH_EXIT is 0; GASNET_EXITTIMEOUT is how long
 * the others have to end as well. */
static void set_end_limit(void) {
    const char *catches = fl_params_foreign("GASNET_CATCH_EXIT");
    if (catches && strchr("0Nn", catches[0])) {
        return;
    }
    double seconds = 5 + gas_size() / 4.0;
    const char *text = fl_params_foreign("GASNET_EXITTIMEOUT");
    if (text && *text) {
        char *end;
        seconds = strtod(text, &end);
        if (*end || !(seconds > 0 && seconds < 1e9)) {
            fl_fatal(FL_CODE_SETTING, "GASNET_EXITTIMEOUT is `%s`, which is no number of seconds",
                     text);
        }
    }
    gas_process.end_limit_ns = (uint64_t)(seconds * 1e9);
}

void fl_gasnet_handlers_start(void);

static void start(const struct fl_gasnet_build *build, const char *header) {
    fl_gasnet.build = build;
    fl_gasnet_spawn(header);
    (void)gas_init(build->mode == FL_GASNET_SEQ ? 0 : GAS_THREADS);
    fl_gasnet.started = true;
    fl_gasnet.first_thread = fl_os_thread_id();
    gas_process.write_place = write_last_place;
    gas_process.exit_function = "gasnet_exit";
    check_hosts();
    set_end_limit();
    list_host();
    fl_gasnet_handlers_start();
    find_limits();
}

int fl_gasnet_client_init(const struct fl_gasnet_build *build, const char *header,
                          gex_Client_t *client_p, gex_EP_t *ep_p, gex_TM_t *tm_p, const char *name,
                          int *argc, char ***argv, gex_Flags_t flags) {
    (void)argc, (void)argv; /* upcrun's options are not among them */
    if (fl_gasnet.started) {
        return fl_gasnet_refuse(GASNET_ERR_RESOURCE, "gex_Client_Init",
                                "this process has its one client already");
    }
    start(build, header);
    fl_gasnet.client.name = strdup(name ? name : "");
    fl_gasnet.client.flags = flags;
    fl_gasnet.defers_threads = flags & GEX_FLAG_DEFER_THREADS;
    *client_p = &fl_gasnet.client;
    *ep_p = &fl_gasnet.ep;
    *tm_p = &fl_gasnet_all;
    gas_barrier();
    return GASNET_OK;
}

/* ---- end ---- */

void gasnet_exit(int code) {
    gas_leave(code);
}

/* ---- queries ---- */

const char *gex_Client_QueryName(gex_Client_t client) {
    return client->name;
}

/* Each kind of object has one pointer of the client and some flags. */
#define CDATA(Name)                                                                                \
    void gex_##Name##_SetCData(gex_##Name##_t object, const void *value) {                         \
        object->cdata = value;                                                                     \
    }                                                                                              \
    void *gex_##Name##_QueryCData(gex_##Name##_t object) {                                         \
        return (void *)(uintptr_t)object->cdata;                                                   \
    }
CDATA(Client)
CDATA(EP)
CDATA(TM)
CDATA(Segment)

gex_Flags_t gex_Client_QueryFlags(gex_Client_t client) {
    return client->flags;
}

gex_Flags_t gex_EP_QueryFlags(gex_EP_t ep) {
    (void)ep;
    return 0;
}

gex_Flags_t gex_TM_QueryFlags(gex_TM_t tm) {
    return tm->flags;
}

gex_Flags_t gex_Segment_QueryFlags(gex_Segment_t segment) {
    (void)segment;
    return 0;
}

gex_Rank_t gex_System_QueryJobRank(void) {
    return gas_rank();
}

gex_Rank_t gex_System_QueryJobSize(void) {
    return gas_size();
}

void gex_System_QueryHostInfo(gex_RankInfo_t **info_p, gex_Rank_t *count_p, gex_Rank_t *me_p) {
    struct gas_host host = gas_host_ranks(gas_host_of(gas_rank()));
    if (info_p) {
        *info_p = fl_gasnet.host;
    }
    if (count_p) {
        *count_p = host.count;
    }
    if (me_p) {
        *me_p = gas_rank() - host.first;
    }
}

/* A neighborhood is a host, since all ranks of a host share memory. */
void gex_System_QueryNbrhdInfo(gex_RankInfo_t **info_p, gex_Rank_t *count_p, gex_Rank_t *me_p) {
    gex_System_QueryHostInfo(info_p, count_p, me_p);
}

void gex_System_QueryMyPosition(gex_Rank_t *nbrhds_p, gex_Rank_t *nbrhd_p, gex_Rank_t *hosts_p,
                                gex_Rank_t *host_p) {
    gex_Rank_t *counts[] = {nbrhds_p, hosts_p}, *mine[] = {nbrhd_p, host_p};
    for (int i = 0; i < 2; i++) {
        if (counts[i]) {
            *counts[i] = gas_hosts();
        }
        if (mine[i]) {
            *mine[i] = gas_host_of(gas_rank());
        }
    }
}

uint64_t gex_System_QueryMaxThreads(void) {
    return fl_gasnet.build->mode == FL_GASNET_SEQ ? 1 : GASNETI_MAX_THREADS;
}

int gex_System_GetVerboseErrors(void) {
    return !fl_gasnet.is_quiet;
}

void gex_System_SetVerboseErrors(int on) {
    fl_gasnet.is_quiet = !on;
}

int gex_System_QueryHiddenAMConcurrencyLevel(void) {
    return gas_hosts() > 1;
}

int gex_System_QueryProgressThreads(gex_Client_t client, unsigned *count_p,
                                    const gex_ProgressThreadInfo_t **info_p, gex_Flags_t flags) {
    if (!client || !count_p || !info_p || flags != 0) {
        return fl_gasnet_refuse(GASNET_ERR_BAD_ARG, "gex_System_QueryProgressThreads",
                                "a null pointer, or flags");
    }
    if (!fl_gasnet.defers_threads) {
        return fl_gasnet_refuse(GASNET_ERR_RESOURCE, "gex_System_QueryProgressThreads",
                                "it is called once, after GEX_FLAG_DEFER_THREADS");
    }
    fl_gasnet.defers_threads = false;
    *count_p = 0; /* the library starts its own progress thread if it needs one */
    *info_p = NULL;
    return GASNET_OK;
}

char *gasnet_getenv(const char *name) {
    return (char *)(uintptr_t)fl_params_foreign(name);
}

/* ---- waiting ---- */

int gasnet_set_waitmode(int mode) {
    if (mode < GASNET_WAIT_SPIN || mode > GASNET_WAIT_SPINBLOCK) {
        return fl_gasnet_refuse(GASNET_ERR_BAD_ARG, "gasnet_set_waitmode", "the mode is %d", mode);
    }
    gas_process.stays_awake = mode == GASNET_WAIT_SPIN;
    return GASNET_OK;
}

/* ---- barriers ---- */

static unsigned flags_of(int flags) {
    return (flags & GASNET_BARRIERFLAG_ANONYMOUS ? GAS_BARRIER_ANONYMOUS : 0u) |
           (flags & GASNET_BARRIERFLAG_MISMATCH ? GAS_BARRIER_MISMATCH : 0u);
}

static int code_of(int result) {
    return result == GAS_OK                     ? GASNET_OK
           : result == GAS_ERR_BARRIER_MISMATCH ? GASNET_ERR_BARRIER_MISMATCH
                                                : GASNET_ERR_NOT_READY;
}

void gasnet_barrier_notify(int id, int flags) {
    gas_barrier_notify(id, flags_of(flags));
}

int gasnet_barrier_wait(int id, int flags) {
    return code_of(gas_barrier_wait(id, flags_of(flags)));
}

int gasnet_barrier_try(int id, int flags) {
    return code_of(gas_barrier_try(id, flags_of(flags)));
}

int gasnet_barrier(int id, int flags) {
    gasnet_barrier_notify(id, flags);
    return gasnet_barrier_wait(id, flags);
}

int gasnet_barrier_result(int *id_p) {
    return !gas_barrier_name(id_p);
}
