// SPDX-License-Identifier: BSD-3-Clause
//! The job's key, by which its processes know each other. It goes from the head to agents over
//! their standard input, and to processes over their control sockets: never through an environment
//! or a command line, which others can read.

use serde::{Deserialize, Serialize};
use std::fmt;

const BYTES: usize = 32;

#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Key([u8; BYTES]);

impl Key {
    pub fn new(bytes: [u8; BYTES]) -> Key {
        Key(bytes)
    }

    /// What a process hears first over its control socket.
    pub fn packet(&self) -> String {
        let digits: String = self.0.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("key {digits}")
    }
}

/// Whoever prints a plan does not print its key.
impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("Key")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_told_to_processes_alone() {
        let key = Key::new([0xa5; BYTES]);
        assert_eq!(key.packet(), format!("key {}", "a5".repeat(BYTES)));
        assert_eq!(format!("{key:?}"), "Key");
    }
}
