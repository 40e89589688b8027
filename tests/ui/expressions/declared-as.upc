// What allocates gives no type: what the pointer is to be declared as has one, and a layout.
#include <upc.h>
struct node {
    int value;
    struct node *next;
};

void f(void) {
    struct node *n = upc_alloc(sizeof(struct node)); //~ error E0408
    const int *p;
    p = upc_global_alloc(10, 4); //~ error E0408
    shared void *any = n; //~ error E0407
}
