// SPDX-License-Identifier: BSD-3-Clause
//! The trace in Perfetto's format (ui.perfetto.dev): packets of protocol buffers, of which it takes
//! few enough to be written by hand. Numbers of fields are those of perfetto/trace/trace_packet.proto
//! and what that includes.

use super::job::Job;
use super::recording::NOBODY;
use std::io::{self, Write};

/// Field numbers.
mod field {
    pub const TRACE_PACKET: u32 = 1;
    pub mod packet {
        pub const TIMESTAMP: u32 = 8;
        pub const SEQUENCE: u32 = 10;
        pub const TRACK_EVENT: u32 = 11;
        pub const INTERNED: u32 = 12;
        pub const SEQUENCE_FLAGS: u32 = 13;
        pub const TRACK_DESCRIPTOR: u32 = 60;
    }
    pub mod descriptor {
        pub const UUID: u32 = 1;
        pub const NAME: u32 = 2;
        pub const PROCESS: u32 = 3;
        pub const PARENT: u32 = 5;
        pub const PROCESS_PID: u32 = 1;
        pub const PROCESS_NAME: u32 = 6;
    }
    pub mod event {
        pub const ANNOTATION: u32 = 4;
        pub const TYPE: u32 = 9;
        pub const NAME_IID: u32 = 10;
        pub const TRACK: u32 = 11;
        pub const ANNOTATION_UINT: u32 = 3;
        pub const ANNOTATION_NAME: u32 = 10;
    }
    pub const INTERNED_EVENT_NAME: u32 = 2;
    pub const IID: u32 = 1;
    pub const IID_NAME: u32 = 2;
}

const STATE_CLEARED: u64 = 1;
const NEEDS_STATE: u64 = 2;
const SLICE_BEGIN: u64 = 1;
const SLICE_END: u64 = 2;

#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    fn number(&mut self, field: u32, value: u64) -> &mut Self {
        self.varint(u64::from(field) << 3);
        self.varint(value);
        self
    }

    fn bytes(&mut self, field: u32, bytes: &[u8]) -> &mut Self {
        self.varint(u64::from(field) << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend(bytes);
        self
    }

    fn text(&mut self, field: u32, text: &str) -> &mut Self {
        self.bytes(field, text.as_bytes())
    }

    fn message(&mut self, field: u32, inner: &Message) -> &mut Self {
        self.bytes(field, &inner.0)
    }
}

/// Writes events of at least `shortest` ns.
pub fn write(job: &Job, shortest: u64, out: &mut impl Write) -> io::Result<()> {
    let mut packet = |inner: &Message| {
        let mut outer = Message::default();
        outer.message(field::TRACE_PACKET, inner);
        out.write_all(&outer.0)
    };
    let mut hosts = Vec::new();
    for recording in &job.threads {
        if !hosts.contains(&recording.host) {
            hosts.push(recording.host);
            packet(&host(recording.host, &recording.host_name))?;
        }
    }
    for (row, recording) in job.threads.iter().enumerate() {
        let track = 1000 + row as u64;
        packet(&thread(track, recording.thread, recording.host))?;
        packet(&names(track, &recording.sites))?;
        let mut shown: Vec<_> = recording.events.iter().filter(|e| e.ns >= shortest).collect();
        // What holds others comes before them.
        shown.sort_by_key(|event| (event.begin, std::cmp::Reverse(event.ns)));
        for event in shown {
            packet(&begin(track, event))?;
            packet(&slice(track, event.begin + event.ns, SLICE_END, &mut Message::default()))?;
        }
    }
    Ok(())
}

fn host_track(host: u32) -> u64 {
    u64::from(host) + 1
}

fn host(host: u32, name: &str) -> Message {
    let (mut process, mut descriptor, mut packet) = <(Message, Message, Message)>::default();
    process.number(field::descriptor::PROCESS_PID, host_track(host));
    process.text(field::descriptor::PROCESS_NAME, name);
    descriptor.number(field::descriptor::UUID, host_track(host));
    descriptor.message(field::descriptor::PROCESS, &process);
    packet.message(field::packet::TRACK_DESCRIPTOR, &descriptor);
    packet
}

fn thread(track: u64, thread: u32, host: u32) -> Message {
    let (mut descriptor, mut packet) = <(Message, Message)>::default();
    descriptor.number(field::descriptor::UUID, track);
    descriptor.text(field::descriptor::NAME, &format!("thread {thread}"));
    descriptor.number(field::descriptor::PARENT, host_track(host));
    packet.message(field::packet::TRACK_DESCRIPTOR, &descriptor);
    packet
}

/// The names of the thread's sites, by their numbers plus 1.
fn names(track: u64, sites: &[super::recording::Site]) -> Message {
    let (mut interned, mut packet) = <(Message, Message)>::default();
    for (number, site) in sites.iter().enumerate() {
        let what = if site.call.is_empty() { &site.what } else { &site.call };
        let text = match site.file.is_empty() {
            true => what.clone(),
            false => format!("{what} {}:{}", site.file, site.line),
        };
        let mut name = Message::default();
        name.number(field::IID, number as u64 + 1).text(field::IID_NAME, &text);
        interned.message(field::INTERNED_EVENT_NAME, &name);
    }
    packet.number(field::packet::SEQUENCE, track);
    packet.number(field::packet::SEQUENCE_FLAGS, STATE_CLEARED);
    packet.message(field::packet::INTERNED, &interned);
    packet
}

fn begin(track: u64, event: &super::recording::Event) -> Message {
    let mut body = Message::default();
    body.number(field::event::NAME_IID, u64::from(event.site) + 1);
    let mut annotate = |name: &str, value: u64| {
        let mut annotation = Message::default();
        annotation.text(field::event::ANNOTATION_NAME, name);
        annotation.number(field::event::ANNOTATION_UINT, value);
        body.message(field::event::ANNOTATION, &annotation);
    };
    if event.peer != NOBODY {
        annotate("peer", u64::from(event.peer));
        annotate("bytes", event.value);
    }
    slice(track, event.begin, SLICE_BEGIN, &mut body)
}

fn slice(track: u64, at: u64, kind: u64, body: &mut Message) -> Message {
    let mut packet = Message::default();
    body.number(field::event::TYPE, kind).number(field::event::TRACK, track);
    packet.number(field::packet::TIMESTAMP, at);
    packet.number(field::packet::SEQUENCE, track);
    packet.number(field::packet::SEQUENCE_FLAGS, NEEDS_STATE);
    packet.message(field::packet::TRACK_EVENT, body);
    packet
}

#[cfg(test)]
mod tests {
    use super::super::recording::{Event, Recording, Site};
    use super::*;

    /// A field: its number, and what it holds.
    #[derive(Clone, PartialEq, Debug)]
    enum Value {
        Number(u64),
        Bytes(Vec<u8>),
    }

    fn varint(bytes: &mut &[u8]) -> u64 {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let (first, rest) = bytes.split_first().expect("a number is cut off");
            *bytes = rest;
            value |= u64::from(first & 0x7f) << shift;
            if first & 0x80 == 0 {
                break;
            }
        }
        value
    }

    fn decode(mut bytes: &[u8]) -> Vec<(u64, Value)> {
        let mut fields = Vec::new();
        while !bytes.is_empty() {
            let key = varint(&mut bytes);
            let value = match key & 7 {
                0 => Value::Number(varint(&mut bytes)),
                2 => {
                    let n = varint(&mut bytes) as usize;
                    let (inner, rest) = bytes.split_at(n);
                    bytes = rest;
                    Value::Bytes(inner.to_vec())
                }
                other => panic!("wire type {other}"),
            };
            fields.push((key >> 3, value));
        }
        fields
    }

    fn inner(fields: &[(u64, Value)], wanted: u32) -> Vec<(u64, Value)> {
        let found = fields.iter().find(|(field, _)| *field == u64::from(wanted));
        match found {
            Some((_, Value::Bytes(bytes))) => decode(bytes),
            _ => Vec::new(),
        }
    }

    fn number(fields: &[(u64, Value)], wanted: u32) -> Option<u64> {
        fields.iter().find_map(|(field, value)| match value {
            Value::Number(n) if *field == u64::from(wanted) => Some(*n),
            _ => None,
        })
    }

    #[test]
    fn what_is_written_can_be_decoded() {
        let site =
            Site { what: "barrier".into(), file: "a.upc".into(), line: 7, ..Site::default() };
        let event = Event { begin: 1000, ns: 300, site: 0, peer: NOBODY, value: 0 };
        let recording = Recording {
            thread: 3,
            threads: 5,
            host: 1,
            host_name: "b".into(),
            sites: vec![site],
            events: vec![event],
            ..Recording::default()
        };
        let mut bytes = Vec::new();
        write(&Job::new(vec![recording]), 0, &mut bytes).unwrap();
        let packets: Vec<_> = decode(&bytes)
            .into_iter()
            .map(|(field, value)| match value {
                Value::Bytes(bytes) if field == 1 => decode(&bytes),
                other => panic!("{other:?} is no packet"),
            })
            .collect();
        assert_eq!(packets.len(), 5, "a host, a thread, names, begin and end");
        let track = number(&inner(&packets[1], 60), 1).unwrap();
        assert_eq!(number(&inner(&packets[1], 60), 5), number(&inner(&packets[0], 60), 1));
        let name = inner(&inner(&packets[2], 12), 2);
        assert!(name.contains(&(2, Value::Bytes(b"barrier a.upc:7".to_vec()))), "{name:?}");
        for (packet, (at, kind)) in packets[3..].iter().zip([(1000, 1), (1300, 2)]) {
            let event = inner(packet, 11);
            assert_eq!(number(packet, 8), Some(at));
            assert_eq!((number(&event, 9), number(&event, 11)), (Some(kind), Some(track)));
        }
        assert_eq!(number(&inner(&packets[3], 11), 10), number(&name, 1));
    }
}
