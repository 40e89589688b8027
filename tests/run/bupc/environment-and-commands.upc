// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2x2
// Every thread sees the environment of upcrun, and can run a command.
#include <sys/wait.h>

#include "../../check.h"

int main(void)
{
    CHECK(bupc_getenv("PATH") && strcmp(bupc_getenv("PATH"), getenv("PATH")) == 0);
    CHECK(bupc_getenv("NO_SUCH_VARIABLE_AS_THIS") == NULL);
    int status = bupc_system("exit 7");
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    CHECK(bupc_system(NULL) != 0);
    return check_done();
}
