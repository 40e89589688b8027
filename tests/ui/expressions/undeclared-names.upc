// Names that nothing declares, but that resemble something of UPC's.
#include <upc.h>

shared int total[THREADS];
shared [4] double matrix[4*THREADS];
struct pair { int value, count; };
shared struct pair pairs[THREADS];

int main(void) {
    int totals = 3;
    totl[MYTHREAD] = totals; //~ error E0420
    totl[MYTHREAD] = 2;
    double x = matix[3]; //~ error E0420
    pairs[0].valeu = x; //~ error E0418
    upc_bariers; //~ error E0420
    return mythread; //~ error E0420
}
