// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 1x4 4x1 2x2 1x7 3x1 5x1
//@ args: {dir}/data/shapes.pgm edges.pgm
/*
 * Sobel edge detection: reads a picture, computes the strength of the edge at every point, and
 * writes it as another picture.
 *
 * The picture is cut into strips of rows, one for each thread. To compute its strip a thread
 * also needs the row above and the row below, which belong to its neighbours: it fetches them
 * with upc_memget, whole rows at a time.
 *
 *     sobel [in.pgm|in.ppm [out.pgm]]
 *
 * Both kinds of Netpbm picture are read, grey and coloured, with up to 255 levels. Without
 * arguments the program draws a disc into a temporary file, reads that, and writes no result.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upc_relaxed.h>

struct picture {
    int width, height;
    unsigned char *grey; /* row by row */
};

/* What all threads know about the picture; thread 0 writes it. */
shared int width, height;

/* The strip of each thread, in that thread's memory, before and after. */
typedef shared [] unsigned char *strip;
shared strip before[THREADS];
shared strip after[THREADS];

/* Rows of thread t: from first_row(t) to first_row(t + 1) - 1. */
static int first_row(int t) {
    return (int)((long)height * t / THREADS);
}

static int thread_of_row(int y) {
    int t = (int)((long)y * THREADS / height);
    while (y >= first_row(t + 1)) {
        t++;
    }
    return t;
}

/* Copies row y into `row`, from whichever thread has it. */
static void get_row(unsigned char *row, int y) {
    int t = thread_of_row(y);
    upc_memget(row, before[t] + (size_t)(y - first_row(t)) * (size_t)width, (size_t)width);
}

/* The answer for point x of the middle one of three rows. */
static unsigned char edge(const unsigned char *up, const unsigned char *at,
                          const unsigned char *down, int x) {
    int h = up[x + 1] + 2 * at[x + 1] + down[x + 1] - up[x - 1] - 2 * at[x - 1] - down[x - 1];
    int v = down[x - 1] + 2 * down[x] + down[x + 1] - up[x - 1] - 2 * up[x] - up[x + 1];
    int strength = abs(h) + abs(v);
    return (unsigned char)(strength > 255 ? 255 : strength);
}

/* Fills this thread's strip of `after`. The outermost rows and columns stay black. */
static void detect_edges(void) {
    size_t w = (size_t)width;
    unsigned char *rows = malloc(3 * w);
    unsigned char *out = (unsigned char *)after[MYTHREAD];
    int begin = first_row(MYTHREAD), end = first_row(MYTHREAD + 1);
    for (int y = begin; y < end; y++) {
        unsigned char *line = out + (size_t)(y - begin) * w;
        memset(line, 0, w);
        if (y == 0 || y == height - 1) {
            continue;
        }
        for (int i = 0; i < 3; i++) {
            get_row(rows + (size_t)i * w, y - 1 + i);
        }
        for (int x = 1; x < (int)w - 1; x++) {
            line[x] = edge(rows, rows + w, rows + 2 * w, x);
        }
    }
    free(rows);
}

/* The next number of a Netpbm header, past spaces and comments; -1 if there is none. */
static int header_number(FILE *file) {
    int c = getc(file), n = -1;
    while (c == '#' || c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        if (c == '#') {
            while (c != '\n' && c != EOF) {
                c = getc(file);
            }
        } else {
            c = getc(file);
        }
    }
    for (; c >= '0' && c <= '9' && n < 100000; c = getc(file)) {
        n = (n < 0 ? 0 : n * 10) + c - '0';
    }
    return n;
}

/* Reads one sample; P2 and P3 are text, P5 and P6 binary. -1 at the end of the file. */
static int sample(FILE *file, int text) {
    return text ? header_number(file) : getc(file);
}

/* Reads a picture, coloured ones as grey; a null `grey` means it is none. */
static struct picture read_picture(FILE *file) {
    struct picture p = {0, 0, NULL};
    int magic = getc(file) == 'P' ? getc(file) : 0;
    int text = magic == '2' || magic == '3', colour = magic == '3' || magic == '6';
    if (!text && magic != '5' && magic != '6') {
        return p;
    }
    p.width = header_number(file);
    p.height = header_number(file);
    int levels = header_number(file);
    if (p.width < 1 || p.height < 1 || levels < 1 || levels > 255) {
        return p;
    }
    size_t n = (size_t)p.width * (size_t)p.height;
    p.grey = malloc(n);
    for (size_t i = 0; p.grey && i < n; i++) {
        int r = sample(file, text);
        int g = colour ? sample(file, text) : r, b = colour ? sample(file, text) : r;
        if (r < 0 || g < 0 || b < 0) {
            free(p.grey);
            p.grey = NULL;
            break;
        }
        p.grey[i] = (unsigned char)((30 * r + 59 * g + 11 * b) / 100 * 255 / levels);
    }
    return p;
}

static struct picture draw_disc(void) {
    struct picture p = {96, 64, malloc(96 * 64)};
    for (int i = 0; i < p.width * p.height; i++) {
        int x = i % p.width - 48, y = i / p.width - 32;
        p.grey[i] = x * x + y * y < 24 * 24 ? 220 : 30;
    }
    return p;
}

static int write_picture(FILE *file, struct picture p) {
    size_t n = (size_t)p.width * (size_t)p.height;
    return fprintf(file, "P5\n%d %d\n255\n", p.width, p.height) > 0 &&
           fwrite(p.grey, 1, n, file) == n && fflush(file) == 0;
}

/* Ends the program with a message about the file `name`. */
static void fail(const char *name, const char *reason) {
    fprintf(stderr, "sobel: %s: %s\n", name, reason);
    upc_global_exit(1);
}

/* A temporary file with a picture of a disc. */
static FILE *disc_file(void) {
    struct picture disc = draw_disc();
    FILE *file = tmpfile();
    if (!file || !write_picture(file, disc)) {
        fail("temporary file", strerror(errno));
    }
    rewind(file);
    free(disc.grey);
    return file;
}

/* Thread 0: the picture named on the command line, or a disc. */
static struct picture load(const char *name) {
    FILE *file = name ? fopen(name, "rb") : disc_file();
    if (!file) {
        fail(name, strerror(errno));
    }
    struct picture p = read_picture(file);
    fclose(file);
    if (!p.grey) {
        fail(name, "not a PGM or PPM picture of up to 255 levels");
    }
    return p;
}

/* Thread 0. */
static void save(const char *name, struct picture p) {
    FILE *file = fopen(name, "wb");
    if (!file || !write_picture(file, p)) {
        fail(name, strerror(errno));
    }
    fclose(file);
}

/* Thread 0: collects the strips of `after`. */
static struct picture gather(void) {
    struct picture p = {width, height, malloc((size_t)width * (size_t)height)};
    for (int t = 0; t < THREADS; t++) {
        size_t begin = (size_t)first_row(t), end = (size_t)first_row(t + 1);
        upc_memget(p.grey + begin * (size_t)width, after[t], (end - begin) * (size_t)width);
    }
    return p;
}

/* Thread 0: number of points that differ from a computation without any threads. */
static int count_wrong(struct picture in, struct picture out) {
    int wrong = 0;
    size_t w = (size_t)in.width;
    for (int y = 1; y < in.height - 1; y++) {
        const unsigned char *at = in.grey + (size_t)y * w;
        for (int x = 1; x < in.width - 1; x++) {
            wrong += edge(at - w, at, at + w, x) != out.grey[(size_t)y * w + (size_t)x];
        }
    }
    return wrong;
}

int main(int argc, char **argv) {
    struct picture in = {0, 0, NULL};
    if (MYTHREAD == 0) {
        in = load(argc > 1 ? argv[1] : NULL);
        width = in.width;
        height = in.height;
    }
    upc_barrier;

    /* One byte more than needed: a thread may have no rows, and 0 bytes give a null pointer. */
    size_t begin = (size_t)first_row(MYTHREAD), end = (size_t)first_row(MYTHREAD + 1);
    before[MYTHREAD] = upc_alloc((end - begin) * (size_t)width + 1);
    after[MYTHREAD] = upc_alloc((end - begin) * (size_t)width + 1);
    upc_barrier;

    if (MYTHREAD == 0) {
        for (int t = 0; t < THREADS; t++) {
            size_t from = (size_t)first_row(t), to = (size_t)first_row(t + 1);
            upc_memput(before[t], in.grey + from * (size_t)width, (to - from) * (size_t)width);
        }
    }
    upc_barrier;
    detect_edges();
    upc_barrier;

    if (MYTHREAD == 0) {
        struct picture out = gather();
        int wrong = count_wrong(in, out);
        printf("%d x %d points: %d wrong\n", in.width, in.height, wrong);
        if (argc > 2) {
            save(argv[2], out);
        }
        if (wrong) {
            upc_global_exit(1);
        }
        printf("ok\n");
        free(in.grey);
        free(out.grey);
    }
    upc_barrier; /* thread 0 has gathered */
    upc_free(before[MYTHREAD]);
    upc_free(after[MYTHREAD]);
    return 0;
}
