// SPDX-License-Identifier: BSD-3-Clause
#ifndef GUARDED_H
#define GUARDED_H
#include <upc.h>
#endif
