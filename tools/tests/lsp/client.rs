// SPDX-License-Identifier: BSD-3-Clause
//! The client's side of the protocol. The server runs in an installation of its own, with the
//! headers and manual pages of the sources.

use super::framed;
use super::protocol::Protocol;
use serde_json::{json, Value};
use std::collections::{HashMap, VecDeque};
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// In UTF-16, from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    pub line: u32,
    pub column: u32,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    pub line: u32,
    pub text: String,
    pub modifiers: u32,
}

pub struct Client {
    folder: PathBuf,
    server: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    texts: HashMap<String, String>,
    version: i32,
    next_id: i64,
    /// Messages that nobody has asked for yet.
    kept: VecDeque<Value>,
    protocol: Protocol,
}

static CLIENTS: AtomicU32 = AtomicU32::new(0);

impl Client {
    pub fn start() -> Client {
        // Relaxed: only the numbers matter.
        let number = CLIENTS.fetch_add(1, Ordering::Relaxed);
        let root = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("furlong-lsp-{}-{number}", std::process::id()));
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        std::fs::create_dir_all(root.join("bin")).unwrap();
        std::fs::create_dir_all(root.join("work space")).unwrap();
        for section in ["man3", "man7"] {
            std::fs::create_dir_all(root.join("share/man").join(section)).unwrap();
        }
        let pages = sources.join("docs/man");
        std::fs::copy(pages.join("upc.3"), root.join("share/man/man3/upc_memget.3")).unwrap();
        std::fs::copy(pages.join("upc_barrier.7"), root.join("share/man/man7/upc_barrier.7"))
            .unwrap();
        // A process that another test starts meanwhile would have a copy open for writing: such a
        // file cannot be run (ETXTBSY).
        std::fs::hard_link(env!("CARGO_BIN_EXE_furlong"), root.join("bin/furlong")).unwrap();
        std::os::unix::fs::symlink(sources.join("runtime/include"), root.join("include")).unwrap();
        let mut server = Command::new(root.join("bin/furlong"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (server.stdin.take(), BufReader::new(server.stdout.take().unwrap()));
        let mut client = Client {
            folder: root.join("work space"),
            server,
            input,
            output,
            texts: HashMap::new(),
            version: 0,
            next_id: 0,
            kept: VecDeque::new(),
            protocol: Protocol::default(),
        };
        let answer = client.ask("initialize", json!({ "capabilities": {}, "rootUri": null }));
        assert_eq!(answer["serverInfo"]["name"], "furlong lsp");
        client.notify("initialized", json!({}));
        client
    }

    pub fn folder(&self) -> String {
        self.folder.display().to_string()
    }

    pub fn file(&self, name: &str, text: &str) {
        std::fs::write(self.folder.join(name), text).unwrap();
    }

    /// Of a file in the folder, or of a text that no file has.
    pub fn uri(&self, name: &str) -> String {
        if name.starts_with("untitled:") {
            return name.to_string();
        }
        format!("file://{}/{name}", self.folder.display()).replace(' ', "%20")
    }

    pub fn open(&mut self, name: &str, text: &str) {
        self.texts.insert(name.to_string(), text.to_string());
        let uri = self.uri(name);
        let document = json!({ "uri": uri, "languageId": "upc", "version": 0, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Replaces all of the text.
    pub fn set(&mut self, name: &str, text: &str) {
        self.texts.insert(name.to_string(), text.to_string());
        self.change(name, json!({ "text": text }));
    }

    /// Replaces the first `old`, as typing would.
    pub fn replace(&mut self, name: &str, old: &str, new: &str) {
        let from = self.place(name, old);
        let text = &self.texts[name];
        let end = text.find(old).unwrap() + old.len();
        let to = place_of(text, end);
        let text = text.replacen(old, new, 1);
        self.texts.insert(name.to_string(), text);
        let range = json!({ "start": position(from), "end": position(to) });
        self.change(name, json!({ "range": range, "text": new }));
    }

    fn change(&mut self, name: &str, change: Value) {
        self.version += 1;
        let id = json!({ "uri": self.uri(name), "version": self.version });
        let params = json!({ "textDocument": id, "contentChanges": [change] });
        self.notify("textDocument/didChange", params);
    }

    /// Of the first `word` in the text.
    pub fn place(&self, name: &str, word: &str) -> Place {
        let text = &self.texts[name];
        place_of(text, text.find(word).unwrap_or_else(|| panic!("no `{word}` in {text}")))
    }

    /// Those of the newest text.
    pub fn diagnostics(&mut self, name: &str) -> Vec<Value> {
        let uri = self.uri(name);
        loop {
            let message = self.next(|m| m["method"] == "textDocument/publishDiagnostics");
            let params = &message["params"];
            if params["uri"] == uri && params["version"] == self.version {
                return params["diagnostics"].as_array().unwrap().clone();
            }
        }
    }

    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let mut answer = self.try_ask(method, params);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].take()
    }

    /// The whole answer, which may be an error.
    pub fn try_ask(&mut self, method: &str, params: Value) -> Value {
        self.next_id += 1;
        let id = self.next_id;
        self.protocol.asked(id, method);
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        self.next(|m| m["id"] == id && m.get("method").is_none())
    }

    /// Asks about the byte `skip` of the first `word`.
    pub fn ask_at(&mut self, method: &str, name: &str, word: &str, skip: u32) -> Value {
        let place = self.place(name, word);
        let mut answer =
            self.try_ask_place(method, name, Place { column: place.column + skip, ..place });
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].take()
    }

    /// Asks about the end of the first `word`.
    pub fn ask_after(&mut self, method: &str, name: &str, word: &str) -> Value {
        self.ask_at(method, name, word, word.encode_utf16().count() as u32)
    }

    pub fn try_ask_place(&mut self, method: &str, name: &str, place: Place) -> Value {
        let mut params =
            json!({ "textDocument": { "uri": self.uri(name) }, "position": position(place) });
        if method.ends_with("references") {
            params["context"] = json!({ "includeDeclaration": true });
        }
        self.try_ask(method, params)
    }

    pub fn try_rename(&mut self, name: &str, word: &str, skip: u32, new: &str) -> Value {
        let place = self.place(name, word);
        let place = position(Place { column: place.column + skip, ..place });
        let id = json!({ "uri": self.uri(name) });
        let params = json!({ "textDocument": id, "position": place, "newName": new });
        self.try_ask("textDocument/rename", params)
    }

    /// The text after a renaming.
    pub fn rename(&mut self, name: &str, word: &str, skip: u32, new: &str) -> String {
        let answer = self.try_rename(name, word, skip, new);
        assert!(answer.get("error").is_none(), "{answer}");
        self.applied(name, &answer["result"])
    }

    pub fn actions_at(&mut self, name: &str, place: Place) -> Value {
        let range = json!({ "start": position(place), "end": position(place) });
        let params = json!({
            "textDocument": { "uri": self.uri(name) }, "range": range, "context": { "diagnostics": [] },
        });
        self.ask("textDocument/codeAction", params)
    }

    /// The action at `word` whose title has `title` in it, and the text after it.
    pub fn action(&mut self, name: &str, word: &str, title: &str) -> (Value, String) {
        let place = self.place(name, word);
        let found = self.actions_at(name, place);
        let is_it = |action: &&Value| action["title"].as_str().unwrap_or("").contains(title);
        let all = found.as_array().unwrap();
        let action = all.iter().find(is_it).unwrap_or_else(|| panic!("no {title} in {found}"));
        (action.clone(), self.applied(name, &action["edit"]))
    }

    fn applied(&self, name: &str, edit: &Value) -> String {
        let mut text = self.texts[name].clone();
        let mut edits = edit["changes"][self.uri(name)].as_array().cloned().unwrap_or_default();
        let key = |edit: &Value| {
            let start = &edit["range"]["start"];
            (start["line"].as_u64(), start["character"].as_u64())
        };
        edits.sort_by_key(key);
        for edit in edits.iter().rev() {
            let at = |which: &str| byte_of(&text, &edit["range"][which]);
            let (from, to) = (at("start"), at("end"));
            text.replace_range(from..to, edit["newText"].as_str().unwrap());
        }
        text
    }

    pub fn tokens(&mut self, name: &str) -> Vec<Token> {
        let params = json!({ "textDocument": { "uri": self.uri(name) } });
        let answer = self.ask("textDocument/semanticTokens/full", params);
        let numbers: Vec<u32> =
            answer["data"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap() as u32).collect();
        let (mut line, mut start, mut out) = (0, 0, Vec::new());
        for token in numbers.chunks(5) {
            start = if token[0] == 0 { start + token[1] } else { token[1] };
            line += token[0];
            let shown = self.texts[name].lines().nth(line as usize).unwrap_or("");
            let units: Vec<u16> = shown.encode_utf16().collect();
            let end = ((start + token[2]) as usize).min(units.len());
            let text = String::from_utf16_lossy(&units[(start as usize).min(end)..end]);
            out.push(Token { line, text, modifiers: token[4] });
        }
        out
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn send(&mut self, message: &Value) {
        framed::send(self.input.as_mut().unwrap(), message);
    }

    pub fn raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    /// An answer to something that had no number.
    pub fn next_error(&mut self) -> Value {
        let mut message = self.next(|m| m.get("error").is_some() && m["id"].is_null());
        message["error"].take()
    }

    fn next(&mut self, is_wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(n) = self.kept.iter().position(&is_wanted) {
            return self.kept.remove(n).unwrap();
        }
        loop {
            let message = framed::receive(&mut self.output);
            self.protocol.check(&message);
            if is_wanted(&message) {
                return message;
            }
            self.kept.push_back(message);
        }
    }

    /// Ends the session in the protocol's way.
    pub fn end(mut self) {
        self.ask("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        self.input = None;
        assert!(self.server.wait().unwrap().success());
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.input = None;
        let _ = self.server.kill();
        let _ = self.server.wait();
        let _ = std::fs::remove_dir_all(self.folder.parent().unwrap());
    }
}

fn position(place: Place) -> Value {
    json!({ "line": place.line, "character": place.column })
}

fn place_of(text: &str, byte: usize) -> Place {
    let before = &text[..byte];
    let column = before.rsplit('\n').next().unwrap_or("").encode_utf16().count() as u32;
    Place { line: before.matches('\n').count() as u32, column }
}

fn byte_of(text: &str, place: &Value) -> usize {
    let (line, column) = (place["line"].as_u64().unwrap(), place["character"].as_u64().unwrap());
    let start: usize = text.split_inclusive('\n').take(line as usize).map(str::len).sum();
    let mut units = 0;
    for (n, c) in text[start..].char_indices() {
        if units >= column {
            return start + n;
        }
        units += c.len_utf16() as u64;
    }
    text.len()
}
