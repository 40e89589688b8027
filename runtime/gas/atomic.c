/* SPDX-License-Identifier: BSD-3-Clause */
/* Remote atomic operations. A domain restricts the type and the operations. The CPUs of the word's
 * host perform every operation, through comm, so all domains are coherent with each other. */
#include "gas/inside.h"

#include <string.h>

static const struct {
    enum fl_comm_type type;
    uint8_t bytes;
    bool has_bits;
} types[] = {
    [GAS_I32] = {FL_COMM_I32, 4, true},  [GAS_U32] = {FL_COMM_U32, 4, true},
    [GAS_I64] = {FL_COMM_I64, 8, true},  [GAS_U64] = {FL_COMM_U64, 8, true},
    [GAS_FLT] = {FL_COMM_F32, 4, false}, [GAS_DBL] = {FL_COMM_F64, 8, false},
};

/* Indexed by the number of the operation's bit. */
static const struct {
    enum fl_comm_atomic what;
    bool fetches;
    uint8_t operands;
} operations[] = {
    {FL_COMM_SET, false, 1}, {FL_COMM_GET, true, 0},   {FL_COMM_SET, true, 1},
    {FL_COMM_CAS, false, 2}, {FL_COMM_CAS, true, 2},   {FL_COMM_ADD, false, 1},
    {FL_COMM_ADD, true, 1},  {FL_COMM_SUB, false, 1},  {FL_COMM_SUB, true, 1},
    {FL_COMM_INC, false, 0}, {FL_COMM_INC, true, 0},   {FL_COMM_DEC, false, 0},
    {FL_COMM_DEC, true, 0},  {FL_COMM_MULT, false, 1}, {FL_COMM_MULT, true, 1},
    {FL_COMM_MIN, false, 1}, {FL_COMM_MIN, true, 1},   {FL_COMM_MAX, false, 1},
    {FL_COMM_MAX, true, 1},  {FL_COMM_AND, false, 1},  {FL_COMM_AND, true, 1},
    {FL_COMM_OR, false, 1},  {FL_COMM_OR, true, 1},    {FL_COMM_XOR, false, 1},
    {FL_COMM_XOR, true, 1},
};
enum { N_OPERATIONS = sizeof operations / sizeof operations[0] };
_Static_assert(GAS_OP_FXOR == 1 << (N_OPERATIONS - 1), "each bit has an operation");

int gas_ad_create(gas_ad_t *domain_p, gas_type_t type, uint32_t ops) {
    const uint32_t bits = GAS_OP_AND | GAS_OP_FAND | GAS_OP_OR | GAS_OP_FOR | GAS_OP_XOR |
                          GAS_OP_FXOR;
    if ((unsigned)type > GAS_DBL || ops >> N_OPERATIONS != 0 ||
        (!types[type].has_bits && (ops & bits))) {
        return GAS_ERR_BAD_ARG;
    }
    *domain_p = (gas_ad_t){type, ops};
    return GAS_OK;
}

/* Loads 4 or 8 bytes. A memcpy of variable length would cost more than the operation. */
static uint64_t load(const void *p, size_t bytes) {
    uint32_t low;
    uint64_t bits;
    if (bytes == sizeof low) {
        memcpy(&low, p, sizeof low);
        return low;
    }
    memcpy(&bits, p, sizeof bits);
    return bits;
}

static void store(void *p, uint64_t bits, size_t bytes) {
    uint32_t low = (uint32_t)bits;
    if (bytes == sizeof low) {
        memcpy(p, &low, sizeof low);
    } else {
        memcpy(p, &bits, sizeof bits);
    }
}

static void check(const gas_ad_t *domain, const void *address, gas_op_t op) {
    unsigned bytes = types[domain->type].bytes;
    if (FL_UNLIKELY(!(domain->ops & op) || (op & (op - 1)))) {
        gas_misuse("an atomic operation that its domain does not have");
    }
    if (FL_UNLIKELY((uintptr_t)address % bytes != 0)) {
        gas_misuse("an atomic operation at %p, which is no multiple of the %u bytes of its type",
                   address, bytes);
    }
}

gas_event_t gas_ad_op_nb(const gas_ad_t *domain, void *result, void *address, gas_op_t op,
                         const void *a, const void *b) {
    unsigned bytes = types[domain->type].bytes;
    check(domain, address, op);
    unsigned i = (unsigned)__builtin_ctz(op);
    uint64_t first = operations[i].operands > 0 ? load(a, bytes) : 0;
    uint64_t second = operations[i].operands > 1 ? load(b, bytes) : 0;
    if (gas_is_here(address)) {
        uint64_t old = fl_comm_atomic(operations[i].what, types[domain->type].type,
                                      (uint64_t)(uintptr_t)address, first, second);
        if (operations[i].fetches) {
            store(result, old, bytes);
        }
        return GAS_EVENT_DONE;
    }
    struct gas_event *event = gas_event_new();
    event->result = operations[i].fetches ? result : NULL;
    event->bytes = bytes;
    fl_comm_atomic_nb(operations[i].what, types[domain->type].type, (uint64_t)(uintptr_t)address,
                      first, second, &event->value, &event->op);
    return gas_event_started(event);
}

void gas_ad_op_nbi(const gas_ad_t *domain, void *result, void *address, gas_op_t op, const void *a,
                   const void *b) {
    check(domain, address, op);
    unsigned i = (unsigned)__builtin_ctz(op);
    if (gas_is_here(address) || operations[i].fetches || operations[i].what == FL_COMM_CAS) {
        unsigned kind = operations[i].what == FL_COMM_GET ? GAS_NBI_GET : GAS_NBI_ATOMIC;
        gas_nbi_add_to(kind, gas_ad_op_nb(domain, result, address, op, a, b));
        return;
    }
    fl_comm_update_aggregated(FL_COMM_ATOMIC, operations[i].what, types[domain->type].type,
                              (uint64_t)(uintptr_t)address,
                              operations[i].operands ? load(a, types[domain->type].bytes) : 0,
                              gas_nbi_op(operations[i].what == FL_COMM_SET ? GAS_NBI_PUT
                                                                           : GAS_NBI_ATOMIC));
}
