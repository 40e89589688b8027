// SPDX-License-Identifier: BSD-3-Clause
//! The program `upcc`; all of it is in [`furlong_tools::upcc`].

fn main() {
    furlong_tools::begin::tool("upcc", furlong_tools::upcc::main);
}
