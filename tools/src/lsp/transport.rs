// SPDX-License-Identifier: BSD-3-Clause
//! Messages of JSON-RPC 2.0, framed as the Language Server Protocol frames them. What cannot be read is
//! data: a client's mistake must not end the session, so this is not left to a library that takes it
//! for the end of the stream.

use serde_json::{json, Value};
use std::io::{BufRead, Read, Write};
use std::sync::mpsc::{channel, Receiver};

/// Longer messages are skipped.
const MAX_BYTES: usize = 256 << 20;

#[derive(Debug)]
pub enum Incoming {
    Message(Value),
    /// No JSON, or too long.
    Unreadable(String),
}

/// Reads messages in a thread of its own; the channel closes with the stream.
pub fn listen() -> Receiver<Incoming> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut input = std::io::stdin().lock();
        while let Some(message) = read(&mut input) {
            if sender.send(message).is_err() {
                break;
            }
        }
    });
    receiver
}

/// The next message; nothing at the end of the stream. Lines that are no headers are skipped.
fn read(input: &mut impl BufRead) -> Option<Incoming> {
    let mut length: Option<usize> = None;
    loop {
        let mut line = Vec::new();
        let n = input.by_ref().take(64 << 10).read_until(b'\n', &mut line).ok()?;
        if n == 0 {
            return None;
        }
        let line = String::from_utf8_lossy(&line);
        match (line.trim(), length) {
            ("", Some(length)) => return body(input, length),
            (header, _) => {
                if let Some((name, value)) = header.split_once(':') {
                    if name.trim().eq_ignore_ascii_case("content-length") {
                        length = value.trim().parse().ok();
                    }
                }
            }
        }
    }
}

fn body(input: &mut impl BufRead, length: usize) -> Option<Incoming> {
    if length > MAX_BYTES {
        let skipped = std::io::copy(&mut input.by_ref().take(length as u64), &mut std::io::sink());
        skipped.ok()?;
        return Some(Incoming::Unreadable(format!("a message of {length} bytes is too long")));
    }
    let mut bytes = vec![0; length];
    input.read_exact(&mut bytes).ok()?;
    Some(match serde_json::from_slice(&bytes) {
        Ok(value) => Incoming::Message(value),
        Err(e) => Incoming::Unreadable(format!("a message is not JSON: {e}")),
    })
}

/// Sends a message. A client that is gone is noticed where its messages end.
pub fn send(message: &Value) {
    let text = message.to_string();
    let mut out = std::io::stdout().lock();
    let _ = write!(out, "Content-Length: {}\r\n\r\n{text}", text.len());
    let _ = out.flush();
}

pub fn respond(id: Value, result: Value) {
    send(&json!({ "jsonrpc": "2.0", "id": id, "result": result }));
}

pub fn fail(id: Value, code: i32, message: &str) {
    send(&json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } }));
}

pub fn notify(method: &str, params: Value) {
    send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_read_is_skipped() {
        let text = "rubbish\r\nContent-Length: 3\r\n\r\n{x}content-length: 2\r\nX: y\r\n\r\n{}Content-Length: 9\r\n\r\n{";
        let mut input = text.as_bytes();
        assert!(matches!(read(&mut input), Some(Incoming::Unreadable(_))));
        assert!(matches!(read(&mut input), Some(Incoming::Message(_))));
        assert!(read(&mut input).is_none());
    }
}
