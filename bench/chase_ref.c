// SPDX-License-Identifier: BSD-3-Clause
/* The C side of chase.upc. */

struct plain {
    struct plain *next;
    long value;
};

long chase_ref(struct plain *p, long n);

long chase_ref(struct plain *p, long n) {
    long sum = 0;
    for (; n > 0; n--) {
        sum += p->value;
        p = p->next;
    }
    return sum;
}
