/* SPDX-License-Identifier: BSD-3-Clause */
/* Headers of C that the program uses without including them, as it may with Berkeley UPC's <upc.h>.
 * upcc defines a macro for each (warning W0107); without the macros nothing is included. */
#ifdef FURLONG_MISSING_STDLIB_H
#include <stdlib.h>
#endif
#ifdef FURLONG_MISSING_ASSERT_H
#include <assert.h>
#endif
#ifdef FURLONG_MISSING_INTTYPES_H
#include <inttypes.h>
#endif
#ifdef FURLONG_MISSING_STDDEF_H
#include <stddef.h>
#endif
#ifdef FURLONG_MISSING_LIMITS_H
#include <limits.h>
#endif
#ifdef FURLONG_MISSING_STDIO_H
#include <stdio.h>
#endif
#ifdef FURLONG_MISSING_STRING_H
#include <string.h>
#endif
/* <sys/param.h> has dozens of other names, which are rather the program's own. */
#ifdef FURLONG_MISSING_SYS_PARAM_H
#ifndef MIN
#define MIN(a, b) (((a) < (b)) ? (a) : (b))
#endif
#ifndef MAX
#define MAX(a, b) (((a) > (b)) ? (a) : (b))
#endif
#endif
