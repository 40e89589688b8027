// SPDX-License-Identifier: BSD-3-Clause
// A flush leaves what is in registers, the first one of the program, too.
#include <stdio.h>

enum { N = 1000 };

// More variables that live across the flush than there are registers.
__attribute__((noinline)) static unsigned long mixed(unsigned long a, unsigned long b, int flush) {
    unsigned long c = a + b, d = a * 3, e = b * 5, f = a ^ b, g = c + 7, h = d ^ 9, i = e + 11;
    unsigned long j = f * 13, k = g ^ 17, l = h + 19, m = i * 21, n = j ^ 23;
    for (unsigned long round = 0; round < N; round++) {
        if (flush) {
#pragma omp flush
        }
        a += b ^ n, b += c ^ a, c += d ^ b, d += e ^ c, e += f ^ d, f += g ^ e, g += h ^ f;
        h += i ^ g, i += j ^ h, j += k ^ i, k += l ^ j, l += m ^ k, m += n ^ l, n += a ^ m;
    }
    return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ i ^ j ^ k ^ l ^ m ^ n;
}

int main(void) {
    unsigned long with = mixed(1, 2, 1), without = mixed(1, 2, 0);
    puts(with == without ? "ok" : "registers have changed");
    return with != without;
}
