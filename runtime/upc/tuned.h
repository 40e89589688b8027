/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the table of rules for how collective operations are performed, if there is one besides the
 * built-in rules, and has all processes of the job use the same. Its syntax is in coll/choose.h. */
#ifndef FL_UPC_TUNED_H
#define FL_UPC_TUNED_H

#include "core/status.h"

/* On the first host, before comm is connected: the text of the file that FURLONG_COLL_TABLE names,
 * or of the one in the user's folder of settings, or of the installation's; null: none. */
char *upc_tuned_read(void);

/* On the others, once comm is connected: that text, from host 0's first process. */
char *upc_tuned_ask(void);

struct fl_comm_call;
/* That process's answer, to a call with one word. */
void upc_tuned_answer(const struct fl_comm_call *call, const char *text);

#endif
