// SPDX-License-Identifier: BSD-3-Clause
//! A client of `furlong dap`: a session as an editor has it. Skipped where gdb is no debug adapter (before
//! version 14), may not attach, or the runtime has not been built.

#[path = "dap/client.rs"]
mod client;
#[path = "lsp/framed.rs"]
mod framed;

use client::Job;
use serde_json::json;

/// Line numbers are those of tests/cli/inputs/debugged.upc.
const SHOW: u32 = 28;

#[test]
fn threads_of_one_process() {
    session(3);
}

#[test]
fn threads_of_three_processes() {
    session(1);
}

#[test]
fn threads_of_two_processes() {
    session(2);
}

/// A breakpoint that each thread comes to shows shared data.
fn session(pthreads: u32) {
    let Some(job) = Job::start("debugged", 3, pthreads) else { return };
    let Some(mut editor) = job.attach(SHOW) else { return };
    let stopped = editor.event("stopped");
    assert_eq!(stopped["reason"], "attach");
    let waiting = stopped["threadId"].clone();
    editor.ask("continue", json!({ "threadId": waiting }));

    let stopped = editor.event("stopped");
    assert_eq!(stopped["reason"], "breakpoint", "{stopped}");
    let thread = stopped["threadId"].clone();
    let threads = editor.ask("threads", json!({}));
    assert_eq!(threads["threads"].as_array().map(Vec::len), Some(3), "{threads}");
    let stack = editor.ask("stackTrace", json!({ "threadId": thread }));
    let frame = &stack["stackFrames"][0];
    assert_eq!((&frame["name"], &frame["line"]), (&json!("show"), &json!(SHOW)), "{stack}");

    let arguments = editor.variables(&frame["id"], "Arguments");
    assert!(arguments["row"].contains("(thread 1, phase 2, offset 0x"), "{arguments:?}");
    assert!(arguments["row"].ends_with("-> 6"), "{arguments:?}");
    assert_eq!(editor.watch(&frame["id"], "$upc(\"counter\")"), "42");
    assert_eq!(editor.watch(&frame["id"], "$THREADS"), "3");
    let typed = editor.console(&frame["id"], "upc print blocked");
    assert!(typed.starts_with("{0, 1, 2, 3, 4, 5,"), "{typed}");

    editor.remove_breakpoints();
    editor.ask("continue", json!({ "threadId": thread }));
    assert_eq!(editor.event("exited")["exitCode"], 0);
    editor.event("terminated");
    editor.end();
    assert_eq!(job.printed(), "6 1\n");
}
