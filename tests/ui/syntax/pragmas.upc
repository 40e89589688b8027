// SPDX-License-Identifier: BSD-3-Clause
// Pragmas of UPC that are malformed or stand where they have no effect.
#pragma upc //~ warning W0105
#pragma upc strict please //~ warning W0105
#pragma upc STRICT //~ warning W0105
#pragma omp parallel

shared int x;

int main(void)
{
    int i = 0;
#pragma upc strict //~ warning W0105
    x = i;
    if (i)
#pragma upc relaxed //~ warning W0105
        x = 2;
    return 0;
}
