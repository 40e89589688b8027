// SPDX-License-Identifier: BSD-3-Clause
//@ exit: 1
//@ stderr: R0309
//@ stderr: upcx_team_free: the team is UPCX_TEAM_ALL, which cannot be freed
// The team of all threads stays.
#include <upc.h>
#include <upcx_team.h>

int main(void)
{
    upcx_team_free(UPCX_TEAM_ALL);
    return 0;
}
