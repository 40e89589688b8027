// SPDX-License-Identifier: BSD-3-Clause
// Qualifiers of a declaration that declares a tag alone say nothing of the tag.
#include "../../check.h"

shared struct node {
    int value;
};
shared [4] strict union word {
    int value;
    char bytes[4];
};
typedef const shared enum color { RED = 3 };
strict shared struct node;

shared struct node nodes[THREADS];

int main(void)
{
    struct node mine = {MYTHREAD};
    union word word = {.value = 1};
    enum color color = RED;
    CHECK_EQ(upc_blocksizeof(nodes), 1);
    nodes[MYTHREAD] = mine;
    upc_barrier;
    CHECK_EQ(nodes[THREADS - 1].value, THREADS - 1);
    CHECK(color == 3 && word.bytes[0] + word.bytes[3] == 1);
    {
        shared struct node {
            double other;
        };
        struct node inner = {2.5};
        CHECK(inner.other == 2.5 && sizeof inner == sizeof(double));
    }
    return check_done();
}
