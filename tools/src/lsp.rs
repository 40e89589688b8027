// SPDX-License-Identifier: BSD-3-Clause
//! `furlong lsp`: a server of the Language Server Protocol for UPC, on standard input and output.
//!
//! What is answered is the business of `furlong_language`; here are the protocol, the files, and
//! the C compiler, which preprocesses. One thread does everything, in the order of the messages; texts
//! that have changed are looked at when no message waits.

mod answers;
mod convert;
mod documents;
mod flags;
mod manual;
mod server;
mod transport;

use crate::exit;
use crate::upcc::translate::on_big_stack;

/// Serves one client, and returns the exit code.
pub fn serve() -> i32 {
    on_big_stack(|| server::Server::default().run()).unwrap_or(exit::SYSTEM)
}
