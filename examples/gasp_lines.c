// SPDX-License-Identifier: BSD-3-Clause
// A small performance tool (man furlong_gasp): how often each line of a program does what, and how
// long that takes. Linked into a program that is compiled with -inst, or as a library before it:
//
//     upcc -O2 -inst heat.upc gasp_lines.c -o heat
//     upcrun -n 4 ./heat
//
//     cc -shared -fPIC -I$(upcc -print-include-dir) gasp_lines.c -o gasp_lines.so
//     upcc -O2 -inst heat.upc -o heat
//     upcrun -n 4 -x LD_PRELOAD=$PWD/gasp_lines.so ./heat
#include <gasp_upc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const names[] = {
#define NAME(event) #event,
    GASP_UPC_EVENTS(NAME)
#undef NAME
};

enum { FIRST = GASP_UPC_COLLECTIVE_EXIT, EVENTS = sizeof names / sizeof *names, LINES = 1024 };

struct line {
    const char *file;
    int number;
    unsigned event;
    long count, ns;
};

struct _gasp_context_S {
    struct line lines[LINES];
    int n, is_off;
    long begin_ns;
};

static long now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000 + t.tv_nsec;
}

gasp_context_t gasp_init(gasp_model_t model, int *argc, char ***argv) {
    (void)model, (void)argc, (void)argv;
    return calloc(1, sizeof(struct _gasp_context_S));
}

int gasp_control(gasp_context_t context, int on) {
    int was = !context->is_off;
    context->is_off = !on;
    return was;
}

static struct line *line_of(gasp_context_t context, const char *file, int number, unsigned event) {
    struct line *end = context->lines + context->n;
    for (struct line *line = context->lines; line < end; line++) {
        if (line->number == number && line->event == event && !strcmp(line->file, file)) {
            return line;
        }
    }
    if (context->n == LINES) {
        return NULL;
    }
    context->n++;
    *end = (struct line){file, number, event, 0, 0};
    return end;
}

static int by_place(const void *a, const void *b) {
    const struct line *p = a, *q = b;
    int order = strcmp(p->file, q->file);
    return order ? order : p->number != q->number ? p->number - q->number : (int)p->event - (int)q->event;
}

// One write, so that lines of several threads do not mix.
static void report(gasp_context_t context) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    qsort(context->lines, (size_t)context->n, sizeof *context->lines, by_place);
    for (int i = 0; i < context->n; i++) {
        const struct line *line = &context->lines[i];
        fprintf(out, "thread %d  %s:%d  %s  %ld times  %.6f s\n", gasp_upc_mythread(), line->file,
                line->number, names[line->event], line->count, 1e-9 * (double)line->ns);
    }
    fclose(out);
    fputs(text, stderr);
    free(text);
}

void gasp_event_notifyVA(gasp_context_t context, unsigned tag, gasp_evttype_t type,
                         const char *file, int number, int column, va_list arguments) {
    (void)column, (void)arguments;
    if (tag == GASP_UPC_COLLECTIVE_EXIT) {
        report(context);
    } else if (type == GASP_START) {
        context->begin_ns = now_ns();
    } else if (type == GASP_END && tag - FIRST < EVENTS && !context->is_off) {
        struct line *line = line_of(context, file ? file : "?", number, tag - FIRST);
        if (line) {
            line->count++;
            line->ns += now_ns() - context->begin_ns;
        }
    }
}
