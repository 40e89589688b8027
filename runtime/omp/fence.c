/* SPDX-License-Identifier: BSD-3-Clause */
/* What ompcc has called in the place of a fence, on one host; over several another comes before it. */

/* Called where the compiler expects an instruction: it may change no register. */
__asm__(".pushsection .text\n"
        ".globl fl_omp_fence\n"
        ".type fl_omp_fence, @function\n"
        "fl_omp_fence:\n"
        "\tlock orq $0, (%rsp)\n"
        "\tret\n"
        ".size fl_omp_fence, . - fl_omp_fence\n"
        ".popsection");
