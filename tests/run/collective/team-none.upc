// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 3x1 1x3
//@ exit: 1
//@ stderr: R0309
//@ stderr: upcx_team_barrier: the team is UPCX_TEAM_NONE
// Who has no team cannot call its operations.
#include <upc.h>
#include <upcx_team.h>

int main(void)
{
    upcx_team_t team = upcx_team_split(UPCX_TEAM_ALL, MYTHREAD == 1 ? -1 : 0, 0);
    upcx_team_barrier(team);
    return 0;
}
