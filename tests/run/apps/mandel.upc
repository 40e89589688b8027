// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x4 2x2
/* Mandelbrot rows handed out by a locked counter; the picture lies in shared rows of bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>

enum { WIDTH = 60, HEIGHT = 40, LIMIT = 200 };
#define ROWS_PER_THREAD ((HEIGHT + THREADS - 1) / THREADS)

typedef unsigned char pixel;
shared [WIDTH] pixel *picture;
shared int next_row = 0;
shared int drawn[THREADS];
upc_lock_t *lock;

static int iterations(int px, int py)
{
    double cx = -2.2 + 3.2 * px / WIDTH, cy = -1.2 + 2.4 * py / HEIGHT, x = 0, y = 0;
    int n;
    for (n = 0; n < LIMIT && x * x + y * y < 4; n++) {
        double t = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = t;
    }
    return n;
}

static int take_row(void)
{
    int mine;
    upc_lock(lock);
    mine = next_row++;
    upc_unlock(lock);
    return mine;
}

int main(int argc, char *argv[])
{
    int row, x, sum = 0;
    pixel line[WIDTH];
    picture = upc_all_alloc(HEIGHT, WIDTH * sizeof(pixel));
    lock = upc_all_lock_alloc();

    while ((row = take_row()) < HEIGHT) {
        for (x = 0; x < WIDTH; x++)
            line[x] = iterations(x, row);
        upc_memput(picture + row * WIDTH, line, sizeof(line));
        drawn[MYTHREAD]++;
    }
    upc_barrier;
    if (MYTHREAD == 0) {
        for (row = 0; row < THREADS; row++)
            sum += drawn[row];
        for (row = 0; row < HEIGHT; row++)
            for (x = 0; x < WIDTH; x++)
                if (picture[row * WIDTH + x] != (pixel)iterations(x, row))
                    printf("(%d, %d) is wrong\n", x, row), exit(1);
        if (sum != HEIGHT || next_row != HEIGHT + THREADS)
            printf("%d rows drawn, counter at %d\n", sum, next_row), exit(1);
        printf("ok\n");
    }
    upc_barrier;
    if (MYTHREAD == 0) {
        upc_free(picture);
        upc_lock_free(lock);
    }
    return 0;
}
