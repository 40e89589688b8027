/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of how collective operations are performed that is not built in: found, and the same in
 * all processes of the job. Its rules are coll/choose.h's. */
#ifndef FL_UPC_TUNED_H
#define FL_UPC_TUNED_H

#include "core/status.h"

/* On the first host, before comm is connected: the text of the file that FURLONG_COLL_TABLE names,
 * or of that in the user's folder of settings, or of that of the installation; null: none. */
char *upc_tuned_read(void);

/* On the others, once it is: that text, from host 0's first process. */
char *upc_tuned_ask(void);

struct fl_comm_call;
/* That process's answer, to a call with one word. */
void upc_tuned_answer(const struct fl_comm_call *call, const char *text);

#endif
