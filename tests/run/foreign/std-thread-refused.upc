// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2:2x1
//@ with: teams.cc
//@ exit: 1
//@ stderr: error[R0311]: add (
//@ stderr: std-thread-refused.upc:
//@ stderr: compile the program with -nopthreads
// Where each UPC thread has private objects of its own, a thread of C++'s has none.
#include <stdio.h>
#include <upc.h>

static int sum;
int add(int n) { return sum += n; }
int run_threads(int n);

int main(void)
{
    return run_threads(1);
}
/* stdout:
*/
