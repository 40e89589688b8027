// SPDX-License-Identifier: BSD-3-Clause
/*
 * One column of a matrix of doubles into private memory and back, a box of a cube, and scattered
 * elements, by one call, against the loops that a program would write.
 */
#include "bench.h"
#include <upc_relaxed.h>

#define ROWS 4096
#define ROW 16
#define CUBE 32
#define BOX 8
#define LISTED 2048
#define ROUNDS 150

shared [] double matrix[ROWS * ROW], cube[CUBE * CUBE * CUBE];
static double column[ROWS], box[BOX * BOX * BOX], elements[LISTED];
static shared const void *list[LISTED];

BENCH_KERNEL static void get_column(void) {
    bupc_memget_fstrided(column, sizeof column, sizeof column, 1, &matrix[3], sizeof(double),
                         ROW * sizeof(double), ROWS);
}

BENCH_KERNEL static void get_column_loop(void) {
    for (int i = 0; i < ROWS; i++) {
        column[i] = matrix[3 + i * ROW];
    }
}

BENCH_KERNEL static void put_column(void) {
    bupc_memput_fstrided(&matrix[3], sizeof(double), ROW * sizeof(double), ROWS, column,
                         sizeof column, sizeof column, 1);
}

BENCH_KERNEL static void put_column_loop(void) {
    for (int i = 0; i < ROWS; i++) {
        matrix[3 + i * ROW] = column[i];
    }
}

BENCH_KERNEL static void get_box(void) {
    size_t count[] = {BOX * sizeof(double), BOX, BOX};
    size_t near[] = {BOX * sizeof(double), BOX * BOX * sizeof(double)};
    size_t far[] = {CUBE * sizeof(double), CUBE * CUBE * sizeof(double)};
    bupc_memget_strided(box, near, &cube[5], far, count, 2);
}

BENCH_KERNEL static void get_box_loop(void) {
    for (int z = 0; z < BOX; z++) {
        for (int y = 0; y < BOX; y++) {
            upc_memget(&box[(z * BOX + y) * BOX], &cube[5 + (z * CUBE + y) * CUBE],
                       BOX * sizeof(double));
        }
    }
}

BENCH_KERNEL static void get_list(void) {
    void *to = elements;
    bupc_memget_ilist(1, &to, sizeof elements, LISTED, list, sizeof(double));
}

BENCH_KERNEL static void get_list_loop(void) {
    for (int i = 0; i < LISTED; i++) {
        upc_memget(&elements[i], list[i], sizeof(double));
    }
}

/* Of an element of `matrix` or `cube`, changed by each check: what was got before is not right now. */
static double next_value = 1;

static void fill(void) {
    for (int i = 0; i < ROWS * ROW; i++) {
        matrix[i] = next_value++;
    }
    for (int i = 0; i < CUBE * CUBE * CUBE; i++) {
        cube[i] = next_value++;
    }
    for (int i = 0; i < ROWS; i++) {
        column[i] = next_value++;
    }
}

/* What the call has moved, element by element. */
static int is_right(void (*call)(void)) {
    int wrong = 0;
    for (int i = 0; i < ROWS && (call == get_column || call == put_column); i++) {
        wrong += column[i] != matrix[3 + i * ROW];
    }
    for (int i = 0; i < BOX * BOX * BOX && call == get_box; i++) {
        int x = i % BOX, y = i / BOX % BOX, z = i / BOX / BOX;
        wrong += box[i] != cube[5 + (z * CUBE + y) * CUBE + x];
    }
    for (int i = 0; i < LISTED && call == get_list; i++) {
        wrong += elements[i] != cube[i * 37 % (CUBE * CUBE * CUBE)];
    }
    return wrong == 0;
}

static void measure(const char *name, double bytes, void (*call)(void), void (*loop)(void)) {
    struct bench_times times = {{0}, 0}, reference = {{0}, 0};
    fill();
    call();
    bench_check(is_right(call), "%s: elements differ", name);
    fill();
    loop();
    bench_check(is_right(call), "%s: elements of the loop differ", name);
    for (int round = 0; round < ROUNDS; round++) {
        double begin = bench_now();
        for (int i = 0; i < 16; i++) {
            call();
        }
        double middle = bench_now();
        for (int i = 0; i < 16; i++) {
            loop();
        }
        bench_add(&times, (middle - begin) / 16);
        bench_add(&reference, (bench_now() - middle) / 16);
    }
    bench_rate(name, "GB/s", bytes * 1e-9, &times, &reference);
}

int main(void) {
    if (MYTHREAD != 0) {
        return 0;
    }
    for (int i = 0; i < LISTED; i++) {
        list[i] = &cube[i * 37 % (CUBE * CUBE * CUBE)];
    }
    measure("strided-get-column", sizeof column, get_column, get_column_loop);
    measure("strided-put-column", sizeof column, put_column, put_column_loop);
    measure("strided-get-box", sizeof box, get_box, get_box_loop);
    measure("strided-get-list", sizeof elements, get_list, get_list_loop);
    return 0;
}
