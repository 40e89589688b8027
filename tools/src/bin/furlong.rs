// SPDX-License-Identifier: BSD-3-Clause
//! The program `furlong`; all of it is in [`furlong_tools::furlong`].

fn main() {
    furlong_tools::begin::tool("furlong", furlong_tools::furlong::main);
}
