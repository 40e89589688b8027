// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2x2
// bupc_dump_shared shows the parts of a pointer that the queries of UPC 1.3 7.2.3 return.
#include <errno.h>

#include "../../check.h"

shared [3] int blocks[6 * THREADS];
shared double cyclic[2 * THREADS];

static void check_dump(shared void *p)
{
    char text[BUPC_DUMP_MIN_LENGTH];
    unsigned long address, field;
    unsigned thread, phase;
    int end = 0;
    CHECK_EQ(bupc_dump_shared(p, text, sizeof text), 0);
    int fields = sscanf(text, "<address=0x%lx (addrfield=0x%lx), thread=%u, phase=%u>%n", &address,
                        &field, &thread, &phase, &end);
    CHECK_EQ(fields, 4);
    CHECK_EQ(end, strlen(text));
    CHECK_EQ(field, upc_addrfield(p));
    CHECK_EQ(thread, upc_threadof(p));
    CHECK_EQ(phase, upc_phaseof(p));
    if (upc_threadof(p) == MYTHREAD)
        CHECK(address == (unsigned long)(char *)p);
}

int main(void)
{
    char text[BUPC_DUMP_MIN_LENGTH + 1];
    for (int i = 0; i < 6 * THREADS; i++)
        check_dump(&blocks[i]);
    for (int i = 0; i < 2 * THREADS; i++)
        check_dump(&cyclic[i]);

    shared const strict int *none = NULL;
    CHECK_EQ(bupc_dump_shared(none, text, sizeof text), 0);
    CHECK(strcmp(text, "<NULL>") == 0);

    strcpy(text, "as it was");
    errno = 0;
    CHECK_EQ(bupc_dump_shared(&blocks[0], text, BUPC_DUMP_MIN_LENGTH - 1), -1);
    CHECK_EQ(errno, EINVAL);
    CHECK(strcmp(text, "as it was") == 0);
    return check_done();
}
