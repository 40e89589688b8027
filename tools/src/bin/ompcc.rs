// SPDX-License-Identifier: BSD-3-Clause
//! The program `ompcc`, and the assembler behind it; all of it is in [`furlong_tools::ompcc`].

fn main() {
    let mut args = std::env::args_os().map(|a| a.to_string_lossy().into_owned());
    let name = args.next().unwrap_or_default();
    std::process::exit(furlong_tools::ompcc::main(&name, args.collect()));
}
