// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 4x1 1x4 2x2 2:4x1 2:2x2
//@ flags: -g
//@ limit: 20
//@ exit: 1
//@ stderr: R0310
//@ stderr: thread 0 waits in upcx_team_barrier (tests/run/stuck/other-team.upc:18), thread 1 in upcx_team_barrier (tests/run/stuck/other-team.upc:20)
// Each call has members that are at the call of another team.
#include <upc.h>
#include <upcx_team.h>

int main(void)
{
    upcx_team_t row = upcx_team_split(UPCX_TEAM_ALL, MYTHREAD / 2, 0);
    upcx_team_t column = upcx_team_split(UPCX_TEAM_ALL, MYTHREAD % 2, 0);
    int diagonal = MYTHREAD == 0 || MYTHREAD == 3;
    if (diagonal)
        upcx_team_barrier(row);
    else
        upcx_team_barrier(column);
    return 0;
}
