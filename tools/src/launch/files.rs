// SPDX-License-Identifier: BSD-3-Clause
//! What each process prints, in files of its own (-output-filename): DIR/rank.3/stdout and stderr,
//! with as many digits as the largest number has.

use super::plan::Plan;
use crate::text;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::PathBuf;

pub struct Files {
    /// stdout and stderr of each process.
    streams: Vec<OutputFile>,
    /// What could not be written, and why; the first of all.
    pub failure: Option<String>,
}

struct OutputFile {
    path: PathBuf,
    /// Opened by the first output, for the processes need descriptors too.
    file: Option<File>,
}

impl Files {
    /// Makes the folders and empty files, if they are asked for.
    pub fn new(plan: &Plan) -> Result<Option<Files>, String> {
        let Some(dir) = &plan.files else { return Ok(None) };
        let dir = PathBuf::from(text::os(dir));
        let processes = plan.processes.len();
        let width = (processes.max(1) - 1).to_string().len();
        let mut streams = Vec::with_capacity(2 * processes);
        for process in 0..processes {
            let rank = dir.join(format!("rank.{process:0width$}"));
            std::fs::create_dir_all(&rank)
                .map_err(|e| format!("-output-filename: cannot make `{}`: {e}", rank.display()))?;
            for name in ["stdout", "stderr"] {
                let path = rank.join(name);
                File::create(&path).map_err(|e| {
                    format!("-output-filename: cannot write `{}`: {e}", path.display())
                })?;
                streams.push(OutputFile { path, file: None });
            }
        }
        Ok(Some(Files { streams, failure: None }))
    }

    pub fn write(&mut self, stream: usize, bytes: &[u8]) {
        let OutputFile { path, file } = &mut self.streams[stream];
        let open = || OpenOptions::new().append(true).open(&path);
        let opened = match file {
            Some(file) => Ok(file),
            None => open().map(|new| file.insert(new)),
        };
        if let Err(e) = opened.and_then(|file| file.write_all(bytes)) {
            let text = || format!("cannot write to `{}`: {e}", path.display());
            self.failure.get_or_insert_with(text);
        }
    }
}
