// SPDX-License-Identifier: BSD-3-Clause
// Shared unions, their members, unions in structures, anonymous ones.
#include "../../check.h"

typedef union { int i; float f; unsigned char bytes[8]; struct { short lo, hi; } halves; } any;
struct tagged { enum { INT, TEXT } kind; union { int number; char text[12]; }; };
shared [3] any u[4 * THREADS];
shared struct tagged t[2 * THREADS];

int main(void)
{
    for (int e = MYTHREAD; e < 4 * THREADS; e += THREADS) {
        u[e].i = 0x01020304;
        CHECK_EQ(u[e].bytes[0] + u[e].bytes[3], 5);
        CHECK_EQ(u[e].halves.lo * 0x10000 + u[e].halves.hi, 0x03040102);
        u[e].halves.hi++;
        CHECK_EQ(u[e].i, 0x01030304);
        u[e].f = 1;
        CHECK_EQ(u[e].i, 0x3f800000);
        any copy = u[e];
        copy.bytes[7] = 9;
        u[e] = copy;
        CHECK_EQ(u[e].bytes[7], 9);
    }
    for (int e = MYTHREAD; e < 2 * THREADS; e += THREADS) {
        t[e].kind = TEXT;
        for (int i = 0; i < 12; i++)
            t[e].text[i] = "hello world"[i];
        struct tagged local = t[e];
        CHECK(local.kind == TEXT && strcmp(local.text, "hello world") == 0);
        t[e].number = 77;
        CHECK_EQ(t[e].number, 77);
    }
    return check_done();
}
