// SPDX-License-Identifier: BSD-3-Clause
//! Loop transformations over shared data; one pass per file.
