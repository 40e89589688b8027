// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 3x1 1x3
//@ exit: 1
//@ stderr: R0309
//@ stderr: upcx_team_broadcast: src points to memory of thread 2, which is no member of the team
// The root must be a member, whatever the program was compiled with.
#include <upc.h>
#include <upcx_team.h>

static shared int a[THREADS], b[THREADS];

int main(void)
{
    upcx_team_t team = upcx_team_split(UPCX_TEAM_ALL, MYTHREAD / 2, 0);
    if (MYTHREAD < 2)
        upcx_team_broadcast(team, b, &a[2], sizeof(int), 0);
    upc_barrier;
    return 0;
}
