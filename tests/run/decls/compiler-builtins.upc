// SPDX-License-Identifier: BSD-3-Clause
// __func__, __LINE__, __FILE__, assert, offsetof and variadic macros around shared accesses.
#include "../../check.h"
#include <assert.h>

#define LOG(format, ...) snprintf(buffer, sizeof buffer, format, ##__VA_ARGS__)
struct record { char c; double d; int list[4]; };
shared struct record r[2 * THREADS];
shared int x[THREADS];
static char buffer[200];

static const char *name(void)
{
    return __func__;
}

int main(void)
{
    x[MYTHREAD] = 5;
    assert(x[MYTHREAD] == 5);
    LOG("%s:%d %d/%d %s", __FILE__, __LINE__, x[MYTHREAD], (int)THREADS, name());
    CHECK(strstr(buffer, "compiler-builtins.upc:21 5/") != NULL);
    CHECK(strstr(buffer, " name") != NULL);
    CHECK(strcmp(__func__, "main") == 0);
    CHECK_EQ(offsetof(struct record, list[2]), 24);
    CHECK_EQ(upc_addrfield(&r[1 % 2].list[2]) - upc_addrfield(&r[1 % 2]), 24);
    r[MYTHREAD].list[x[MYTHREAD] - 3] = 8;
    CHECK_EQ(r[MYTHREAD].list[2], 8);
    {
        _Pragma("upc strict")
        x[MYTHREAD]++;
    }
    LOG("plain");
    CHECK(strcmp(buffer, "plain") == 0);
    return check_done();
}
