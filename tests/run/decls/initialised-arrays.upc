// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 5x1 7x1 2x2 2:4x1
// Initialisers of shared arrays whose sizes are known when the program starts: nested braces,
// designators, strings, structures, pointers, and values of which none but the first is certain
// to have an element.
#include "../../check.h"

enum { N = 4, INSIDE = 6 };
struct inside {
    int a, b;
};
struct pair {
    int x;
    double y[2];
};
static int own;
shared int target[THREADS];

shared int rows[2][THREADS] = {{1}, {2}};
shared [*] int star[N * THREADS] = {1, 2, [3] = 4};
shared [*] int star_rows[3][2 * THREADS] = {[1] = {5, 6}, {7}};
shared [2] int middle[2][N * THREADS][3] = {{{1, 2, 3}, {4}}, {[2] = {[1] = 5, 6}, {7, 8, 9}}};
shared int inner[THREADS][2] = {1, 2};
shared int ranges[3][N * THREADS] = {[0 ... 1] = {[1 ... 2] = 8}, [2][3] = 9};
shared [4] struct pair pairs[4 * THREADS] = {{1, {2, 3}}, [2] = {.y[1] = 4}, {5, 6, 7}};
shared [N] char text[N * THREADS] = "abc";
shared char full[N * THREADS] = {"full"};
shared [] char lines[3][8] = {"one", [2] = "three"};
shared [3] char words[2][8 * THREADS] = {"first", "second"};
shared int *shared pointers[THREADS] = {target};
shared [2] int *shared [3] blocked[2][3 * THREADS] = {{0, &middle[1][0][0]}, {&middle[0][1][2]}};
shared void *shared any[2 * THREADS] = {&rows[1][0], 0};
int *shared privates[THREADS] = {&own};
shared const int constants[THREADS] = {11};
shared int zero[3][THREADS] = {0};
shared int empty[THREADS] = {};
shared double floats[THREADS][2][2] = {{{1, 2}, {3.5}}};
shared union {
    int i;
    float f;
} unions[2 * THREADS] = {{1}, {.f = 2}};
int (*shared functions[THREADS])(void) = {check_done};

static int count(void)
{
    static shared int calls[2][THREADS] = {{3}, {4}};
    static shared [2] struct inside local[2 * THREADS] = {{INSIDE}, {.b = sizeof(struct inside)}};
    upc_barrier;
    int sum = calls[0][0] + calls[1][0] + local[0].a + local[1].b + local[1].a;
    upc_barrier;
    if (MYTHREAD == 0)
        calls[0][0]++;
    upc_barrier;
    return sum;
}

int main(void)
{
    for (int t = 0; t < THREADS; t++) {
        CHECK_EQ(rows[0][t], t == 0);
        CHECK_EQ(rows[1][t], t == 0 ? 2 : 0);
        CHECK_EQ(inner[t][0] * 10 + inner[t][1], t == 0 ? 12 : 0);
        CHECK_EQ(zero[2][t] + empty[t], 0);
    }
    for (int i = 0; i < N * THREADS; i++) {
        CHECK_EQ(star[i], i == 0 ? 1 : i == 1 ? 2 : i == 3 ? 4 : 0);
        CHECK_EQ(ranges[0][i], i == 1 || i == 2 ? 8 : 0);
        CHECK_EQ(ranges[1][i], ranges[0][i]);
        CHECK_EQ(ranges[2][i], i == 3 ? 9 : 0);
        for (int k = 0; k < 3; k++) {
            static const int first[2][3] = {{1, 2, 3}, {4, 0, 0}};
            static const int second[4][3] = {[2] = {0, 5, 6}, {7, 8, 9}};
            CHECK_EQ(middle[0][i][k], i < 2 ? first[i][k] : 0);
            CHECK_EQ(middle[1][i][k], i < 4 ? second[i][k] : 0);
        }
        CHECK_EQ(text[i], i < 3 ? "abc"[i] : 0);
        CHECK_EQ(full[i], i < 4 ? "full"[i] : 0);
    }
    for (int i = 0; i < 2 * THREADS; i++) {
        CHECK_EQ(star_rows[0][i], 0);
        CHECK_EQ(star_rows[1][i], i == 0 ? 5 : i == 1 ? 6 : 0);
        CHECK_EQ(star_rows[2][i], i == 0 ? 7 : 0);
    }
    CHECK_EQ(upc_blocksizeof(star_rows), 6);
    CHECK_EQ(pairs[0].x + pairs[0].y[1] + pairs[2].y[1] + pairs[3].y[0], 1 + 3 + 4 + 6);
    CHECK_EQ(pairs[1].x + pairs[2].x + pairs[4 * THREADS - 1].y[1], THREADS == 1 ? 7 : 0);
    CHECK_EQ(lines[0][0] + lines[1][0] + lines[2][4], 'o' + 'e');
    for (int i = 0; i < 8 * THREADS; i++) {
        CHECK_EQ(words[0][i], i < 5 ? "first"[i] : 0);
        CHECK_EQ(words[1][i], i < 6 ? "second"[i] : 0);
    }
    CHECK(pointers[0] == target && blocked[0][1] == &middle[1][0][0]);
    CHECK(blocked[1][0] == &middle[0][1][2] && blocked[0][2] == NULL);
    CHECK_EQ(*blocked[0][1] + *blocked[1][0], 0);
    CHECK(any[0] == &rows[1][0]);
    if (MYTHREAD == 0)
        CHECK(privates[0] == &own && functions[0] == check_done);
    CHECK_EQ(constants[0], 11);
    CHECK(floats[0][0][1] == 2 && floats[0][1][0] == 3.5 && floats[THREADS - 1][1][1] == 0);
    CHECK_EQ(unions[0].i + (int)unions[1].f, 3);
    CHECK_EQ(count(), 3 + 4 + 6 + (int)(2 * sizeof(int)));
    CHECK_EQ(count(), 4 + 4 + 6 + (int)(2 * sizeof(int)));
    return check_done();
}
