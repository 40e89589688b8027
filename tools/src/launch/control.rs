// SPDX-License-Identifier: BSD-3-Clause
//! What processes say over their control sockets (docs/launch.md, "The control socket").

use super::stats::Counts;
use super::trace::{Cost, Line};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Message {
    Up,
    /// The address of the process in the network, in hexadecimal digits.
    Card {
        text: String,
    },
    /// The thread waits for a debugger.
    Frozen {
        thread: u32,
    },
    Fatal {
        thread: u32,
        code: String,
        text: String,
    },
    Exit {
        thread: u32,
        status: i32,
    },
    GlobalExit {
        thread: u32,
        status: i32,
        function: String,
    },
    Done {
        status: i32,
    },
    Signal {
        thread: u32,
        number: i32,
        /// Whose access raised it.
        address: Option<i64>,
        /// Of the source, if it is known.
        place: String,
    },
    Trace(Line, Cost),
    Stats(Counts),
}

/// Understands one packet. Nothing for one that no version of the runtime sends.
pub fn parse(packet: &[u8]) -> Option<Message> {
    let text = std::str::from_utf8(packet).ok()?.trim_end_matches(['\0', '\n']);
    let (kind, rest) = text.split_once(' ').unwrap_or((text, ""));
    let (first, second) = rest.split_once(' ').unwrap_or((rest, ""));
    let thread = first.parse();
    Some(match kind {
        "up" => Message::Up,
        "card" => Message::Card { text: hexadecimal(first)? },
        "frozen" => Message::Frozen { thread: thread.ok()? },
        "fatal" => {
            let (code, text) = second.split_once(' ').unwrap_or((second, ""));
            Message::Fatal { thread: thread.ok()?, code: code.into(), text: text.into() }
        }
        "exit" => Message::Exit { thread: thread.ok()?, status: second.parse().ok()? },
        "global_exit" => {
            let (status, function) = second.split_once(' ')?;
            let (thread, status) = (thread.ok()?, status.parse().ok()?);
            Message::GlobalExit { thread, status, function: function.into() }
        }
        "done" => Message::Done { status: first.parse().ok()? },
        "signal" => {
            let (number, rest) = second.split_once(' ').unwrap_or((second, ""));
            let (address, place) = rest.split_once(' ').unwrap_or((rest, ""));
            let (number, address) = (number.parse().ok()?, address.parse().ok());
            Message::Signal { thread: thread.ok()?, number, address, place: place.into() }
        }
        "stats" => Message::Stats(counts(rest)?),
        "trace" => traced(rest)?,
        _ => return None,
    })
}

fn traced(text: &str) -> Option<Message> {
    let mut words = text.splitn(6, ' ');
    let mut number = || words.next()?.parse().ok();
    let line = u32::try_from(number()?).ok()?;
    let cost = Cost { operations: number()?, bytes: number()?, ns: number()? };
    let what = words.next()?.to_string();
    Some(Message::Trace(Line { file: words.next()?.to_string(), line, what }, cost))
}

/// Names, each with its value.
fn counts(text: &str) -> Option<Counts> {
    let words: Vec<_> = text.split_whitespace().collect();
    let pair = |pair: &[&str]| Some((pair.first()?.to_string(), pair.get(1)?.parse().ok()?));
    words.chunks(2).map(pair).collect()
}

fn hexadecimal(text: &str) -> Option<String> {
    text.bytes().all(|b| b.is_ascii_hexdigit()).then(|| text.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_of_the_contract() {
        assert_eq!(parse(b"up"), Some(Message::Up));
        assert_eq!(
            parse(b"fatal 3 R0301 barrier values differ: 1 and 2"),
            Some(Message::Fatal {
                thread: 3,
                code: "R0301".into(),
                text: "barrier values differ: 1 and 2".into()
            })
        );
        assert_eq!(parse(b"exit 2 -1"), Some(Message::Exit { thread: 2, status: -1 }));
        let function = "upc_global_exit".into();
        assert_eq!(
            parse(b"global_exit 0 7 upc_global_exit"),
            Some(Message::GlobalExit { thread: 0, status: 7, function })
        );
        assert_eq!(parse(b"card 00fF"), Some(Message::Card { text: "00fF".into() }));
        assert_eq!(parse(b"frozen 2"), Some(Message::Frozen { thread: 2 }));
        assert_eq!(parse(b"done 0\n"), Some(Message::Done { status: 0 }));
        let signal = |address, place: &str| {
            Some(Message::Signal { thread: 5, number: 11, address, place: place.into() })
        };
        assert_eq!(parse(b"signal 5 11"), signal(None, ""));
        assert_eq!(parse(b"signal 5 11 -16"), signal(Some(-16), ""));
        assert_eq!(parse(b"signal 5 11 8 a b.upc:7"), signal(Some(8), "a b.upc:7"));
        assert_eq!(parse(b"signal 5 11 - a.upc:7"), signal(None, "a.upc:7"));
        assert_eq!(
            parse(b"trace 12 3 24 5000 strict-read a b.upc"),
            Some(Message::Trace(
                Line { file: "a b.upc".into(), line: 12, what: "strict-read".into() },
                Cost { operations: 3, bytes: 24, ns: 5000 }
            ))
        );
        assert_eq!(
            parse(b"stats messages 3 bytes 70"),
            Some(Message::Stats(vec![("messages".into(), 3), ("bytes".into(), 70)]))
        );
        for junk in [
            &b""[..],
            b"exit",
            b"exit x 1",
            b"done",
            b"card 0x1",
            b"\xff\xfe",
            b"hello 1 2",
            b"trace 1 2 3 4 read",
            b"stats messages",
        ] {
            assert_eq!(parse(junk), None);
        }
    }
}
