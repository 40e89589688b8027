// Values of things whose size is not known.
#include <upc.h>

struct node;
shared struct node *p;
upc_lock_t l; //~ error E0321
upc_lock_t *good;

int main(void) {
    shared void *any = p;
    *p; //~ error E0421
    *any; //~ error E0421
    upc_lock(l);
    upc_lock(*good); //~ error E0421
    return 0;
}
