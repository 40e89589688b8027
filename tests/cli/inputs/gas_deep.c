/* SPDX-License-Identifier: BSD-3-Clause */
/* Over hosts: handlers that need more stack than a fiber has, while collective operations wait for
 * room on a way that another thread's puts keep full. */
#include <furlong/gas.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEP = 1, ANSWER, STACK = 1 << 20, BLOCK = 100000, FULL = 8 << 20, ROUNDS = 100 };

static unsigned long answers;
static int over;

static int use_stack(void) {
    volatile char stack[STACK];
    for (size_t i = 0; i < STACK; i += 1024) {
        stack[i] = 1;
    }
    return stack[1024];
}

static void deep(gas_token_t token, const uint32_t *args, unsigned n, void *payload, size_t bytes) {
    (void)args, (void)n, (void)payload, (void)bytes;
    if (use_stack()) {
        gas_reply_short(token, ANSWER, GAS_NO_ARGS);
    }
}

static void answer(gas_token_t token, const uint32_t *args, unsigned n, void *payload,
                   size_t bytes) {
    (void)token, (void)args, (void)n, (void)payload, (void)bytes;
    __atomic_fetch_add(&answers, use_stack(), __ATOMIC_RELEASE);
}

static gas_rank_t next(void) {
    return (gas_rank() + 1) % gas_size();
}

static void *fill(void *bytes) {
    while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE)) {
        gas_put(gas_segment_of(next(), NULL), bytes, FULL);
    }
    return NULL;
}

int main(void) {
    static unsigned char bytes[FULL], block[BLOCK];
    void *segment;
    pthread_t thread;
    int wrong = 0;
    gas_init(GAS_THREADS);
    gas_register(DEEP, deep);
    gas_register(ANSWER, answer);
    gas_segment_attach(&segment, FULL);
    gas_barrier();
    pthread_create(&thread, NULL, fill, bytes);
    for (unsigned r = 0; r < ROUNDS; r++) {
        gas_rank_t root = r % gas_size();
        memset(block, root == gas_rank() ? (int)r : 0, BLOCK);
        gas_request_short(next(), DEEP, 0, GAS_NO_ARGS);
        gas_event_wait(gas_team_broadcast_nb(GAS_TEAM_ALL, root, block, block, BLOCK));
        wrong += block[0] != (unsigned char)r || block[BLOCK - 1] != (unsigned char)r;
    }
    GAS_BLOCK_UNTIL(__atomic_load_n(&answers, __ATOMIC_ACQUIRE) == ROUNDS);
    __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
    pthread_join(thread, NULL);
    gas_barrier();
    if (gas_rank() == 0) {
        printf("%d wrong\n", wrong);
    }
    gas_finish();
}
