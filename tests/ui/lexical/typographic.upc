// SPDX-License-Identifier: BSD-3-Clause
// Characters that text processors have put in the place of C's.
#include <stdio.h>
#include <upc.h>
shared int größe[THREADS];
int main(void)
{
    char c = ‘a’; //~ error E0101
    printf(“%d\n”, c – 1); //~ error E0101
    größe[MYTHREAD] = 3 − 1; //~ error E0101
    //~^^ error E0101
    return größ[0]; //~ error E0420
}
