/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * FT in UPC. A thread's box and work are shared memory of its own. The codings differ in how these
 * are accessed, and in how they are transposed:
 *   FINE  as shared, point by point; rows are written to others point by point
 *   CAST  by pointers to private; rows as in FINE
 *   BULK  by pointers to private; rows are put from a small part of the work, which stays in the
 *         cache, and go on their way while the next are transformed. -DEXCHANGE: all together, by
 *         upc_all_exchange
 */
#include <upc_relaxed.h>
#include <upc_collective.h>
#include <upc_nb.h>
#include <string.h>

#ifdef EXCHANGE
enum { EXCHANGES = 1 };
#define NPB_WAY "-exchange"
#else
enum { EXCHANGES = 0 };
#endif
#include "ft.h"

/* Rows of the spectrum under way at once. */
enum { FT_ROOM = 4 };

typedef shared [] struct ft_complex *far_points;

static shared far_points boxes[THREADS], spectra[THREADS];
static far_points *box_of, *spectrum_of; /* the same, each thread's own copy */
static shared struct ft_complex values[THREADS];

/* What upc_all_exchange sends and receives: for each thread one piece from each. */
static shared void *outgoing, *incoming;

static struct ft_complex ft_sum(struct ft_complex value) {
    struct ft_complex sum = {0, 0};
    values[MYTHREAD] = value;
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        sum.re += values[t].re;
        sum.im += values[t].im;
    }
    upc_barrier;
    return sum;
}

/* n points to another thread. */
static void send(far_points to, FT_POINT *from, long n) {
#if CODING == BULK
    upc_memput_nbi(to, from, (size_t)n * sizeof *from);
#else
    for (long i = 0; i < n; i++) {
        to[i] = from[i];
    }
#endif
}

/* Each thread begins with the next one's: not all send to the same one. */
static void ft_send_plane(const struct ft *f, long plane) {
    const long n = f->rows * FT_X, z = MYTHREAD * f->planes + plane;
    for (int i = 1; THREADS > 1 && !EXCHANGES && i <= THREADS; i++) {
        int t = (MYTHREAD + i) % THREADS;
        send(spectrum_of[t] + z * n, f->box + plane * FT_Y * FT_X + t * n, n);
    }
}

/* Before a row takes another's place, those that are under way have gone. */
static void ft_begin_row(const struct ft *f, long row) {
#if CODING == BULK
    if (row % f->room == 0) {
        upc_synci();
    }
#endif
    (void)f, (void)row;
}

static void ft_send_row(const struct ft *f, long row) {
    const long y = MYTHREAD * f->rows + row;
    for (int i = 1; THREADS > 1 && !EXCHANGES && i <= THREADS; i++) {
        int t = (MYTHREAD + i) % THREADS;
        for (long z = 0; z < f->planes; z++) {
            send(box_of[t] + (z * FT_Y + y) * FT_X,
                 ft_work_row(f, row) + (t * f->planes + z) * f->along, FT_X);
        }
    }
}

#if CODING == BULK
/* Own memory of upc_all_alloc, as private. */
static struct ft_complex *own(shared void *all) {
    return (struct ft_complex *)((shared [1] char *)all + MYTHREAD);
}

/* Exchanges pieces; between box and pieces the rows of each thread are copied, `in` or out. */
static void exchange_box(const struct ft *f, int in) {
    const long n = f->rows * FT_X;
    struct ft_complex *piece = own(in ? incoming : outgoing);
    for (int t = 0; t < THREADS; t++) {
        for (long z = 0; z < f->planes; z++, piece += n) {
            struct ft_complex *rows = f->box + z * FT_Y * FT_X + t * n;
            memcpy(in ? rows : piece, in ? piece : rows, (size_t)n * sizeof *rows);
        }
    }
}

static void exchange(const struct ft *f) {
    upc_all_exchange(incoming, outgoing, ft_share(f) / THREADS * sizeof(struct ft_complex),
                     UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
}
#endif

static void ft_receive_spectrum(const struct ft *f) {
#if CODING == BULK
    if (THREADS > 1 && EXCHANGES) {
        exchange_box(f, 0);
        exchange(f);
        memcpy(f->spectrum, own(incoming), ft_share(f) * sizeof(struct ft_complex));
        return;
    }
    upc_synci();
#endif
    upc_barrier;
    (void)f;
}

static void ft_receive_box(const struct ft *f) {
#if CODING == BULK
    if (THREADS > 1 && EXCHANGES) {
        exchange(f);
        exchange_box(f, 1);
        return;
    }
    upc_synci();
#endif
    upc_barrier;
    (void)f;
}

/* All that is shared, and everybody's addresses of it. With an exchange the work is what it sends. */
static void allocate(struct ft *f) {
    const size_t points = ft_share(f), bytes = points * sizeof(struct ft_complex);
    boxes[MYTHREAD] = upc_alloc(bytes);
    spectra[MYTHREAD] = upc_alloc(bytes);
    outgoing = upc_all_alloc(THREADS, bytes);
    incoming = EXCHANGES ? upc_all_alloc(THREADS, bytes) : NULL;
    f->decay = malloc(points * sizeof *f->decay);
    box_of = malloc(THREADS * sizeof *box_of);
    spectrum_of = malloc(THREADS * sizeof *spectrum_of);
    if (!f->decay || !box_of || !spectrum_of) {
        fprintf(stderr, "npb: no memory for %zu points\n", points);
        upc_global_exit(1);
    }
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        box_of[t] = boxes[t];
        spectrum_of[t] = spectra[t];
    }
    f->box = (FT_POINT *)box_of[MYTHREAD];
    f->spectrum = (FT_POINT *)spectrum_of[MYTHREAD];
    f->work = THREADS == 1 ? f->box : (FT_POINT *)(far_points)((shared [1] char *)outgoing + MYTHREAD);
    if (THREADS > 1 && !EXCHANGES) {
        f->room = FT_ROOM < f->rows ? FT_ROOM : f->rows;
        f->next = FT_Z * FT_X;
        f->along = FT_X;
    }
}

static void release(struct ft *f) {
    upc_barrier;
    upc_free(boxes[MYTHREAD]);
    upc_free(spectra[MYTHREAD]);
    upc_all_free(outgoing);
    if (EXCHANGES) {
        upc_all_free(incoming);
    }
    free(f->decay);
    free(box_of);
    free(spectrum_of);
}

int main(void) {
    struct ft f;
    struct ft_complex sums[FT_STEPS];
    if (!ft_setup(&f, THREADS, MYTHREAD)) {
        return MYTHREAD == 0 ? ft_refuse(THREADS) : 2;
    }
    allocate(&f);
    double seconds = ft_run(&f, sums);
    release(&f);
    return MYTHREAD == 0 ? ft_finish(sums, seconds) : 0;
}
