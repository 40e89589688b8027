// SPDX-License-Identifier: BSD-3-Clause
//@ static-threads: 4
//@ mappings: 4x1 1x4 2x2
/* Game of life on a torus in the static environment, with `[*]`: a glider and an R-pentomino are
 * compared with a private board after each generation. */
#include <stdio.h>
#include <string.h>
#include <upc.h>
#pragma upc relaxed

#define W 40
#define H 24
#define WRAP(x, n) (((x) + (n)) % (n))

shared [*] unsigned char world[2][H][W];
static unsigned char board[2][H][W];
static const char *const start[] = {".#.....", "..#....", "###..##", "....##.", ".....#."};

static int rule(int alive, int neighbours)
{
    return neighbours == 3 || (alive && neighbours == 2);
}

#define COUNT(w, y, x)                                                                        \
    (w[WRAP((y) - 1, H)][WRAP((x) - 1, W)] + w[WRAP((y) - 1, H)][x] +                         \
     w[WRAP((y) - 1, H)][WRAP((x) + 1, W)] + w[y][WRAP((x) - 1, W)] + w[y][WRAP((x) + 1, W)] +  \
     w[WRAP((y) + 1, H)][WRAP((x) - 1, W)] + w[WRAP((y) + 1, H)][x] +                         \
     w[WRAP((y) + 1, H)][WRAP((x) + 1, W)])

int main(void)
{
    int y, x, g;
    for (y = 0; y < 5; y++)
        for (x = 0; x < 7; x++)
            board[0][y + 6][x + 9] = start[y][x] == '#';
    if (MYTHREAD == THREADS / 2)
        for (y = 0; y < H; y++)
            for (x = 0; x < W; x++)
                world[0][y][x] = board[0][y][x];
    upc_barrier;

    for (g = 0; g < 60; g++) {
        int now = g & 1, next = !now;
        for (y = 0; y < H; y++)
            upc_forall (x = 0; x < W; ++x; &world[next][y][x])
                world[next][y][x] = rule(world[now][y][x], COUNT(world[now], y, x));
        upc_notify g;
        for (y = 0; y < H; y++)
            for (x = 0; x < W; x++)
                board[next][y][x] = rule(board[now][y][x], COUNT(board[now], y, x));
        upc_wait g;
        for (y = MYTHREAD; y < H; y += THREADS)
            for (x = 0; x < W; x++)
                if (world[next][y][x] != board[next][y][x]) {
                    printf("generation %d, row %d, column %d\n", g + 1, y, x);
                    upc_global_exit(1);
                }
        upc_barrier;
    }
    if (MYTHREAD == 0)
        printf("ok\n");
    return 0;
}
