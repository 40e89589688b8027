// SPDX-License-Identifier: BSD-3-Clause
// Arguments arrive as they are; a file beside is found from the working directory.
//@ args: -x --flag=1 -- 007
#include "../../check.h"

int main(int argc, char **argv)
{
    CHECK_EQ(argc, 5);
    CHECK(strcmp(argv[1], "-x") == 0);
    CHECK(strcmp(argv[3], "--") == 0);
    CHECK_EQ(atoi(argv[4]), 7);
    return check_done();
}
