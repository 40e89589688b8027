// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -g
//@ mappings: 1x1 2x1 1x3 2x2 5x1
// The transfers with handles, and every way to synchronise them; arrays of handles have holes, and
// what is synchronised becomes BUPC_COMPLETE_HANDLE.
#include "../../check.h"

#define N 24
shared [N] int here[THREADS][N], there[THREADS][N];

/* A buffer is left alone until its transfer is synchronised. */
static int salt_of[5] = {0, 1, 2, 3, 4};

static void initiate(bupc_handle_t *handles, int next, int salt)
{
    const int *buffer = &salt_of[salt];
    for (int i = 0; i < N; i++) {
        if (i % 5 == 0) {
            upc_memput(&there[next][i], buffer, sizeof salt);
            handles[i] = BUPC_COMPLETE_HANDLE;
        } else if (i % 2) {
            handles[i] = bupc_memput_async(&there[next][i], buffer, sizeof salt);
        } else {
            here[MYTHREAD][i] = salt;
            handles[i] = bupc_memcpy_async(&there[next][i], &here[MYTHREAD][i], sizeof salt);
        }
    }
}

static void check_complete(const bupc_handle_t *handles, int next, int salt)
{
    for (int i = 0; i < N; i++) {
        CHECK(handles[i] == BUPC_COMPLETE_HANDLE);
        CHECK_EQ(there[next][i], salt);
    }
}

static int open_ones(const bupc_handle_t *handles)
{
    int n = 0;
    for (int i = 0; i < N; i++)
        n += handles[i] != BUPC_COMPLETE_HANDLE;
    return n;
}

int main(void)
{
    bupc_handle_t handles[N];
    int next = (MYTHREAD + 1) % THREADS, got[N];

    initiate(handles, next, 1);
    bupc_waitsync_all(handles, N);
    check_complete(handles, next, 1);

    initiate(handles, next, 2);
    WAIT_UNTIL(bupc_trysync_all(handles, N));
    check_complete(handles, next, 2);

    initiate(handles, next, 3);
    while (open_ones(handles)) {
        int before = open_ones(handles);
        bupc_waitsync_some(handles, N);
        CHECK(open_ones(handles) < before);
    }
    check_complete(handles, next, 3);

    initiate(handles, next, 4);
    while (open_ones(handles))
        WAIT_UNTIL(bupc_trysync_some(handles, N));
    check_complete(handles, next, 4);

    bupc_waitsync_all(handles, N);
    bupc_waitsync_some(handles, N);
    bupc_waitsync_all(NULL, 0);
    bupc_waitsync_some(NULL, 0);
    CHECK(bupc_trysync_all(handles, N) && bupc_trysync_some(handles, N));
    CHECK(bupc_trysync(BUPC_COMPLETE_HANDLE));
    bupc_waitsync(BUPC_COMPLETE_HANDLE);

    upc_handle_t handle = bupc_memget_async(got, &there[next][0], sizeof got);
    upc_sync(handle);
    CHECK_EQ(got[N - 1], 4);
    handle = bupc_memset_async(&there[next][0], 0, sizeof got);
    WAIT_UNTIL(bupc_trysync(handle));
    CHECK_EQ(there[next][N - 1], 0);

    bupc_memput_asynci(&there[next][0], got, sizeof got);
    bupc_memcpy_asynci(&here[MYTHREAD][0], &there[next][0], 0);
    bupc_waitsynci();
    CHECK_EQ(there[next][7], 4);
    bupc_memset_asynci(&there[next][0], 0x11, 3 * sizeof(int));
    WAIT_UNTIL(bupc_trysynci());
    bupc_memget_asynci(got, &there[next][0], sizeof got);
    bupc_waitsynci();
    CHECK_EQ(got[2], 0x11111111);
    CHECK_EQ(got[3], 4);

    bupc_begin_accessregion();
    bupc_memset_asynci(&there[next][0], 0x22, sizeof got);
    bupc_handle_t region = bupc_end_accessregion();
    bupc_waitsynci();
    bupc_waitsync(region);
    CHECK_EQ(there[next][N - 1], 0x22222222);
    bupc_begin_accessregion();
    bupc_waitsync(bupc_end_accessregion());
    return check_done();
}
