// SPDX-License-Identifier: BSD-3-Clause
// A header with a mistake.
shared int only_in_static[7];
