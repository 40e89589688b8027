/* SPDX-License-Identifier: BSD-3-Clause */
/* Remote atomic operations, on those of gas.h, whose bits differ. */
#include "gasnet/inside.h"
#include "gasnet/include/gasnet_ratomic.h"

#include <stdlib.h>

struct fl_gasnet_ad {
    const void *cdata;
    gas_ad_t domain;
    gex_TM_t tm;
    gex_DT_t type; /* 0: the domain has been destroyed */
    gex_OP_t ops;
    gex_Flags_t flags;
};

enum { OPERATIONS = 28 };

/* Indexed by the number of the operation's bit; 0: no such operation. */
static const gas_op_t gas_ops[OPERATIONS] = {
    [0] = GAS_OP_AND,   [1] = GAS_OP_OR,    [2] = GAS_OP_XOR,   [3] = GAS_OP_ADD,
    [4] = GAS_OP_SUB,   [5] = GAS_OP_MULT,  [6] = GAS_OP_MIN,   [7] = GAS_OP_MAX,
    [8] = GAS_OP_INC,   [9] = GAS_OP_DEC,   [10] = GAS_OP_SET,  [11] = GAS_OP_CAS,
    [15] = GAS_OP_FAND, [16] = GAS_OP_FOR,  [17] = GAS_OP_FXOR, [18] = GAS_OP_FADD,
    [19] = GAS_OP_FSUB, [20] = GAS_OP_FMULT, [21] = GAS_OP_FMIN, [22] = GAS_OP_FMAX,
    [23] = GAS_OP_FINC, [24] = GAS_OP_FDEC, [25] = GAS_OP_SWAP, [26] = GAS_OP_FCAS,
    [27] = GAS_OP_GET,
};
_Static_assert(GEX_OP_GET == 1u << (OPERATIONS - 1), "each bit has a place");

static gas_type_t gas_type(gex_DT_t type) {
    static const gas_type_t types[] = {GAS_I32, GAS_U32, GAS_I64, GAS_U64, GAS_FLT, GAS_DBL};
    unsigned bit = (unsigned)__builtin_ctz(type | 1u << 31);
    if (bit >= sizeof types / sizeof *types || type != 1u << bit) {
        fl_gasnet_misuse("gex_AD_Create", "the type is 0x%x", type);
    }
    return types[bit];
}

void gex_AD_Create(gex_AD_t *ad_p, gex_TM_t tm, gex_DT_t type, gex_OP_t ops, gex_Flags_t flags) {
    (void)fl_gasnet_team(tm, "gex_AD_Create");
    struct fl_gasnet_ad *ad = FL_ALLOCATED(calloc(1, sizeof *ad), "a domain of atomic operations");
    uint32_t gas = 0;
    for (unsigned bit = 0; bit < 32; bit++) {
        if (ops >> bit & 1) {
            if (bit >= OPERATIONS || !gas_ops[bit]) {
                fl_gasnet_misuse("gex_AD_Create", "operation 0x%x does not exist", 1u << bit);
            }
            gas |= gas_ops[bit];
        }
    }
    if (gas_ad_create(&ad->domain, gas_type(type), gas) != GAS_OK) {
        fl_gasnet_misuse("gex_AD_Create", "AND, OR and XOR are operations of integers");
    }
    ad->tm = tm;
    ad->type = type;
    ad->ops = ops;
    ad->flags = flags;
    *ad_p = ad;
}

static void check_domain(const char *function, gex_AD_t ad) {
    if (FL_UNLIKELY(!ad || !ad->type)) {
        fl_gasnet_misuse(function, "the domain %s", ad ? "has been destroyed" : "is GEX_AD_INVALID");
    }
}

void gex_AD_Destroy(gex_AD_t ad) {
    check_domain("gex_AD_Destroy", ad);
    ad->type = 0;
    gas_discard(ad);
}

gex_TM_t gex_AD_QueryTM(gex_AD_t ad) {
    return ad->tm;
}

gex_DT_t gex_AD_QueryDT(gex_AD_t ad) {
    return ad->type;
}

gex_OP_t gex_AD_QueryOps(gex_AD_t ad) {
    return ad->ops;
}

gex_Flags_t gex_AD_QueryFlags(gex_AD_t ad) {
    return ad->flags;
}

void gex_AD_SetCData(gex_AD_t ad, const void *value) {
    ad->cdata = value;
}

void *gex_AD_QueryCData(gex_AD_t ad) {
    return (void *)(uintptr_t)ad->cdata;
}

static gas_op_t check(gex_AD_t ad, gex_OP_t op, gex_DT_t type) {
    if (FL_UNLIKELY(type != ad->type || !(ad->ops & op) || (op & (op - 1)))) {
        check_domain("gex_AD_Op", ad);
        fl_gasnet_misuse("gex_AD_Op", "operation 0x%x on type 0x%x; the domain has the operations "
                                      "0x%x of type 0x%x", op, type, ad->ops, ad->type);
    }
    return gas_ops[__builtin_ctz(op)];
}

/* Of the debug build. */
void fl_gasnet_check_word(gex_AD_t ad, const void *result, gex_Rank_t rank, void *address,
                          size_t bytes, gex_OP_t op, gex_Flags_t flags) {
    check_domain(fl_gasnet_noted_function(), ad);
    gex_TM_t tm = flags & GEX_FLAG_RANK_IS_JOBRANK ? FL_GASNET_PAIR : ad->tm;
    fl_gasnet_check_range(tm, rank, address, bytes);
    gas_rank_t jobrank = fl_gasnet_jobrank(tm, rank);
    bool is_own = jobrank == gas_rank();
    if ((flags & GEX_FLAG_AD_MY_RANK && !is_own) ||
        (flags & GEX_FLAG_AD_MY_NBRHD && gas_host_of(jobrank) != gas_host_of(gas_rank()))) {
        fl_gasnet_misuse(fl_gasnet_noted_function(),
                         "the flags say that the word is the caller's or its host's, and it is "
                         "that of rank %u of the job", jobrank);
    }
    if (op >= GEX_OP_FAND && op <= GEX_OP_GET && !result) {
        fl_gasnet_misuse(fl_gasnet_noted_function(),
                         "operation 0x%x fetches, and there is no memory for its result", op);
    }
}

/* The address alone identifies the word. All operations are sequentially consistent, which is at
 * least the order that any flag requests. */
gex_Event_t fl_gasnet_ad_nb(gex_AD_t ad, void *result, gex_Rank_t rank, void *address, gex_OP_t op,
                            const void *a, const void *b, gex_DT_t type, gex_Flags_t flags) {
    (void)rank, (void)flags;
    return gas_ad_op_nb(&ad->domain, result, address, check(ad, op, type), a, b);
}

int fl_gasnet_ad_nbi(gex_AD_t ad, void *result, gex_Rank_t rank, void *address, gex_OP_t op,
                     const void *a, const void *b, gex_DT_t type, gex_Flags_t flags) {
    (void)rank, (void)flags;
    gas_ad_op_nbi(&ad->domain, result, address, check(ad, op, type), a, b);
    return GASNET_OK;
}
