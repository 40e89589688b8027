/* SPDX-License-Identifier: BSD-3-Clause */
/* Tasks that depend on each other: chains, readers between writers, a grid, sets, omp_depend_t,
 * iterators, taskwait and undeferred tasks with dependences, random ones. */
#include "../inputs/check.h"

static void chain(void) {
    int x = 0, order = 1;
    for (int i = 0; i < 500; i++) {
#pragma omp task shared(x, order) firstprivate(i) depend(inout : x)
        {
            order &= x == i;
            x++;
        }
    }
#pragma omp taskwait
    CHECK(order && x == 500);
}

static void readers(void) {
    int x = 0, right = 1, readings = 0;
    for (int i = 1; i <= 40; i++) {
#pragma omp task shared(x) firstprivate(i) depend(out : x)
        x = i;
        for (int k = 0; k < 7; k++) {
#pragma omp task shared(x, right, readings) firstprivate(i) depend(in : x)
            {
                if (x != i) {
#pragma omp atomic write
                    right = 0;
                }
#pragma omp atomic
                readings++;
            }
        }
    }
#pragma omp taskwait
    CHECK(right && readings == 280);
}

static void grid(void) {
    enum { N = 24 };
    static int v[N][N];
    memset(v, 0, sizeof v);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            int *up = i ? &v[i - 1][j] : &v[i][j], *left = j ? &v[i][j - 1] : &v[i][j];
#pragma omp task shared(v) firstprivate(i, j) depend(in : *up, *left) depend(out : v[i][j])
            v[i][j] = (i ? v[i - 1][j] : 1) % 10007 + (j ? v[i][j - 1] : 0) % 10007 + 1;
        }
    }
#pragma omp taskwait
    static int w[N][N];
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            w[i][j] = (i ? w[i - 1][j] : 1) % 10007 + (j ? w[i][j - 1] : 0) % 10007 + 1;
            CHECK(v[i][j] == w[i][j]);
        }
    }
}

static void sets(void) {
    int x = 0, inside = 0, worst = 0, seen = -1;
    for (int i = 0; i < 30; i++) {
#pragma omp task shared(x, inside, worst) depend(mutexinoutset : x)
        {
            int now;
#pragma omp atomic capture
            now = ++inside;
            worst = now > worst ? now : worst;
            x++;
#pragma omp atomic
            inside--;
        }
    }
#pragma omp task shared(x, seen) depend(in : x)
    seen = x;
#pragma omp taskwait
    CHECK(seen == 30 && worst == 1);
}

static void objects(void) {
    int a = 0, b = 0, seen = 0;
    omp_depend_t writes_a, reads_a;
#pragma omp depobj(writes_a) depend(inout : a)
#pragma omp depobj(reads_a) depend(in : a)
#pragma omp task shared(a) depend(depobj : writes_a)
    a = 1;
#pragma omp task shared(a, b) depend(depobj : reads_a) depend(out : b)
    b = a + 1;
#pragma omp depobj(reads_a) update(inout)
#pragma omp task shared(a) depend(depobj : reads_a)
    a = 10;
#pragma omp task shared(a, b, seen) depend(in : a, b)
    seen = 100 * a + b;
#pragma omp taskwait
    CHECK(seen == 1002);
#pragma omp depobj(writes_a) destroy
#pragma omp depobj(reads_a) destroy
}

static void iterators(int n) {
    int v[n], sum = 0;
    for (int i = 0; i < n; i++) {
#pragma omp task shared(v) firstprivate(i) depend(out : v[i])
        v[i] = i;
    }
#pragma omp task shared(v, sum) firstprivate(n) depend(iterator(i = 0 : n), in : v[i])
    for (int i = 0; i < n; i++) {
        sum += v[i];
    }
#pragma omp taskwait
    CHECK(sum == n * (n - 1) / 2);
}

static void waits(void) {
    int a = 0, b = 0, c = 0;
#pragma omp task shared(a) depend(out : a)
    a = 1;
#pragma omp task shared(b) depend(out : b)
    b = 2;
#pragma omp taskwait depend(in : a)
    CHECK(a == 1);
#pragma omp task if (0) shared(b, c) depend(inout : b) depend(out : c)
    {
        CHECK(b == 2);
        c = 3;
    }
    CHECK(c == 3);
#pragma omp task shared(a, c) depend(in : c) depend(inout : a)
    a += c;
#pragma omp taskwait depend(out : a)
    CHECK(a == 4);
#pragma omp taskwait
}

/* The same address again and again, many of them, in one taskwait's time. */
static void many(void) {
    enum { N = 400 };
    static int v[N];
    memset(v, 0, sizeof v);
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < N; i++) {
#pragma omp task firstprivate(i, round) depend(inout : v[i]) depend(in : v[(i + 1) % N], v[i])
            v[i] = v[i] == round ? round + 1 : -1000;
        }
    }
#pragma omp taskwait
    for (int i = 0; i < N; i++) {
        CHECK(v[i] == 5);
    }
}

/* Short tasks, which their maker may execute at once, among some that take longer: each finds its
 * variables as those before it, in the order in which they are made, leave them. */
static void random_graph(unsigned seed) {
    enum { VARIABLES = 12, TASKS = 4000 };
    static int v[VARIABLES];
    int expected[VARIABLES] = {0};
    memset(v, 0, sizeof v);
    for (int i = 0; i < TASKS; i++) {
        seed = seed * 1103515245 + 12345;
        int a = (int)(seed >> 16) % VARIABLES, b = (a + 1 + (int)(seed >> 24) % 7) % VARIABLES;
        int at_a = expected[a], at_b = expected[b];
        int length = (seed >> 20) % 97 == 0 ? 20000 : (int)(seed >> 20) % 97;
        if ((seed >> 28) % 3 == 0) {
#pragma omp task firstprivate(a, b, at_a, at_b) depend(in : v[a], v[b])
            CHECK(v[a] == at_a && v[b] == at_b);
        } else {
#pragma omp task firstprivate(a, b, at_a, at_b, length) depend(in : v[b]) depend(inout : v[a])
            {
                CHECK(v[a] == at_a && v[b] == at_b);
                for (volatile int k = 0; k < length; k++) {
                }
                CHECK(v[a] == at_a && v[b] == at_b);
                v[a]++;
            }
            expected[a]++;
        }
    }
#pragma omp taskwait
    for (int i = 0; i < VARIABLES; i++) {
        CHECK(v[i] == expected[i]);
    }
}

static void all(void) {
    chain();
    readers();
    grid();
    sets();
    objects();
    iterators(33);
    waits();
    many();
    random_graph(1);
    random_graph(2);
}

int main(void) {
#pragma omp parallel
    {
#pragma omp single
        all();
        chain();
        readers();
        waits();
        iterators(5);
    }
    all();
    return result();
}
