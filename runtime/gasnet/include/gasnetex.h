/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * GASNet-EX, specification 0.19, on <furlong/gas.h>: clients, endpoints, teams, segments, active
 * messages, transfers and events. See furlong_gasnet(3).
 *
 * Segments have the same addresses in all processes, so an address alone identifies its rank, and
 * transfers use the rank argument only for checks. Transfers within this host are inline copies.
 */
#ifndef GASNETEX_H
#define GASNETEX_H

#if defined(GASNET_TOOLS_H) && !defined(FL_GASNET_TOOLS_OF_LIBRARY)
#error "gasnetex.h comes before gasnet_tools.h"
#endif

#include <furlong/gas.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "gasnet_config.h"
#include "gasnet_core_fwd.h"
#include "gasnet_fwd.h"
#include "gasnet_portable_platform.h"
#include "gasnet_words.h"

#if defined(GASNET_SEQ) + defined(GASNET_PARSYNC) + defined(GASNET_PAR) != 1
#error "define one of GASNET_SEQ, GASNET_PARSYNC and GASNET_PAR: how threads call this library"
#elif defined(GASNET_SEQ)
#undef GASNET_SEQ
#define GASNET_SEQ 1
#define FL_GASNET_BUILD FL_GASNET_BUILD_IN(seq)
#define FL_GASNET_MODE_STR "SEQ"
#elif defined(GASNET_PARSYNC)
#undef GASNET_PARSYNC
#define GASNET_PARSYNC 1
#define FL_GASNET_BUILD FL_GASNET_BUILD_IN(parsync)
#define FL_GASNET_MODE_STR "PARSYNC"
#else
#undef GASNET_PAR
#define GASNET_PAR 1
#define FL_GASNET_BUILD FL_GASNET_BUILD_IN(par)
#define FL_GASNET_MODE_STR "PAR"
#endif

#define GASNET_CONFIG_STRING                                                                       \
    "RELEASE=2025.8.0,SPEC=0.19,CONDUIT=" GASNET_CONDUIT_NAME_STR ",THREADMODEL="                  \
    FL_GASNET_MODE_STR ",SEGMENT=FAST,PTR=64bit,FURLONG=" GASNET_CORE_VERSION_STR

/* Negotiated payload in the library's memory saves a copy on the same host. */
#define GASNET_NATIVE_NP_ALLOC_REQ_MEDIUM 1
#define GASNET_NATIVE_NP_ALLOC_REP_MEDIUM 1
#define GASNET_NATIVE_NP_ALLOC_REQ_LONG 1
#define GASNET_NATIVE_NP_ALLOC_REP_LONG 1

#define GASNET_SUPPORTS_TI_SRCRANK 1
#define GASNET_SUPPORTS_TI_EP 1
#define GASNET_SUPPORTS_TI_ENTRY 1
#define GASNET_SUPPORTS_TI_IS_REQ 1
#define GASNET_SUPPORTS_TI_IS_LONG 1

#ifndef MIN
#define MIN(x, y) ((x) < (y) ? (x) : (y))
#endif
#ifndef MAX
#define MAX(x, y) ((x) > (y) ? (x) : (y))
#endif
#define gasneti_builtin_unreachable() __builtin_unreachable()

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define GASNET_OK 0
#define GASNET_ERR_NOT_INIT 10001
#define GASNET_ERR_RESOURCE 10002
#define GASNET_ERR_BAD_ARG 10003
#define GASNET_ERR_NOT_READY 10004
#define GASNET_ERR_BARRIER_MISMATCH 10005
const char *gasnet_ErrorName(int code);
const char *gasnet_ErrorDesc(int code);

/* ---- objects ---- */

typedef struct fl_gasnet_client *gex_Client_t;
typedef struct fl_gasnet_ep *gex_EP_t;
typedef struct fl_gasnet_tm *gex_TM_t;
typedef struct fl_gasnet_segment *gex_Segment_t;
typedef struct fl_gasnet_ad *gex_AD_t;
typedef struct fl_gasnet_mk *gex_MK_t;
typedef struct fl_gasnet_srcdesc *gex_AM_SrcDesc_t;
typedef gas_token_t gex_Token_t;
typedef gas_event_t gex_Event_t; /* the second lowest bit marks a leaf event */
/* Without parameters, because a handler's parameters depend on its registration. */
#ifndef __cplusplus
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#endif
typedef void (*gex_AM_Fn_t)();
#ifndef __cplusplus
#pragma GCC diagnostic pop
#endif
typedef struct {
    gex_Rank_t gex_jobrank;
} const gex_RankInfo_t;

/* Each object stores one pointer of the client. */
#define FL_GASNET_OBJECT(Name)                                                                     \
    void gex_##Name##_SetCData(gex_##Name##_t object, const void *value);                          \
    void *gex_##Name##_QueryCData(gex_##Name##_t object);                                          \
    gex_Flags_t gex_##Name##_QueryFlags(gex_##Name##_t object);
FL_GASNET_OBJECT(Client)
FL_GASNET_OBJECT(EP)
FL_GASNET_OBJECT(TM)
FL_GASNET_OBJECT(Segment)
FL_GASNET_OBJECT(AD)
FL_GASNET_OBJECT(MK)
#undef FL_GASNET_OBJECT

/* ---- the job and its client ---- */

struct fl_gasnet_build; /* a conduit and a mode; only their library defines this object */
extern const struct fl_gasnet_build FL_GASNET_BUILD;
int fl_gasnet_client_init(const struct fl_gasnet_build *build, const char *header,
                          gex_Client_t *client_p, gex_EP_t *ep_p, gex_TM_t *tm_p, const char *name,
                          int *argc, char ***argv, gex_Flags_t flags);

/* __FILE__ tells the library where Furlong is installed. */
static inline int gex_Client_Init(gex_Client_t *client_p, gex_EP_t *ep_p, gex_TM_t *tm_p,
                                  const char *name, int *argc, char ***argv, gex_Flags_t flags) {
    return fl_gasnet_client_init(&FL_GASNET_BUILD, __FILE__, client_p, ep_p, tm_p, name, argc,
                                 argv, flags);
}
const char *gex_Client_QueryName(gex_Client_t client);

gex_Rank_t gex_System_QueryJobRank(void);
gex_Rank_t gex_System_QueryJobSize(void);
void gex_System_QueryNbrhdInfo(gex_RankInfo_t **info_p, gex_Rank_t *count_p, gex_Rank_t *me_p);
void gex_System_QueryHostInfo(gex_RankInfo_t **info_p, gex_Rank_t *count_p, gex_Rank_t *me_p);
void gex_System_QueryMyPosition(gex_Rank_t *nbrhds_p, gex_Rank_t *nbrhd_p, gex_Rank_t *hosts_p,
                                gex_Rank_t *host_p);
uint64_t gex_System_QueryMaxThreads(void);
int gex_System_GetVerboseErrors(void);
void gex_System_SetVerboseErrors(int on);
int gex_System_QueryHiddenAMConcurrencyLevel(void);

typedef struct {
    const char *gex_device_list;
    unsigned gex_thread_roles;
    void *(*gex_progress_fn)(void *);
    void *gex_progress_arg;
} gex_ProgressThreadInfo_t;
int gex_System_QueryProgressThreads(gex_Client_t client, unsigned *count_p,
                                    const gex_ProgressThreadInfo_t **info_p, gex_Flags_t flags);

void gasnet_exit(int code) __attribute__((noreturn));
char *gasnet_getenv(const char *name);
#define GASNET_WAIT_SPIN 0
#define GASNET_WAIT_BLOCK 1
#define GASNET_WAIT_SPINBLOCK 2
int gasnet_set_waitmode(int mode);

/* ---- segments ---- */

int gex_Segment_Attach(gex_Segment_t *segment_p, gex_TM_t tm, uintptr_t bytes);
gex_Client_t gex_Segment_QueryClient(gex_Segment_t segment);
void *gex_Segment_QueryAddr(gex_Segment_t segment);
uintptr_t gex_Segment_QuerySize(gex_Segment_t segment);
int gex_Segment_QueryBound(gex_TM_t tm, gex_Rank_t rank, void **owner_p, void **local_p,
                           uintptr_t *bytes_p);
gex_Event_t gex_EP_QueryBoundSegmentNB(gex_TM_t tm, gex_Rank_t rank, void **owner_p,
                                       void **local_p, uintptr_t *bytes_p, gex_Flags_t flags);
int gex_Segment_Create(gex_Segment_t *segment_p, gex_Client_t client, gex_Addr_t address,
                       uintptr_t bytes, gex_MK_t kind, gex_Flags_t flags);
void gex_Segment_Destroy(gex_Segment_t segment, gex_Flags_t flags);
int gex_EP_BindSegment(gex_EP_t ep, gex_Segment_t segment, gex_Flags_t flags);
int gex_EP_PublishBoundSegment(gex_TM_t tm, gex_EP_t *eps, size_t n, gex_Flags_t flags);
uintptr_t gasnet_getMaxLocalSegmentSize(void);
uintptr_t gasnet_getMaxGlobalSegmentSize(void);
extern void (*gasnet_client_attach_hook)(void *address, uintptr_t bytes);

/* ---- endpoints and teams ---- */

gex_Client_t gex_EP_QueryClient(gex_EP_t ep);
gex_Segment_t gex_EP_QuerySegment(gex_EP_t ep);
gex_EP_Index_t gex_EP_QueryIndex(gex_EP_t ep);
int gex_EP_Create(gex_EP_t *ep_p, gex_Client_t client, gex_EP_Capabilities_t capabilities,
                  gex_Flags_t flags);

gex_Client_t gex_TM_QueryClient(gex_TM_t tm);
gex_EP_t gex_TM_QueryEP(gex_TM_t tm);
gex_Rank_t gex_TM_QueryRank(gex_TM_t tm);
gex_Rank_t gex_TM_QuerySize(gex_TM_t tm);
gex_Rank_t gex_TM_TranslateRankToJobrank(gex_TM_t tm, gex_Rank_t rank);
gex_Rank_t gex_TM_TranslateJobrankToRank(gex_TM_t tm, gex_Rank_t jobrank);
gex_EP_Location_t gex_TM_TranslateRankToEP(gex_TM_t tm, gex_Rank_t rank, gex_Flags_t flags);
size_t gex_TM_Split(gex_TM_t *new_p, gex_TM_t parent, int color, int key, void *scratch,
                    size_t scratch_bytes, gex_Flags_t flags);
size_t gex_TM_Create(gex_TM_t *new_p, size_t n_new, gex_TM_t parent, gex_EP_Location_t *members,
                     size_t n, gex_Addr_t *scratch, size_t scratch_bytes, gex_Flags_t flags);
int gex_TM_Destroy(gex_TM_t tm, gex_Memvec_t *scratch_p, gex_Flags_t flags);

/* A pair of the one endpoint of each process: its ranks are those of the job. */
#define FL_GASNET_PAIR ((gex_TM_t)1)
gex_TM_t fl_gasnet_pair(gex_EP_t ep, gex_EP_Index_t remote);
static inline gex_TM_t gex_TM_Pair(gex_EP_t ep, gex_EP_Index_t remote) {
    return remote == 0 ? FL_GASNET_PAIR : fl_gasnet_pair(ep, remote);
}

extern struct fl_gasnet_tm fl_gasnet_all; /* the team of all ranks */
gex_Rank_t fl_gasnet_translate(gex_TM_t tm, gex_Rank_t rank);
static inline gas_rank_t fl_gasnet_jobrank(gex_TM_t tm, gex_Rank_t rank) {
    return __builtin_expect(tm == &fl_gasnet_all || tm == FL_GASNET_PAIR, 1)
               ? rank
               : fl_gasnet_translate(tm, rank);
}

/* ---- progress ---- */

static inline int gasnet_AMPoll(void) {
    (void)gas_poll();
    return GASNET_OK;
}

#define GASNET_BLOCKUNTIL(condition) GAS_BLOCK_UNTIL(condition)

typedef struct {
    gas_hsl_t hidden;
} gex_HSL_t;
#define GEX_HSL_INITIALIZER                                                                        \
    {                                                                                              \
        { 0 }                                                                                      \
    }
static inline void gex_HSL_Init(gex_HSL_t *lock) {
    lock->hidden.hidden = 0;
}
static inline void gex_HSL_Destroy(gex_HSL_t *lock) {
    (void)lock;
}
static inline void gex_HSL_Lock(gex_HSL_t *lock) {
    gas_hsl_lock(&lock->hidden);
}
static inline int gex_HSL_Trylock(gex_HSL_t *lock) {
    return gas_hsl_try(&lock->hidden) == GAS_OK ? GASNET_OK : GASNET_ERR_NOT_READY;
}
static inline void gex_HSL_Unlock(gex_HSL_t *lock) {
    gas_hsl_unlock(&lock->hidden);
}

/* ---- events ---- */

int fl_gasnet_event_test(gex_Event_t event);
void fl_gasnet_event_wait(gex_Event_t event);
static inline int gex_Event_Test(gex_Event_t event) {
    return !event ? GASNET_OK : fl_gasnet_event_test(event);
}
static inline void gex_Event_Wait(gex_Event_t event) {
    if (event) {
        fl_gasnet_event_wait(event);
    }
}
int gex_Event_TestSome(gex_Event_t *events, size_t n, gex_Flags_t flags);
int gex_Event_TestAll(gex_Event_t *events, size_t n, gex_Flags_t flags);
void gex_Event_WaitSome(gex_Event_t *events, size_t n, gex_Flags_t flags);
void gex_Event_WaitAll(gex_Event_t *events, size_t n, gex_Flags_t flags);
gex_Event_t gex_Event_QueryLeaf(gex_Event_t root, gex_EC_t category);
int gex_NBI_Test(gex_EC_t categories, gex_Flags_t flags);
void gex_NBI_Wait(gex_EC_t categories, gex_Flags_t flags);
void gex_NBI_BeginAccessRegion(gex_Flags_t flags);
gex_Event_t gex_NBI_EndAccessRegion(gex_Flags_t flags);

/* How a function may be told to complete locally. The debug build refuses other ways. */
#define FL_GASNET_LC_NONE (1u << 0)
#define FL_GASNET_LC_NOW (1u << 1)
#define FL_GASNET_LC_DEFER (1u << 2)
#define FL_GASNET_LC_GROUP (1u << 3)
#define FL_GASNET_LC_EVENT (1u << 4)
#define FL_GASNET_LC_REQUEST (FL_GASNET_LC_NOW | FL_GASNET_LC_GROUP | FL_GASNET_LC_EVENT)
#define FL_GASNET_LC_REPLY (FL_GASNET_LC_NOW | FL_GASNET_LC_EVENT)
#ifdef GASNET_DEBUG
void fl_gasnet_check_local(const gex_Event_t *local, unsigned ways);
#define FL_GASNET_CHECK_LOCAL(local, ways) fl_gasnet_check_local(local, ways)
#else
#define FL_GASNET_CHECK_LOCAL(local, ways) ((void)(local))
#endif

/* Local completion of an operation that has copied its source already. */
static inline void fl_gasnet_completed(gex_Event_t *local) {
    if ((uintptr_t)local > (uintptr_t)GEX_EVENT_GROUP) {
        *local = GEX_EVENT_INVALID;
    }
}

/* ---- barriers ---- */

#define GASNET_BARRIERFLAG_ANONYMOUS 1
#define GASNET_BARRIERFLAG_MISMATCH 2
#define GASNET_BARRIERFLAG_UNNAMED 9
void gasnet_barrier_notify(int id, int flags);
int gasnet_barrier_wait(int id, int flags);
int gasnet_barrier_try(int id, int flags);
int gasnet_barrier(int id, int flags);
int gasnet_barrier_result(int *id_p);
gex_Event_t gex_Coll_BarrierNB(gex_TM_t tm, gex_Flags_t flags);
static inline void gex_Coll_BarrierBlocking(gex_TM_t tm, gex_Flags_t flags) {
    gex_Event_Wait(gex_Coll_BarrierNB(tm, flags));
}

/* ---- remains of GASNet-1 ---- */

typedef void *gasnet_threadinfo_t;
typedef struct {
    void *addr;
    uintptr_t size;
} gasnet_seginfo_t;
typedef struct {
    gex_Rank_t host, supernode;
    uintptr_t offset;
} gasnet_nodeinfo_t;
#define GASNET_GET_THREADINFO() ((gasnet_threadinfo_t)0)
#define GASNET_POST_THREADINFO(info)                                                               \
    __attribute__((unused)) const gasnet_threadinfo_t fl_gasnet_threadinfo_ = (info)
#define GASNET_BEGIN_FUNCTION() GASNET_POST_THREADINFO(GASNET_GET_THREADINFO())
#define gasnet_hold_interrupts() ((void)0)
#define gasnet_resume_interrupts() ((void)0)
void gasnet_QueryGexObjects(gex_Client_t *client_p, gex_EP_t *ep_p, gex_TM_t *tm_p,
                            gex_Segment_t *segment_p);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#include "gasnet_rma.h"
#include "gasnet_am.h"
#ifdef GASNET_DEBUG
#include "gasnet_places.h"
#endif

#endif
