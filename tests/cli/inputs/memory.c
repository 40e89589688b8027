// SPDX-License-Identifier: BSD-3-Clause
/*
 * What the communication layer, its transport included, takes of each process's memory: when it has
 * started, and when everyone has sent something to everyone; and what it would take of 1,024
 * processes, when what the second adds grows with their number.
 */
#include <furlong/gas.h>
#include <stdio.h>

enum { MOST_KIB = 64 << 10, MANY = 1024, BYTES = 64 << 10, HELLO = 1 };

static unsigned char bytes[BYTES];
static unsigned heard;

static void hello(gas_token_t token, const uint32_t *args, unsigned n_args, void *payload,
                  size_t n_bytes) {
    (void)token, (void)args, (void)n_args, (void)payload, (void)n_bytes;
    heard++;
}

/* Memory of this process; of what it shares, its part. */
static long taken_kib(void) {
    FILE *file = fopen("/proc/self/smaps_rollup", "r");
    char line[256];
    long kib = -1;
    while (file && kib < 0 && fgets(line, sizeof line, file)) {
        (void)sscanf(line, "Pss: %ld", &kib);
    }
    if (file) {
        fclose(file);
    }
    return kib;
}

int main(void) {
    long before = taken_kib();
    void *segment;
    gas_init(0);
    gas_register(HELLO, hello);
    gas_segment_attach(&segment, BYTES);
    for (size_t i = 0; i < BYTES; i += 4096) {
        ((unsigned char *)segment)[i] = 1; /* the user's, whoever touches it first */
    }
    long started = taken_kib();
    for (gas_rank_t i = 1; i < gas_size(); i++) {
        gas_rank_t to = (gas_rank() + i) % gas_size();
        gas_request_medium(to, HELLO, bytes, 1000, 0, GAS_NO_ARGS);
        gas_put_nbi(gas_segment_of(to, NULL), bytes, BYTES);
    }
    gas_nbi_wait();
    GAS_BLOCK_UNTIL(heard == gas_size() - 1);
    gas_barrier();
    long talked = taken_kib();
    long most = started - before + (talked - started) * MANY / (long)gas_size();
    if (before < 0 || talked - before > MOST_KIB || most > MOST_KIB) {
        printf("rank %u: %ld KiB, then %ld, and %ld of %d processes\n", gas_rank(),
               started - before, talked - before, most, MANY);
    }
    gas_barrier();
    if (gas_rank() == 0) {
        printf("%u processes\n", gas_size());
    }
    gas_finish();
}
