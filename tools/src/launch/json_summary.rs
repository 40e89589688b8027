// SPDX-License-Identifier: BSD-3-Clause
//! The file of `-json-summary`: what a job was and how it ended, as one JSON object for scripts
//! (docs/report.md has its schema). Knows nothing of how the job is run.

use super::plan::Plan;
use super::wire::Task;
use crate::exit::{self, Refusal};
use crate::report::{self, Summary};
use serde::Serialize;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Content {
    schema: u32,
    tool: String,
    /// The program and its arguments, as the user gave them.
    command: Vec<String>,
    threads: u32,
    processes: usize,
    hosts: Vec<Host>,
    wall_ns: u64,
    exit: i32,
    /// Why the launcher itself gave up.
    error: Option<String>,
    /// The page of the report, if there is one, and its data.
    report_page: Option<String>,
    report: Option<Summary>,
}

#[derive(Serialize)]
struct Host {
    name: String,
    threads: u32,
    processes: usize,
}

/// A file that waits for the end of the job.
pub struct JsonSummary {
    path: PathBuf,
    file: File,
    content: Content,
    start: Instant,
}

impl JsonSummary {
    /// Empties the file before the job starts: one that cannot be written is known at once, and a
    /// job that is killed together with its launcher does not leave an older job's object.
    pub fn create(path: &Path, task: &Task) -> Result<JsonSummary, Refusal> {
        let file = File::create(path)
            .map_err(|e| (exit::NOT_FOUND, cannot_write(path, &e.to_string())))?;
        let plan = &task.plan;
        let content = Content {
            schema: SCHEMA,
            tool: plan.tool.clone(),
            command: task.words.clone(),
            threads: plan.threads,
            processes: plan.processes.len(),
            hosts: hosts(plan),
            wall_ns: 0,
            exit: exit::OK,
            error: None,
            report_page: None,
            report: None,
        };
        Ok(JsonSummary { path: path.to_path_buf(), file, content, start: Instant::now() })
    }

    /// Takes down how the job has ended.
    pub fn end(&mut self, outcome: &Result<i32, Refusal>) {
        self.content.wall_ns = self.start.elapsed().as_nanos() as u64;
        match outcome {
            Ok(code) => self.content.exit = *code,
            Err((code, text)) => {
                self.content.exit = *code;
                self.content.error = Some(text.clone());
            }
        }
    }

    /// Writes the file, with the report that was made in a folder. The job's exit code stays what
    /// it is.
    pub fn write(mut self, report: Option<(&Path, Summary)>) {
        if let Some((dir, summary)) = report {
            self.content.report_page = Some(dir.join(report::PAGE).display().to_string());
            self.content.report = Some(summary);
        }
        let written = serde_json::to_string_pretty(&self.content)
            .map_err(|e| e.to_string())
            .and_then(|text| writeln!(self.file, "{text}").map_err(|e| e.to_string()));
        if let Err(why) = written {
            exit::say(&self.content.tool, cannot_write(&self.path, &why));
        }
    }
}

fn cannot_write(path: &Path, why: &str) -> String {
    format!("-json-summary: cannot write `{}`: {why}", path.display())
}

fn hosts(plan: &Plan) -> Vec<Host> {
    let of = |(number, host): (usize, &super::plan::Host)| Host {
        name: host.name.clone(),
        threads: host.count,
        processes: plan.processes_of(number).len(),
    };
    plan.hosts.iter().enumerate().map(of).collect()
}
