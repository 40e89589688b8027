// SPDX-License-Identifier: BSD-3-Clause
#ifndef GUARDED_H
#include "guarded.h"
#endif
extern int defined_here, defined_there;
int sum_of_both(void);
