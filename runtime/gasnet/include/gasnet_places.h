/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The debug build: macros that note the place of a call before it, so that an error can name it. A
 * macro's name inside its own expansion is the function. Those of functions with a number or a type
 * in their names come from stage.sh.
 */
#ifndef GASNET_PLACES_H
#define GASNET_PLACES_H

#ifdef __cplusplus
extern "C"
#endif
void fl_gasnet_here(const char *function, const char *file, int line);

#define FL_GASNET_HERE(name, call) (fl_gasnet_here(name, __FILE__, __LINE__), call)

#define gex_RMA_PutBlocking(...) FL_GASNET_HERE("gex_RMA_PutBlocking", gex_RMA_PutBlocking(__VA_ARGS__))
#define gex_RMA_PutNB(...) FL_GASNET_HERE("gex_RMA_PutNB", gex_RMA_PutNB(__VA_ARGS__))
#define gex_RMA_PutNBI(...) FL_GASNET_HERE("gex_RMA_PutNBI", gex_RMA_PutNBI(__VA_ARGS__))
#define gex_RMA_GetBlocking(...) FL_GASNET_HERE("gex_RMA_GetBlocking", gex_RMA_GetBlocking(__VA_ARGS__))
#define gex_RMA_GetNB(...) FL_GASNET_HERE("gex_RMA_GetNB", gex_RMA_GetNB(__VA_ARGS__))
#define gex_RMA_GetNBI(...) FL_GASNET_HERE("gex_RMA_GetNBI", gex_RMA_GetNBI(__VA_ARGS__))
#define gasnet_AMPoll() FL_GASNET_HERE("gasnet_AMPoll", gasnet_AMPoll())
#define gex_Event_Test(...) FL_GASNET_HERE("gex_Event_Test", gex_Event_Test(__VA_ARGS__))
#define gex_Event_Wait(...) FL_GASNET_HERE("gex_Event_Wait", gex_Event_Wait(__VA_ARGS__))
#define gex_Segment_Attach(...) FL_GASNET_HERE("gex_Segment_Attach", gex_Segment_Attach(__VA_ARGS__))
#define gex_EP_RegisterHandlers(...) FL_GASNET_HERE("gex_EP_RegisterHandlers", gex_EP_RegisterHandlers(__VA_ARGS__))
#define gex_TM_Split(...) FL_GASNET_HERE("gex_TM_Split", gex_TM_Split(__VA_ARGS__))
#define gex_TM_Create(...) FL_GASNET_HERE("gex_TM_Create", gex_TM_Create(__VA_ARGS__))
#define gex_TM_Destroy(...) FL_GASNET_HERE("gex_TM_Destroy", gex_TM_Destroy(__VA_ARGS__))
#define gex_Coll_BarrierNB(...) FL_GASNET_HERE("gex_Coll_BarrierNB", gex_Coll_BarrierNB(__VA_ARGS__))
#define gex_TM_Pair(...) FL_GASNET_HERE("gex_TM_Pair", gex_TM_Pair(__VA_ARGS__))
#define gex_NBI_Wait(...) FL_GASNET_HERE("gex_NBI_Wait", gex_NBI_Wait(__VA_ARGS__))

#include "gasnet_places_of_families.h"

#endif
