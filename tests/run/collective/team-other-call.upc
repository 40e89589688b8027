// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -g
//@ mappings: 4x1 1x4 2:4x1
//@ exit: 1
//@ stderr: R0306
//@ stderr: thread 1 is at upcx_team_barrier (tests/run/collective/team-other-call.upc:19), but thread 3 at upcx_team_gather (tests/run/collective/team-other-call.upc:17)
// Members that call different functions are named, by their threads' numbers.
#include <upc.h>
#include <upcx_team.h>

static shared int a[THREADS], b[THREADS];

int main(void)
{
    upcx_team_t team = upcx_team_split(UPCX_TEAM_ALL, MYTHREAD % 2, 0);
    if (MYTHREAD == 3)
        upcx_team_gather(team, &b[1], a, sizeof(int), 0);
    else
        upcx_team_barrier(team);
    upc_barrier;
    return 0;
}
