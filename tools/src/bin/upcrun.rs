// SPDX-License-Identifier: BSD-3-Clause
//! The program `upcrun`; all of it is in [`furlong_tools::upcrun`].

fn main() {
    furlong_tools::begin::tool("upcrun", furlong_tools::upcrun::main);
}
