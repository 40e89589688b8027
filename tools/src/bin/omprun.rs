// SPDX-License-Identifier: BSD-3-Clause
//! The program `omprun`; all of it is in [`furlong_tools::omprun`].

fn main() {
    furlong_tools::begin::tool("omprun", furlong_tools::omprun::main);
}
