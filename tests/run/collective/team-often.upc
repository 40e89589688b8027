// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x3 5x1 2:4x1 3:3x2
/* Teams are made and freed again and again, and their memory with them; threads that have no team
 * go on; a team of all threads in their order is like UPCX_TEAM_ALL. */
#include "../../check.h"
#include <upc_relaxed.h>
#include <upcx_team.h>

static shared long one[THREADS], sum[THREADS];

int main(void)
{
    for (int round = 0; round < 300; round++) {
        int out = round % (THREADS + 1), members = THREADS - (out < THREADS);
        upcx_team_t team = upcx_team_split(UPCX_TEAM_ALL, MYTHREAD == out ? -1 - round : round,
                                           round % 2 ? -MYTHREAD : MYTHREAD);
        one[MYTHREAD] = MYTHREAD + round;
        CHECK_EQ(team == UPCX_TEAM_NONE, MYTHREAD == out);
        if (team != UPCX_TEAM_NONE) {
            CHECK_EQ(upcx_team_size(team), members);
            upcx_team_reduce_all(team, sum, one, 1, UPC_LONG, UPC_ADD, 0);
            CHECK_EQ(sum[MYTHREAD],
                     THREADS * (THREADS - 1) / 2 - (out < THREADS ? out : 0) + members * round);
            upcx_team_free(team);
        }
        upcx_team_reduce_all(UPCX_TEAM_ALL, sum, one, 1, UPC_LONG, UPC_MAX, UPC_IN_MYSYNC);
        CHECK_EQ(sum[MYTHREAD], THREADS - 1 + round);
    }
    return check_done();
}
