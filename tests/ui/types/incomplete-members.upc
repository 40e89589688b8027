struct unknown;

struct node {
    struct node next; //~ error E0322
    int v;
};

typedef struct list list;
struct list {
    list rest[2]; //~ error E0322
    list more[]; //~ error E0322
};

union either {
    int v;
    struct {
        union either inner; //~ error E0322
    };
};

struct outer {
    struct inner {
        struct outer back; //~ error E0322
    } inner;
    __typeof__(*(struct outer *)0) copy; //~ error E0322
    struct unknown other; //~ error E0322
    struct outer none[0]; //~ error E0322
    struct outer grid[2][3]; //~ error E0322
    struct outer *fine, *many[3];
};

struct again {
    struct again {
        int v;
    } first;
    struct again second;
};

shared struct node a[THREADS];

int main(void) {
    struct node n = {0};
    struct list l = {{{1, 2}}};
    union either e = {{{3}}};
    struct outer o = {1, 2, 3, .grid[1][2] = {4}}, p[2] = {[1].inner.back.copy = 5};
    struct again g = {1, 2};
    a[MYTHREAD] = n;
    return n.v + l.rest[0].rest[1].rest[0].more[2].rest[0] + e.inner.inner.v + o.copy.inner.back.grid[0][0] + p[1].inner.back + g.first.v;
}
