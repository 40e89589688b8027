// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3
//@ flags: -static
//@ one-host
// A program's own rand and strtok go before, while srand and random are the runtime's.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upc_relaxed.h>

int rand(void)
{
    return 42;
}

char *strtok(char *restrict text, const char *restrict separators)
{
    (void)separators;
    return text;
}

int main(void)
{
    char text[] = "whole, not in parts";
    srand(5);
    int same = rand() == 42 && strtok(text, ",") == text && strlen(text) == 19;
    srandom(1);
    if (same && random() == 1804289383)
        printf("ok\n");
    return 0;
}
