// SPDX-License-Identifier: BSD-3-Clause
// The other half of across-files.upc.
#include <upc.h>

int counter = 100;
int *counter_address = &counter;
int numbers[4] = {1, 2, 3};
shared int common[2 * THREADS];
shared [3] int blocked[3 * THREADS];
static int hidden = 2;
extern int from_main;
extern int *from_main_address;
extern int tentative_in_both;

int bump(int by)
{
    return counter += by;
}

int hidden_there(void)
{
    return hidden;
}

int read_main(void)
{
    return from_main_address == &from_main ? from_main : -1;
}
