/* SPDX-License-Identifier: BSD-3-Clause */
/* Queens on a board, by tasks: boards copied to tasks, solutions counted by thread-private counters,
 * by atomic updates and by a reduction over tasks; tasks that are final at some depth. */
#include "../inputs/check.h"

enum { N = 8, SOLUTIONS = 92, DEEP = 3 };

struct board {
    int rows;
    signed char column[N];
};

static int mine, in_all, by_atomic;
#pragma omp threadprivate(mine)

static int is_safe(const struct board *board, int column) {
    for (int i = 0; i < board->rows; i++) {
        int away = column - board->column[i];
        if (away == 0 || abs(away) == board->rows - i) {
            return 0;
        }
    }
    return 1;
}

static void count(struct board board) {
    if (board.rows == N) {
        mine++;
#pragma omp atomic
        by_atomic++;
        return;
    }
    for (int column = 0; column < N; column++) {
        if (is_safe(&board, column)) {
#pragma omp task untied firstprivate(board) if (board.rows < DEEP)
            {
                board.column[board.rows++] = (signed char)column;
                count(board);
            }
        }
    }
#pragma omp taskwait
}

static int by_reduction(const struct board *before) {
    int sum = before->rows == N;
    if (sum) {
        return sum;
    }
#pragma omp taskgroup task_reduction(+ : sum)
    for (int column = 0; column < N; column++) {
        if (is_safe(before, column)) {
#pragma omp task in_reduction(+ : sum) final(before->rows >= DEEP) mergeable
            {
                struct board board = *before;
                board.column[board.rows++] = (signed char)column;
                sum += by_reduction(&board);
            }
        }
    }
    return sum;
}

int main(void) {
    struct board empty = {0};
    int sum = 0;
#pragma omp parallel
    {
        mine = 0;
#pragma omp barrier
#pragma omp single
        count(empty);
#pragma omp atomic
        in_all += mine;
    }
    CHECK(in_all == SOLUTIONS && by_atomic == SOLUTIONS);
#pragma omp parallel
#pragma omp master
    sum = by_reduction(&empty);
    CHECK(sum == SOLUTIONS);
    return result();
}
