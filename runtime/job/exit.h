/* SPDX-License-Identifier: BSD-3-Clause */
/* exit(3) in processes whose threads end one by one, as processes do. */
#ifndef FL_JOB_EXIT_H
#define FL_JOB_EXIT_H

/* Once. Whichever thread calls exit calls `each` first; null: none does. `last` is called once, after
 * what the program has registered from now on by atexit. Either may stay for ever. Fatal if there is
 * no memory. */
void fl_exit_prepare(void (*each)(int status), void (*last)(int status));

#endif
