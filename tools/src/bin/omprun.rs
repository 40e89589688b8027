// SPDX-License-Identifier: BSD-3-Clause
//! The program `omprun`; all of it is in [`furlong_tools::omprun`].

fn main() {
    let args = std::env::args_os().skip(1).map(|a| a.to_string_lossy().into_owned()).collect();
    std::process::exit(furlong_tools::omprun::main(args));
}
