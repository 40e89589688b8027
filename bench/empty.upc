// SPDX-License-Identifier: BSD-3-Clause
/* A program that does nothing: what is left is starting and ending it. */
#include <upc_relaxed.h>

int main(void) {
    return 0;
}
