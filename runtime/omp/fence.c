/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions that ompcc inserts calls of: in the place of a fence, around an atomic instruction that
 * it has moved out of its function, and in a loop that waits for memory to change. On one host only
 * the fence does anything; over several hosts libfurlong-spread.so's functions come before these.
 */
#include "platform/machine.h"

/* Called where the compiler expects an instruction: they may change no register, nor flags. */
__asm__(".pushsection .text\n"
        ".globl fl_omp_fence, fl_omp_atomic_enter, fl_omp_atomic_leave\n"
        ".globl fl_omp_look, fl_omp_seen\n"
        ".type fl_omp_fence, @function\n"
        ".type fl_omp_atomic_enter, @function\n"
        ".type fl_omp_atomic_leave, @function\n"
        ".type fl_omp_look, @function\n"
        ".type fl_omp_seen, @function\n"
        "fl_omp_fence:\n"
        "\t" FL_OS_FENCE_INSTRUCTION "\n"
        "fl_omp_atomic_enter:\n"
        "fl_omp_atomic_leave:\n"
        "fl_omp_look:\n"
        "fl_omp_seen:\n"
        "\tret\n"
        ".size fl_omp_fence, . - fl_omp_fence\n"
        ".popsection");
