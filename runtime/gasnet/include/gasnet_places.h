/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The debug build: macros that note the place of a call before it, so that an error can name it. A
 * macro's name inside its own expansion is the function. Those of functions with a number or a type
 * in their names come from stage.sh.
 */
#ifndef GASNET_PLACES_H
#define GASNET_PLACES_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)
void fl_gasnet_here(const char *function, const char *file, int line);
gex_Event_t fl_gasnet_event_noted(gex_Event_t event, const char *function, const char *file,
                                  int line);
gex_Token_t fl_gasnet_token_here(gex_Token_t token, const char *function, const char *file,
                                 int line);
void fl_gasnet_lock(gex_HSL_t *lock);
int fl_gasnet_trylock(gex_HSL_t *lock);
void fl_gasnet_unlock(gex_HSL_t *lock);
void fl_gasnet_lock_destroy(gex_HSL_t *lock);
#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#define FL_GASNET_HERE(name, call) (fl_gasnet_here(name, __FILE__, __LINE__), call)

/* GEX_EVENT_INVALID has ended, and may be waited for anywhere: it is not noted. */
#define FL_GASNET_EVENT(name, event) name(fl_gasnet_event_noted(event, #name, __FILE__, __LINE__))
/* What may be called anywhere in a handler. */
#define FL_GASNET_TOKEN(name, token, ...) name(fl_gasnet_token_here(token, #name, __FILE__, __LINE__), __VA_ARGS__)

#define gex_RMA_PutBlocking(...) FL_GASNET_HERE("gex_RMA_PutBlocking", gex_RMA_PutBlocking(__VA_ARGS__))
#define gex_RMA_PutNB(...) FL_GASNET_HERE("gex_RMA_PutNB", gex_RMA_PutNB(__VA_ARGS__))
#define gex_RMA_PutNBI(...) FL_GASNET_HERE("gex_RMA_PutNBI", gex_RMA_PutNBI(__VA_ARGS__))
#define gex_RMA_GetBlocking(...) FL_GASNET_HERE("gex_RMA_GetBlocking", gex_RMA_GetBlocking(__VA_ARGS__))
#define gex_RMA_GetNB(...) FL_GASNET_HERE("gex_RMA_GetNB", gex_RMA_GetNB(__VA_ARGS__))
#define gex_RMA_GetNBI(...) FL_GASNET_HERE("gex_RMA_GetNBI", gex_RMA_GetNBI(__VA_ARGS__))
#define gasnet_AMPoll() FL_GASNET_HERE("gasnet_AMPoll", gasnet_AMPoll())
#define gex_Event_Test(...) FL_GASNET_EVENT(gex_Event_Test, (__VA_ARGS__))
#define gex_Event_Wait(...) FL_GASNET_EVENT(gex_Event_Wait, (__VA_ARGS__))
#define gex_Event_QueryLeaf(...) FL_GASNET_HERE("gex_Event_QueryLeaf", gex_Event_QueryLeaf(__VA_ARGS__))
#define gex_Event_TestSome(...) FL_GASNET_HERE("gex_Event_TestSome", gex_Event_TestSome(__VA_ARGS__))
#define gex_Event_TestAll(...) FL_GASNET_HERE("gex_Event_TestAll", gex_Event_TestAll(__VA_ARGS__))
#define gex_Event_WaitSome(...) FL_GASNET_HERE("gex_Event_WaitSome", gex_Event_WaitSome(__VA_ARGS__))
#define gex_Event_WaitAll(...) FL_GASNET_HERE("gex_Event_WaitAll", gex_Event_WaitAll(__VA_ARGS__))
#define gex_Token_Info(token, ...) FL_GASNET_TOKEN(gex_Token_Info, token, __VA_ARGS__)
#define gex_Token_MaxReplyMedium(token, ...) FL_GASNET_TOKEN(gex_Token_MaxReplyMedium, token, __VA_ARGS__)
#define gex_Token_MaxReplyLong(token, ...) FL_GASNET_TOKEN(gex_Token_MaxReplyLong, token, __VA_ARGS__)
#define gasnet_AMGetMsgSource(token, ...) FL_GASNET_TOKEN(gasnet_AMGetMsgSource, token, __VA_ARGS__)
#define gex_NBI_Test(...) FL_GASNET_HERE("gex_NBI_Test", gex_NBI_Test(__VA_ARGS__))
#define gex_NBI_BeginAccessRegion(...) FL_GASNET_HERE("gex_NBI_BeginAccessRegion", gex_NBI_BeginAccessRegion(__VA_ARGS__))
#define gex_NBI_EndAccessRegion(...) FL_GASNET_HERE("gex_NBI_EndAccessRegion", gex_NBI_EndAccessRegion(__VA_ARGS__))
#define gex_Segment_Create(...) FL_GASNET_HERE("gex_Segment_Create", gex_Segment_Create(__VA_ARGS__))
#define gex_Segment_Destroy(...) FL_GASNET_HERE("gex_Segment_Destroy", gex_Segment_Destroy(__VA_ARGS__))
#define gex_System_QueryProgressThreads(...) FL_GASNET_HERE("gex_System_QueryProgressThreads", gex_System_QueryProgressThreads(__VA_ARGS__))
#define gex_Segment_Attach(...) FL_GASNET_HERE("gex_Segment_Attach", gex_Segment_Attach(__VA_ARGS__))
#define gex_EP_RegisterHandlers(...) FL_GASNET_HERE("gex_EP_RegisterHandlers", gex_EP_RegisterHandlers(__VA_ARGS__))
#define gex_TM_Split(...) FL_GASNET_HERE("gex_TM_Split", gex_TM_Split(__VA_ARGS__))
#define gex_TM_Create(...) FL_GASNET_HERE("gex_TM_Create", gex_TM_Create(__VA_ARGS__))
#define gex_TM_Destroy(...) FL_GASNET_HERE("gex_TM_Destroy", gex_TM_Destroy(__VA_ARGS__))
#define gex_Coll_BarrierNB(...) FL_GASNET_HERE("gex_Coll_BarrierNB", gex_Coll_BarrierNB(__VA_ARGS__))
#define gex_TM_Pair(...) FL_GASNET_HERE("gex_TM_Pair", gex_TM_Pair(__VA_ARGS__))
#define gex_NBI_Wait(...) FL_GASNET_HERE("gex_NBI_Wait", gex_NBI_Wait(__VA_ARGS__))

#define gex_TM_TranslateRankToJobrank(...) FL_GASNET_HERE("gex_TM_TranslateRankToJobrank", gex_TM_TranslateRankToJobrank(__VA_ARGS__))
#define gex_TM_TranslateRankToEP(...) FL_GASNET_HERE("gex_TM_TranslateRankToEP", gex_TM_TranslateRankToEP(__VA_ARGS__))
#define gex_TM_TranslateJobrankToRank(...) FL_GASNET_HERE("gex_TM_TranslateJobrankToRank", gex_TM_TranslateJobrankToRank(__VA_ARGS__))
#define gex_Coll_BarrierBlocking(...) FL_GASNET_HERE("gex_Coll_BarrierBlocking", gex_Coll_BarrierBlocking(__VA_ARGS__))
#define gex_Coll_BroadcastNB(...) FL_GASNET_HERE("gex_Coll_BroadcastNB", gex_Coll_BroadcastNB(__VA_ARGS__))
#define gex_Coll_ReduceToOneNB(...) FL_GASNET_HERE("gex_Coll_ReduceToOneNB", gex_Coll_ReduceToOneNB(__VA_ARGS__))
#define gex_Coll_ReduceToAllNB(...) FL_GASNET_HERE("gex_Coll_ReduceToAllNB", gex_Coll_ReduceToAllNB(__VA_ARGS__))
#define gasnet_barrier(...) FL_GASNET_HERE("gasnet_barrier", gasnet_barrier(__VA_ARGS__))
#define gasnet_barrier_notify(...) FL_GASNET_HERE("gasnet_barrier_notify", gasnet_barrier_notify(__VA_ARGS__))
#define gasnet_barrier_wait(...) FL_GASNET_HERE("gasnet_barrier_wait", gasnet_barrier_wait(__VA_ARGS__))
#define gasnet_barrier_try(...) FL_GASNET_HERE("gasnet_barrier_try", gasnet_barrier_try(__VA_ARGS__))
#undef GASNET_BLOCKUNTIL
#define GASNET_BLOCKUNTIL(condition)                                                               \
    do {                                                                                           \
        fl_gasnet_here("GASNET_BLOCKUNTIL", __FILE__, __LINE__);                                   \
        GAS_BLOCK_UNTIL(condition);                                                                \
    } while (0)

#define gex_HSL_Lock(...) FL_GASNET_HERE("gex_HSL_Lock", fl_gasnet_lock(__VA_ARGS__))
#define gex_HSL_Trylock(...) FL_GASNET_HERE("gex_HSL_Trylock", fl_gasnet_trylock(__VA_ARGS__))
#define gex_HSL_Unlock(...) FL_GASNET_HERE("gex_HSL_Unlock", fl_gasnet_unlock(__VA_ARGS__))
#define gex_HSL_Destroy(...) FL_GASNET_HERE("gex_HSL_Destroy", fl_gasnet_lock_destroy(__VA_ARGS__))

#include "gasnet_places_of_families.h"

#endif
