// SPDX-License-Identifier: BSD-3-Clause
// UPC behind macros: declarations, layouts, statements, affinity, stringised and pasted.
#include "../../check.h"

#define BLOCKED(T, b, name, n) shared [b] T name[(n) * THREADS]
#define FORALL(i, n, owner) upc_forall(int i = 0; i < (n); i++; owner)
#define ON(t) if (MYTHREAD == (t))
#define BARRIER(value) do { upc_notify value; upc_wait value; } while (0)
#define AT(p, i) ((p)[i])
#define NAME(x, y) x##_##y

BLOCKED(int, 3, numbers, 6);
BLOCKED(struct { char c; }, 2, NAME(some, letters), 4);

int main(void)
{
    FORALL(i, 6 * THREADS, &numbers[i]) AT(numbers, i) = i;
    ON(0) some_letters[3].c = 'x';
    BARRIER(__LINE__);
    FORALL(i, 6 * THREADS, continue) CHECK_EQ(AT(numbers, i), i);
    CHECK_EQ(some_letters[3].c, 'x');
    return check_done();
}
