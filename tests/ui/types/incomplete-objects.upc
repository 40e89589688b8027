// SPDX-License-Identifier: BSD-3-Clause
// Shared objects whose types have no size at the end of the file.
#include <upc.h>
#include <upc_io.h>

struct unknown;
struct later;

upc_lock_t lock; //~ error E0321
static upc_lock_t hidden; //~ error E0321
upc_lock_t locks[THREADS]; //~ error E0321
upc_file_t file; //~ error E0321
shared struct unknown one; //~ error E0321
shared struct unknown several[3 * THREADS]; //~ error E0321
shared int endless[]; //~ error E0321
extern shared int elsewhere[];
extern upc_lock_t theirs;
shared struct later later;
struct later {
    int x;
};

int main(void)
{
    static upc_lock_t inside; //~ error E0321
    return later.x;
}
