// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -g
//@ mappings: 4x1 1x4 2:4x1
//@ exit: 1
//@ stderr: R0308
//@ stderr: upcx_team_broadcast: src is thread
//@ stderr: part of `a` in thread 1 (tests/run/collective/team-other-root.upc:18), but thread 3's part of `a`
// Members that take each itself for the root are told so.
#include <upc.h>
#include <upcx_team.h>

static shared int a[THREADS], b[THREADS];

int main(void)
{
    upcx_team_t team = upcx_team_split(UPCX_TEAM_ALL, MYTHREAD % 2, 0);
    if (MYTHREAD % 2)
        upcx_team_broadcast(team, b, &a[MYTHREAD], sizeof(int), 0);
    upc_barrier;
    return 0;
}
