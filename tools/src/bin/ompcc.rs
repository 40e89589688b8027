// SPDX-License-Identifier: BSD-3-Clause
//! The program `ompcc`, and the assembler behind it; all of it is in [`furlong_tools::ompcc`].

fn main() {
    furlong_tools::begin::tool("ompcc", furlong_tools::ompcc::main);
}
