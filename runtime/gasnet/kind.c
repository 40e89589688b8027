/* SPDX-License-Identifier: BSD-3-Clause */
/* Kinds of memory: only GEX_MK_HOST, which is a number and not an object. */
#include "gasnet/inside.h"
#include "gasnet/include/gasnet_mk.h"



int gex_MK_Create(gex_MK_t *kind_p, gex_Client_t client, const gex_MK_Create_args_t *arguments,
                  gex_Flags_t flags) {
    (void)kind_p, (void)client, (void)flags;
    return fl_gasnet_refuse(GASNET_ERR_BAD_ARG, "gex_MK_Create",
                            "class %d: memory of devices cannot be reached by this library",
                            (int)arguments->gex_class);
}

void gex_MK_Destroy(gex_MK_t kind, gex_Flags_t flags) {
    (void)kind, (void)flags;
}

gex_MK_Class_t gex_MK_QueryClass(gex_MK_t kind) {
    (void)kind;
    return GEX_MK_CLASS_HOST;
}

gex_Client_t gex_MK_QueryClient(gex_MK_t kind) {
    (void)kind;
    return &fl_gasnet.client;
}

gex_Flags_t gex_MK_QueryFlags(gex_MK_t kind) {
    (void)kind;
    return 0;
}

void gex_MK_SetCData(gex_MK_t kind, const void *value) {
    (void)kind;
    fl_gasnet.kind_cdata = value;
}

void *gex_MK_QueryCData(gex_MK_t kind) {
    (void)kind;
    return (void *)(uintptr_t)fl_gasnet.kind_cdata;
}
