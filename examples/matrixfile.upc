// SPDX-License-Identifier: BSD-3-Clause
/*
 * A matrix in a file, seen by rows and by columns. The threads hold it by rows and write it with one
 * call; then each reads its share of the columns, with a list of the places where their pieces lie,
 * while the next share is on its way. The file is in the usual order: row after row.
 *
 *     upcrun -n 4 ./matrixfile [FILE]
 */
#include <stdio.h>
#include <stdlib.h>
#include <upc.h>
#include <upc_io.h>

enum { ROWS = 240, COLUMNS = 200, STRIP = 8 }; // columns are read in strips

shared [COLUMNS] double matrix[ROWS * THREADS][COLUMNS]; // each row at one thread
shared [] double sums[COLUMNS];                          // of the columns, at thread 0

static double element(int row, int column)
{
    return row + 0.001 * column;
}

// Asks for a strip: a piece of each row.
static void begin_strip(upc_file_t *f, int strip, double *memory)
{
    size_t rows = ROWS * THREADS, piece = STRIP * sizeof(double);
    struct upc_local_memvec to = {memory, rows * piece};
    struct upc_filevec *from = malloc(rows * sizeof *from);
    for (size_t row = 0; row < rows; row++) {
        from[row].offset = (upc_off_t)((row * COLUMNS + (size_t)strip * STRIP) * sizeof(double));
        from[row].len = piece;
    }
    int mine = strip < COLUMNS / STRIP; // all threads call, also those that are done
    upc_all_fread_list_local_async(f, mine, &to, mine ? rows : 0, from,
                                   UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
    free(from);
}

static void add_strip(int strip, const double *memory)
{
    for (int c = 0; c < STRIP; c++) {
        double sum = 0;
        for (int row = 0; row < ROWS * THREADS; row++)
            sum += memory[row * STRIP + c];
        sums[strip * STRIP + c] = sum;
    }
}

static void sum_columns(upc_file_t *f)
{
    double *memory[2];
    for (int i = 0; i < 2; i++)
        memory[i] = malloc(sizeof(double) * ROWS * THREADS * STRIP);
    int strips = COLUMNS / STRIP, rounds = (strips + THREADS - 1) / THREADS;
    begin_strip(f, MYTHREAD, memory[0]);
    for (int round = 0; round < rounds; round++) {
        int strip = round * THREADS + MYTHREAD;
        upc_all_fwait_async(f);
        if (round + 1 < rounds)
            begin_strip(f, strip + THREADS, memory[(round + 1) % 2]);
        if (strip < strips)
            add_strip(strip, memory[round % 2]);
    }
    free(memory[0]);
    free(memory[1]);
}

static int check(void)
{
    int wrong = 0;
    double rows = ROWS * THREADS;
    for (int c = 0; c < COLUMNS; c++) {
        double expected = rows * (rows - 1) / 2 + 0.001 * c * rows;
        double difference = sums[c] - expected;
        wrong += difference > 1e-6 * expected || difference < -1e-6 * expected;
    }
    printf("%d by %d matrix, column sums %.1f to %.1f\n%s\n", ROWS * THREADS, COLUMNS, sums[0],
           sums[COLUMNS - 1], wrong ? "wrong" : "ok");
    return wrong > 0;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "matrix.bin";
    int flags = UPC_RDWR | UPC_CREATE | UPC_TRUNC | UPC_COMMON_FP | UPC_DELETE_ON_CLOSE;
    upc_file_t *f = upc_all_fopen(name, flags, 0, NULL);
    if (!f) {
        if (MYTHREAD == 0)
            perror(name);
        return 1;
    }
    upc_forall (int row = 0; row < ROWS * THREADS; row++; &matrix[row][0])
        for (int column = 0; column < COLUMNS; column++)
            matrix[row][column] = element(row, column);

    size_t n = (size_t)ROWS * THREADS * COLUMNS;
    upc_off_t bytes = upc_all_fwrite_shared(f, matrix, COLUMNS, sizeof(double), n, 0);
    if (bytes != (upc_off_t)(n * sizeof(double)) || upc_all_fsync(f) != 0) {
        perror("writing");
        return 1;
    }
    sum_columns(f);
    upc_all_fclose(f);
    return MYTHREAD == 0 ? check() : 0;
}
