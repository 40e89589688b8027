/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The main of a program whose own main is in an object in C or C++ that upcc did not make. upcc
 * links it with `--wrap=main`: the C library then calls __wrap_main, and the user's is __real_main.
 */
#include "upc/start.h"

upc_main_function __real_main;
int __wrap_main(int argc, char **argv);

/* As in main.c. */
__attribute__((section("upcr_start"), used, retain)) static const char started = 1;

int __wrap_main(int argc, char **argv) {
    upc_start(argc, argv, __real_main);
}
