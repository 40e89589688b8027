// SPDX-License-Identifier: BSD-3-Clause
//! Messages in JSON behind their length, as the Language Server Protocol and the Debug Adapter
//! Protocol have them.

use serde_json::Value;
use std::io::{BufRead, Write};

pub fn send(to: &mut impl Write, message: &Value) {
    let text = message.to_string();
    write!(to, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
    to.flush().unwrap();
}

pub fn receive(from: &mut impl BufRead) -> Value {
    let mut length = 0;
    loop {
        let mut line = String::new();
        let n = from.read_line(&mut line).unwrap();
        assert!(n > 0, "the server is gone");
        match line.trim().strip_prefix("Content-Length: ") {
            Some(number) => length = number.parse().unwrap(),
            None if line.trim().is_empty() => break,
            None => {}
        }
    }
    let mut bytes = vec![0; length];
    from.read_exact(&mut bytes).unwrap();
    serde_json::from_slice(&bytes).unwrap()
}
