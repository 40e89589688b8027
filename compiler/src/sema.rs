// SPDX-License-Identifier: BSD-3-Clause
//! Names, types and the rules of UPC 1.3 chapter 6.

pub mod types;
