// SPDX-License-Identifier: BSD-3-Clause
//! A job that waits for a debugger, and the editor's side of the protocol. The tools run in an
//! installation of its own, with the runtime of the build tree.

use super::framed;
use serde_json::{json, Value};
use std::collections::{HashMap, VecDeque};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// `furlong dap` refuses its debugger.
const NOT_FOUND: i32 = 127;
/// A debugger that says nothing is given up.
const SECONDS_MOST: &str = "60";

pub struct Job {
    root: PathBuf,
    source: PathBuf,
    child: Child,
    process: u32,
}

impl Job {
    /// A program of tests/cli/inputs, with so many threads in each process.
    pub fn start(name: &str, threads: u32, pthreads: u32) -> Option<Job> {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let library = sources.join("build/lib");
        if !library.join("libfurlong.a").exists() {
            println!("skipped: there is no runtime in build/lib");
            return None;
        }
        let root = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("furlong-dap-{}-{pthreads}", std::process::id()));
        for folder in ["bin", "share/furlong"] {
            std::fs::create_dir_all(root.join(folder)).unwrap();
        }
        let tools = [
            ("upcc", env!("CARGO_BIN_EXE_upcc")),
            ("upcrun", env!("CARGO_BIN_EXE_upcrun")),
            ("furlong", env!("CARGO_BIN_EXE_furlong")),
        ];
        for (name, tool) in tools {
            std::fs::hard_link(tool, root.join("bin").join(name)).unwrap();
        }
        let link = |from: PathBuf, to: &str| {
            std::os::unix::fs::symlink(from, root.join(to)).unwrap();
        };
        link(library, "lib");
        link(sources.join("runtime/include"), "include");
        link(sources.join("tools/gdb"), "share/furlong/gdb");
        let source = sources.join("tests/cli/inputs").join(name).with_extension("upc");
        let compiled = Command::new(root.join("bin/upcc"))
            .args(["-g", "-O0", "-o", "prog"])
            .arg(&source)
            .current_dir(&root)
            .status();
        assert!(compiled.unwrap().success());
        let mut child = Command::new(root.join("bin/upcrun"))
            .arg(format!("-n={threads}"))
            .arg(format!("-p={pthreads}"))
            .args(["-freeze", "./prog"])
            .current_dir(&root)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = String::new();
        BufReader::new(child.stderr.as_mut().unwrap()).read_line(&mut said).unwrap();
        let process = said.split("process ").nth(1).and_then(|rest| rest.split(' ').next());
        let process = process.unwrap_or_else(|| panic!("{said}")).parse().unwrap();
        Some(Job { root, source, child, process })
    }

    /// An editor that has set a breakpoint, and attached the debugger.
    pub fn attach(&self, line: u32) -> Option<Editor> {
        let adapter = || {
            let mut command = Command::new("timeout");
            command
                .args(["-s", "KILL", SECONDS_MOST])
                .arg(self.root.join("bin/furlong"))
                .arg("dap");
            command.env("HOME", &self.root).stdin(Stdio::null()).stdout(Stdio::piped());
            command
        };
        if adapter().status().unwrap().code() == Some(NOT_FOUND) {
            println!("skipped: there is no gdb that is a debug adapter");
            return None;
        }
        let mut adapter = adapter().stdin(Stdio::piped()).spawn().unwrap();
        let (input, output) = (adapter.stdin.take().unwrap(), adapter.stdout.take().unwrap());
        let (output, source) = (BufReader::new(output), self.source.clone());
        let (next, kept) = (0, VecDeque::new());
        let mut editor = Editor { adapter, input, output, source, next, kept };
        let capabilities =
            editor.ask("initialize", json!({ "adapterID": "furlong", "pathFormat": "path" }));
        assert_eq!(capabilities["supportsConditionalBreakpoints"], true, "{capabilities}");
        let attach = editor.send("attach", json!({ "pid": self.process }));
        editor.event("initialized");
        editor.set_breakpoints(json!([{ "line": line }]));
        editor.ask("configurationDone", json!({}));
        let attached = editor.answer(attach);
        if attached["message"].as_str().is_some_and(|why| why.contains("ptrace")) {
            println!("skipped: {attached}");
            return None;
        }
        assert_eq!(attached["success"], true, "{attached}");
        Some(editor)
    }

    /// What the program has printed, once it has ended well.
    pub fn printed(mut self) -> String {
        let mut text = String::new();
        self.child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
        assert!(self.child.wait().unwrap().success());
        text
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.root);
    }
}

pub struct Editor {
    adapter: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    source: PathBuf,
    next: u64,
    /// Events that nobody has waited for yet.
    kept: VecDeque<Value>,
}

impl Editor {
    /// The body of a successful answer.
    pub fn ask(&mut self, command: &str, arguments: Value) -> Value {
        let number = self.send(command, arguments);
        let mut answer = self.answer(number);
        assert_eq!(answer["success"], true, "{command}: {answer}");
        answer["body"].take()
    }

    /// The body of the next event of this name.
    pub fn event(&mut self, name: &str) -> Value {
        let mut event = self.next(|m| m["event"] == name);
        event["body"].take()
    }

    fn send(&mut self, command: &str, arguments: Value) -> u64 {
        self.next += 1;
        let request = json!({
            "seq": self.next, "type": "request", "command": command, "arguments": arguments,
        });
        framed::send(&mut self.input, &request);
        self.next
    }

    fn answer(&mut self, number: u64) -> Value {
        self.next(|m| m["type"] == "response" && m["request_seq"] == number)
    }

    fn next(&mut self, is_wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(n) = self.kept.iter().position(&is_wanted) {
            return self.kept.remove(n).unwrap();
        }
        loop {
            let message = framed::receive(&mut self.output);
            if is_wanted(&message) {
                return message;
            }
            self.kept.push_back(message);
        }
    }

    fn set_breakpoints(&mut self, breakpoints: Value) {
        let source = json!({ "path": self.source });
        self.ask("setBreakpoints", json!({ "source": source, "breakpoints": breakpoints }));
    }

    pub fn remove_breakpoints(&mut self) {
        self.set_breakpoints(json!([]));
    }

    /// Names and values of a frame's scope.
    pub fn variables(&mut self, frame: &Value, scope: &str) -> HashMap<String, String> {
        let scopes = self.ask("scopes", json!({ "frameId": frame }));
        let all = scopes["scopes"].as_array().unwrap();
        let found = all.iter().find(|s| s["name"] == scope).unwrap_or_else(|| panic!("{scopes}"));
        let reference = json!({ "variablesReference": found["variablesReference"] });
        let answer = self.ask("variables", reference);
        let text = |value: &Value| value.as_str().unwrap_or("").to_string();
        let variables = answer["variables"].as_array().unwrap();
        variables.iter().map(|v| (text(&v["name"]), text(&v["value"]))).collect()
    }

    pub fn watch(&mut self, frame: &Value, expression: &str) -> String {
        self.evaluate(frame, "watch", expression)
    }

    /// What a command prints that the user types into the debugger's console.
    pub fn console(&mut self, frame: &Value, command: &str) -> String {
        self.evaluate(frame, "repl", command)
    }

    fn evaluate(&mut self, frame: &Value, context: &str, expression: &str) -> String {
        let arguments = json!({ "expression": expression, "frameId": frame, "context": context });
        let answer = self.ask("evaluate", arguments);
        answer["result"].as_str().unwrap_or_else(|| panic!("{answer}")).to_string()
    }

    pub fn end(mut self) {
        self.ask("disconnect", json!({}));
        assert!(self.adapter.wait().unwrap().success());
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.adapter.kill();
        let _ = self.adapter.wait();
    }
}
