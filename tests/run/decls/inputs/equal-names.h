// SPDX-License-Identifier: BSD-3-Clause
// Included by both files: each has its own object.
static shared int in_header;
