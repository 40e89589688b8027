// Lengths of private arrays that are not known before the program runs.
#include <upc.h>

int flat[10 * THREADS];           //~ error E0326
static double rows[3][THREADS];   //~ error E0326
extern int others[THREADS];       //~ error E0326
int remainder_of[100 % THREADS];  //~ error E0326
shared int all[10 * THREADS];
int (*known)[4];

int f(void) {
    static int kept[THREADS];     //~ error E0326
    int mine[THREADS];
    mine[0] = flat[0] + (int)rows[0][0] + others[0] + remainder_of[0];
    return mine[0] + kept[0] + all[0] + known[0][0];
}
