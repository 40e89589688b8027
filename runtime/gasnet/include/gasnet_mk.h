/* SPDX-License-Identifier: BSD-3-Clause */
/* Kinds of memory: only the host's. There are no device classes (no GASNET_HAVE_MK_CLASS_ macro is
 * defined), and gex_MK_Create returns an error. */
#ifndef GASNET_MK_H
#define GASNET_MK_H

#include "gasnetex.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef enum {
    GEX_MK_CLASS_HOST = 0,
    GEX_MK_CLASS_CUDA_UVA = 1,
    GEX_MK_CLASS_HIP = 2,
    GEX_MK_CLASS_ZE = 3
} gex_MK_Class_t;

typedef struct {
    uint64_t gex_flags;
    gex_MK_Class_t gex_class;
    union {
        struct {
            int gex_CUdevice;
        } gex_class_cuda_uva;
        struct {
            int gex_hipDevice;
        } gex_class_hip;
        struct {
            void *gex_zeDevice, *gex_zeContext;
            uint32_t gex_zeMemoryOrdinal;
        } gex_class_ze;
    } gex_args;
} gex_MK_Create_args_t;

int gex_MK_Create(gex_MK_t *kind_p, gex_Client_t client, const gex_MK_Create_args_t *arguments,
                  gex_Flags_t flags);
void gex_MK_Destroy(gex_MK_t kind, gex_Flags_t flags);
gex_MK_Class_t gex_MK_QueryClass(gex_MK_t kind);
gex_Client_t gex_MK_QueryClient(gex_MK_t kind);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
