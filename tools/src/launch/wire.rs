// SPDX-License-Identifier: BSD-3-Clause
//! What the head of a job and the hosts of its processes tell each other. A host that is not this
//! one hears and says it through its agent, in frames: four bytes of length, then postcard.

use super::fate::End;
use super::plan::Plan;
use crate::compiled::Mark;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// A process's stdout or stderr.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Stream {
    pub process: usize,
    pub is_stderr: bool,
}

/// What may come from a stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Flow {
    Open,
    /// Nothing for now: its reader is slow.
    Held,
    /// Nothing ever more: its reader is gone, which the process learns from SIGPIPE.
    Closed,
}

/// What a host needs to start its processes.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Task {
    #[serde(with = "path")]
    pub program: PathBuf,
    /// The program's name as the user gave it, and its arguments.
    pub words: Vec<String>,
    /// The program's on the first host.
    pub mark: Mark,
    pub plan: Plan,
    /// The number of the host.
    pub host: usize,
    /// The hosts that are started from it.
    pub below: Vec<usize>,
    /// Of a host that is not this one.
    pub away: Option<Away>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Away {
    #[serde(with = "path")]
    pub dir: PathBuf,
    pub env: Vec<(Vec<u8>, Vec<u8>)>,
    /// Whether the ends of a link are lost to each other when they are silent.
    pub beats: bool,
    pub tree: Tree,
}

/// How hosts are started from others.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Tree {
    /// The words that start a command on the host whose name is added.
    pub rsh: Vec<String>,
    /// The most hosts that are started from one.
    pub width: usize,
    /// How long a host may take to answer.
    pub wait: Duration,
}

/// From the head to a host.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Order {
    /// To an agent, first.
    Start(Box<Task>),
    /// Sends a signal to all processes that run, but for one.
    Signal {
        number: i32,
        spare: Option<usize>,
    },
    Flow(Stream, Flow),
    /// Has processes print where their threads are.
    Ask,
    /// The network addresses of all processes of the job, by their numbers.
    Cards(Vec<String>),
    /// For the standard input of process 0, as answer to [`Report::Reads`]; nothing: its end.
    Input(Vec<u8>),
    /// The user has stopped the job, or has it go on.
    Pause(bool),
    /// The head is there.
    Beat,
}

/// From a host to the head.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Report {
    Started {
        process: usize,
        pid: i32,
    },
    /// A packet from a process's control socket.
    Packet {
        process: usize,
        packet: Vec<u8>,
    },
    Output(Stream, Vec<u8>),
    /// A stream's end.
    Closed(Stream),
    /// Comes before the end of a process that the kernel has killed to free memory.
    Starved {
        process: usize,
        why: String,
    },
    /// Comes after everything that the process said.
    Ended {
        process: usize,
        end: End,
    },
    /// Process 0 has room for input.
    Reads,
    /// The first of the hosts cannot run the job, for a reason, and those below it are lost with it.
    Refused {
        hosts: Vec<usize>,
        code: i32,
        text: String,
    },
    /// Something for the user to read.
    Said(String),
    /// The agent is there.
    Beat,
}

/// A path as its bytes, which need not be text.
mod path {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::ffi::OsString;
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    use std::path::{Path, PathBuf};

    pub fn serialize<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
        path.as_os_str().as_bytes().serialize(to)
    }

    pub fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<PathBuf, D::Error> {
        Vec::deserialize(from).map(|bytes| OsString::from_vec(bytes).into())
    }
}

/// What an agent says first; what stands before it comes from the shell that started the agent.
pub const HELLO: &str = concat!("\nfurlong-agent ", env!("CARGO_PKG_VERSION"), "\n");

/// A longer frame is none of ours.
const LARGEST: usize = 1 << 28;

pub fn encode<T: Serialize>(message: &T, out: &mut Vec<u8>) {
    let at = out.len();
    out.extend([0; 4]);
    // Only a type that serde cannot serialise fails, and there is none above.
    let bytes = postcard::to_stdvec(message).unwrap_or_default();
    out.extend(bytes);
    let length = (out.len() - at - 4) as u32;
    out[at..at + 4].copy_from_slice(&length.to_le_bytes());
}

/// Takes the first whole frame of `bytes`: the message, and its length in bytes. An error for what
/// is no frame.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<Option<(T, usize)>, String> {
    let Some((head, rest)) = bytes.split_first_chunk() else { return Ok(None) };
    let length = u32::from_le_bytes(*head) as usize;
    if length > LARGEST {
        return Err(format!("a message of {length} bytes"));
    }
    let Some(frame) = rest.get(..length) else { return Ok(None) };
    let message = postcard::from_bytes(frame).map_err(|e| format!("junk in a message: {e}"))?;
    Ok(Some((message, 4 + length)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_come_back_whole_and_junk_is_refused() {
        let orders = [Order::Beat, Order::Cards(vec!["00ff".into(), String::new()])];
        let mut bytes = Vec::new();
        orders.iter().for_each(|order| encode(order, &mut bytes));
        let (first, used) = decode::<Order>(&bytes).unwrap().unwrap();
        assert_eq!(first, orders[0]);
        let second = &bytes[used..];
        assert_eq!(decode::<Order>(second).unwrap().unwrap(), (orders[1].clone(), second.len()));
        for end in 0..second.len() {
            assert_eq!(decode::<Order>(&second[..end]), Ok(None));
        }
        assert!(decode::<Order>(b"SSH-2.0-OpenSSH_9").is_err());
        assert!(decode::<Order>(&[1, 0, 0, 0, 99]).is_err());
    }
}
