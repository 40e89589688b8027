// SPDX-License-Identifier: BSD-3-Clause
// main with a third parameter, returning through a helper.
#include "../../check.h"

static int finish(void)
{
    return check_done();
}

int main(int argc, char *argv[], char *envp[])
{
    CHECK_EQ(argc, 1);
    CHECK(argv[0][0] != 0 && argv[1] == NULL);
    CHECK(envp != NULL);
    return finish();
}
