// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 3:3x1 2:2x2
//@ flags: -O3
// What a loop needs is evaluated where the loop evaluates it, as often as it does, and in the types it has:
// pointers and divisors that the body asks for first, bounds and steps that change, loops of no iteration.
#include <limits.h>
#include <upc_relaxed.h>
#include "../hosts/expect.h"

#define ALL (N * THREADS)
enum { BLOCK = 8, N = 64 };

struct grid {
    int n, offset;
    shared [BLOCK] int *a;
    struct grid *next;
};
union place {
    shared [BLOCK] int *a;
    shared [BLOCK] double *d;
};

static shared [BLOCK] int x[N * THREADS], y[N * THREADS];
static shared [BLOCK] int m[THREADS][BLOCK];
static shared int shared_step;
static struct grid global;
static int divisor;

static int others_part(int n)
{
    int own = 0;
    for (int i = 0; i < n; i++)
        own += i / BLOCK % THREADS == MYTHREAD;
    return own;
}

static void asked_first(struct grid *g, int d)
{
    int i, sum = 0, made = 0;
    upc_forall (i = 0; i < ALL; i++; &y[i]) {
        made++;
        if (g)
            y[i] = g->a[i];
        if (d)
            sum += x[i + 10 / d];
    }
    for (i = 0; i < N; i++)
        if (g)
            sum += x[i + g->offset];
    for (i = 0; i < N; i++)
        if (d)
            sum += x[i + 10 / d];
    expect("made", made, others_part(ALL));
    expect("sum", sum, 0);
    struct grid one = {ALL, 0, x, 0};
    upc_forall (i = 0; i < one.n; i++; &one.a[i])
        if (one.next)
            sum += one.next->a[i];
    expect("no next one", sum, 0);
}

static void of_nothing(struct grid *g, int n)
{
    int i, sum = 0;
    upc_forall (i = 0; i < n; i++; &x[i + g->offset])
        sum++;
    for (i = 0; i < n; i += g->offset)
        sum++;
    for (i = 0; i < n; i++)
        sum += m[i][g->offset];
    expect("nothing", sum, 0);
    long most = LONG_MAX;
    upc_forall (long k = most; k < n + 3; k++; &x[k])
        sum++;
    expect("beyond all", sum, 0);
}

static void of_their_types(unsigned none, long large)
{
    int i, made = 0;
    upc_forall (i = none - 1; i >= 0; i--; &x[i])
        made++;
    for (i = none - 1; i >= 0; i--)
        made += x[i];
    expect("downwards from -1", made, 0);
    made = 0;
    for (i = none - 1; i < 10; i++)
        made++;
    expect("upwards from -1", made, 11);
    made = 0;
    for (i = 0; i < N; i += large) /* by 1 */
        if (upc_threadof(&x[i]) == MYTHREAD)
            made++;
    expect("steps that are made narrower", made, others_part(N));
    made = 0;
    for (i = 0; i < N; i += 2 + -5 / 10u % 2)
        made += x[i] + 1;
    expect("unsigned constants", made, (N + 2 + -5 / 10u % 2 - 1) / (2 + -5 / 10u % 2));
}

static void change_pointer(shared [BLOCK] int *a)
{
    global.a = a;
}

/* Each loop writes in its first half to x, and then to y. */
static void expect_halves(const char *what)
{
    for (int i = 0; i < N; i++) {
        expect(what, x[i], i <= N / 2);
        expect(what, y[i], i > N / 2);
        x[i] = y[i] = 0;
    }
}

static void changed_by_name(void)
{
    struct grid *g = &global, other = {N, 0, y, 0};
    union place place = {.a = x}, *p = &place, to_y = {.a = y};
    shared [BLOCK] int *pointers[2] = {x, y}, **first = pointers;
    int i, numbers[2] = {N, N}, *n = numbers, made = 0;
    global = (struct grid){N, 0, x, 0};
    for (i = 0; i < N; i++) {
        g->a[i] = 1;
        if (i == N / 2)
            global.a = y;
    }
    expect_halves("a member");
    global.a = x;
    for (i = 0; i < N; i++) {
        g->a[i] = 1;
        if (i == N / 2)
            global = other;
    }
    expect_halves("all of it");
    global.a = x;
    for (i = 0; i < N; i++) {
        g->a[i] = 1;
        if (i == N / 2)
            change_pointer(y);
    }
    expect_halves("by a call");
    for (i = 0; i < N; i++) {
        first[0][i] = 1;
        if (i == N / 2)
            pointers[0] = y;
    }
    expect_halves("an element");
    for (i = 0; i < N; i++) {
        p->a[i] = 1;
        if (i == N / 2)
            p->d = to_y.d;
    }
    expect_halves("a union");
    for (i = 0; i < n[1]; i++) {
        made++;
        if (i == 10)
            numbers[1] = 20;
    }
    expect("a bound", made, 20);
}

static void set_step(int step)
{
    shared_step = step;
}

static void with_effects(void)
{
    int i, made = 0;
    shared_step = 1;
    for (i = 0; i < N; i += shared_step) {
        made++;
        if (i == 10)
            shared_step = 5;
    }
    expect("a step that is written", made, 11 + (N - 15 + 4) / 5);
    shared_step = 1;
    made = 0;
    for (i = 0; i < N; i += shared_step) {
        made++;
        if (i == 10)
            set_step(5);
    }
    expect("a step that a call writes", made, 11 + (N - 15 + 4) / 5);
    made = 0;
    for (i = 0; i < N; i++) {
        if (upc_threadof(&x[i]) != MYTHREAD)
            continue;
        made++;
        ({ if (i >= 20) break; 1; });
    }
    expect("a break in an expression", i >= 20 && i < N && made == others_part(i + 1), 1);
}

int main(void)
{
    asked_first(0, divisor);
    of_nothing(0, 0);
    of_their_types(0, (1L << 32) + 1);
    upc_barrier;
    if (MYTHREAD == 0) {
        changed_by_name();
        with_effects();
    }
    upc_barrier;
    return MYTHREAD == 0 ? done() : wrong;
}
