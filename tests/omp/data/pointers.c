/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads follow pointers into heap, stacks, globals and strings of others. */
#include "../inputs/check.h"

struct node {
    struct node *next;
    int value;
};

static struct node *head;
static const char *names[16];

int main(int argc, char **argv) {
    int n = omp_get_max_threads();
#pragma omp parallel
    {
        struct node *node = malloc(sizeof *node);
        node->value = omp_get_thread_num();
#pragma omp critical
        {
            node->next = head;
            head = node;
        }
    }
    int seen = 0;
#pragma omp parallel reduction(+ : seen)
    for (struct node *node = head; node; node = node->next) {
        seen += node->value + 1;
    }
    CHECK(seen == n * n * (n + 1) / 2);
    int *mine[n];
#pragma omp parallel
    {
        int local = 5 * omp_get_thread_num();
        mine[omp_get_thread_num()] = &local;
#pragma omp barrier
        CHECK(*mine[(omp_get_thread_num() + 1) % n] == 5 * ((omp_get_thread_num() + 1) % n));
#pragma omp barrier
        *mine[(omp_get_thread_num() + 1) % n] += 1;
#pragma omp barrier
        CHECK(local == 5 * omp_get_thread_num() + 1);
#pragma omp single
        names[3] = strdup("hello");
        CHECK(strcmp(names[3], "hello") == 0);
        CHECK(argc == 1 && strstr(argv[0], "program"));
    }
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    free((char *)names[3]);
    return result();
}
