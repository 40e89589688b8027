/* SPDX-License-Identifier: BSD-3-Clause */
/* Fills the archive that clients of the tools link; the tools themselves are in libfurlong. */
extern const char fl_gasnet_tools[];
const char fl_gasnet_tools[] = "gasnet_tools";
