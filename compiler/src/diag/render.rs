// SPDX-License-Identifier: BSD-3-Clause
//! Diagnostics as text.
