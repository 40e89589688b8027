/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * GASNet-EX, transfers of many pieces: heat spreads on a plate, of which each rank has some columns.
 * In every step a point becomes the mean of its four neighbours; a rank puts its outermost columns
 * into its neighbours' memory. Rows are contiguous, so a column is one number of every row: a strided
 * put carries it in one operation, whatever the rows' lengths on the two sides.
 *
 *     cc gex_stencil.c -o gex_stencil $(pkg-config --cflags --libs gasnet-ucx-par)
 *     upcrun -n 4 ./gex_stencil
 */
#include <gasnetex.h>

#include <gasnet_vis.h>

#include <stdio.h>
#include <stdlib.h>

/* Of the plate, without its border. */
enum { ROWS = 60, COLUMNS = 80, STEPS = 200 };

static gex_TM_t all;
static gex_Rank_t me, size;

/* The border is hot above and warm at the left; it stays so. */
static double at_first(size_t row, size_t column) {
    return row == 0 ? 100 : column == 0 ? 40 : 0;
}

/* A plate of so many columns and a border; its rows follow each other. */
struct plate {
    size_t first, columns; /* which of all; column 0 is the border, or a neighbour's */
    double *points;
};

static double *point(struct plate plate, size_t row, size_t column) {
    return &plate.points[row * (plate.columns + 2) + column];
}

static size_t plate_bytes(size_t columns) {
    return (ROWS + 2) * (columns + 2) * sizeof(double);
}

/* What a rank has: two plates, which are read and written in turns. They lie in its segment. */
static struct plate plate_of(gex_Rank_t rank, unsigned turn) {
    size_t first = (size_t)COLUMNS * rank / size, end = (size_t)COLUMNS * (rank + 1) / size;
    struct plate plate = {first, end - first, NULL};
    void *address = NULL;
    gex_Event_Wait(gex_EP_QueryBoundSegmentNB(all, rank, &address, NULL, NULL, 0));
    plate.points = (double *)((char *)address + turn * plate_bytes(plate.columns));
    return plate;
}

static void fill(struct plate plate) {
    for (size_t row = 0; row < ROWS + 2; row++) {
        for (size_t column = 0; column < plate.columns + 2; column++) {
            *point(plate, row, column) = at_first(row, plate.first + column);
        }
    }
}

static void step(struct plate from, struct plate to) {
    for (size_t row = 1; row <= ROWS; row++) {
        for (size_t column = 1; column <= from.columns; column++) {
            double above = *point(from, row - 1, column), below = *point(from, row + 1, column);
            double left = *point(from, row, column - 1), right = *point(from, row, column + 1);
            *point(to, row, column) = (above + below + left + right) / 4;
        }
    }
}

/* One of my columns becomes one of another rank's: ROWS numbers, a row's length apart. */
static gex_Event_t put_column(gex_Rank_t rank, struct plate there, size_t column,
                              struct plate mine, size_t my_column) {
    const ptrdiff_t stride = (ptrdiff_t)((there.columns + 2) * sizeof(double));
    const ptrdiff_t my_stride = (ptrdiff_t)((mine.columns + 2) * sizeof(double));
    const size_t rows = ROWS;
    return gex_VIS_StridedPutNB(all, rank, point(there, 1, column), &stride,
                                point(mine, 1, my_column), &my_stride, sizeof(double), &rows, 1,
                                0);
}

/* Against a single rank that does all. The order of additions is the same, so numbers are equal to
 * the last bit. */
static void check(struct plate mine) {
    struct plate whole[2] = {{0, COLUMNS, malloc(plate_bytes(COLUMNS))},
                             {0, COLUMNS, malloc(plate_bytes(COLUMNS))}};
    fill(whole[0]);
    fill(whole[1]);
    for (unsigned i = 0; i < STEPS; i++) {
        step(whole[i % 2], whole[(i + 1) % 2]);
    }
    for (size_t row = 1; row <= ROWS; row++) {
        for (size_t column = 1; column <= mine.columns; column++) {
            double expected = *point(whole[STEPS % 2], row, mine.first + column);
            if (*point(mine, row, column) != expected) {
                printf("rank %u, row %zu, column %zu: not %g\n", me, row, column, expected);
                gasnet_exit(1);
            }
        }
    }
    free(whole[0].points);
    free(whole[1].points);
}

int main(int argc, char **argv) {
    gex_Client_t client;
    gex_EP_t ep;
    gex_Segment_t segment;
    gex_Client_Init(&client, &ep, &all, "STENCIL", &argc, &argv, 0);
    me = gex_TM_QueryRank(all);
    size = gex_TM_QuerySize(all);
    size_t pages = 2 * plate_bytes(COLUMNS) / GASNET_PAGESIZE + 1;
    gex_Segment_Attach(&segment, all, pages * GASNET_PAGESIZE);

    fill(plate_of(me, 0));
    fill(plate_of(me, 1));
    gex_Event_Wait(gex_Coll_BarrierNB(all, 0));
    for (unsigned i = 1; i <= STEPS; i++) {
        struct plate mine = plate_of(me, i % 2);
        step(plate_of(me, (i - 1) % 2), mine);

        /* No neighbour reads plates of this turn before the barrier, so puts disturb nobody. */
        gex_Event_t puts[2] = {GEX_EVENT_INVALID, GEX_EVENT_INVALID};
        if (me > 0) {
            struct plate left = plate_of(me - 1, i % 2);
            puts[0] = put_column(me - 1, left, left.columns + 1, mine, 1);
        }
        if (me + 1 < size) {
            puts[1] = put_column(me + 1, plate_of(me + 1, i % 2), 0, mine, mine.columns);
        }
        gex_Event_WaitAll(puts, 2, 0);
        gex_Event_Wait(gex_Coll_BarrierNB(all, 0));
    }

    check(plate_of(me, STEPS % 2));
    gex_Event_Wait(gex_Coll_BarrierNB(all, 0));
    if (me == 0) {
        printf("%d points after %d steps of %u ranks: ok\n", ROWS * COLUMNS, STEPS, size);
    }
    return 0;
}
