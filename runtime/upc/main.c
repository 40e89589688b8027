/* SPDX-License-Identifier: BSD-3-Clause */
/* The main of a program whose own main is in UPC: upcc renames that one to upcr_main. */
#include "upc/start.h"

upc_main_function upcr_main;

/* Tells upcc's link step that the program starts the runtime. Nothing names it: without `retain`,
 * a linker with --gc-sections takes it away. */
__attribute__((section("upcr_start"), used, retain)) static const char started = 1;

int main(int argc, char **argv) {
    upc_start(argc, argv, upcr_main);
}
