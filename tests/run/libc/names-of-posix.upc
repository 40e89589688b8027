// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2x2 2:4x1
// Functions with names that POSIX has and C has not: no header here declares them, so they are free.
#include <stdio.h>
#include <upc_relaxed.h>

shared int box[THREADS];
static int sent;

int send(int to, int value)
{
    box[to] = value;
    return ++sent;
}

int recv(int from)
{
    return box[from];
}

int open(int door) { return door; }
int close(int door) { return -door; }
int read(void) { return 8; }
int write(int value) { return value; }
int access(int row, int column) { return 10 * row + column; }
int dup(int value) { return 2 * value; }
int kill(int lives) { return lives - 1; }
int mkdir(int n) { return n; }
int unlink(int n) { return n + 1; }
int poll(void) { return 7; }
void pause(void) {}

int main(void)
{
    send((MYTHREAD + 1) % THREADS, MYTHREAD);
    upc_barrier;
    pause();
    int sum = open(1) + close(1) + read() + write(2) + access(3, 4) + dup(5) + kill(6) + mkdir(7) +
              unlink(8) + poll();
    if (recv(MYTHREAD) != (MYTHREAD + THREADS - 1) % THREADS || sum != 8 + 2 + 34 + 10 + 5 + 7 + 9 + 7)
        upc_global_exit(1);
    upc_barrier;
    if (MYTHREAD == 0)
        printf("ok\n");
    return 0;
}
