/* SPDX-License-Identifier: BSD-3-Clause */
/* The header under the name by which programs of TreadMarks include it. */
#include <furlong/tmk.h>
