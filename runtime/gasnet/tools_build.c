/* SPDX-License-Identifier: BSD-3-Clause */
/* The archive of the tools by themselves, which are in libfurlong: clients look for its name. */
extern const char fl_gasnet_tools[];
const char fl_gasnet_tools[] = "gasnet_tools";
