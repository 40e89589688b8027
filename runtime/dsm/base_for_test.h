/* SPDX-License-Identifier: BSD-3-Clause */
/* Where tests have coherent memory. */
#ifndef FL_DSM_BASE_FOR_TEST_H
#define FL_DSM_BASE_FOR_TEST_H

#include "core/test.h"

#if TEST_TSAN
#define BASE ((uintptr_t)0x2000000000)
/* A fault is no surprise to its thread, which holds no lock at an access to the memory. */
__attribute__((visibility("default"))) const char *__tsan_default_options(void);
const char *__tsan_default_options(void) {
    return "report_signal_unsafe=0";
}
#else
#define BASE ((uintptr_t)3 << 43)
#endif

#endif
