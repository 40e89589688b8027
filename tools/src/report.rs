// SPDX-License-Identifier: BSD-3-Clause
//! The report of a job: a page, its data as JSON and traces for other tools, made of what the threads have
//! recorded (docs/report.md). Knows nothing of how the job was run.
//!
//! ```text
//! recording ──> job ──┬──> summary ──┬──> report.json, advice
//! pages ──────────────│──────┘       │
//!                     ├──> timeline ─┴──> page (index.html)
//!                     └──> perfetto, otf2
//! ```

mod advice;
mod compare;
mod job;
mod kind;
mod otf2;
mod page;
mod pages;
mod perfetto;
mod recording;
mod summary;
mod timeline;

use crate::exit;
use job::Job;
use pages::Faults;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
pub use summary::Summary;

pub const PAGE: &str = "index.html";
const JSON: &str = "report.json";
const PERFETTO: &str = "trace.perfetto";
/// OTF2's anchor, and the folder and the file beside it.
const OTF2: [&str; 3] = ["trace.otf2", "trace", "trace.def"];
/// By which the runtime is told to record.
pub const SETTING: &str = "FURLONG_REPORT";

/// Makes the folder for a job's recordings, without those of an earlier job.
pub fn prepare(dir: &Path) -> Result<(), String> {
    let shown = dir.display();
    let failed = |e: std::io::Error| format!("-report: cannot write the folder `{shown}`: {e}");
    std::fs::create_dir_all(dir).map_err(failed)?;
    remove_otf2(dir).map_err(failed)?;
    for entry in std::fs::read_dir(dir).map_err(failed)?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_recording = name.starts_with("thread-") && name.ends_with(".rec");
        if is_recording
            || pages::is_of_pages(&name)
            || [PAGE, JSON, PERFETTO].contains(&name.as_str())
        {
            std::fs::remove_file(entry.path()).map_err(failed)?;
        }
    }
    Ok(())
}

/// Makes the report of a folder of recordings; what report.json holds.
pub fn make(dir: &Path) -> Result<Summary, String> {
    let job = Job::load(dir)?;
    let summary = summarized(&job, dir);
    let timeline = timeline::of(&job, &summary);
    let json = serde_json::to_string_pretty(&summary).map_err(|e| e.to_string())?;
    write(&dir.join(JSON), |file| std::io::Write::write_all(file, json.as_bytes()))?;
    write(&dir.join(PERFETTO), |file| perfetto::write(&job, timeline.shortest_ns, file))?;
    let html = page::html(&summary, &timeline);
    write(&dir.join(PAGE), |file| std::io::Write::write_all(file, html.as_bytes()))?;
    remove_otf2(dir).map_err(|e| format!("cannot write `{}`: {e}", dir.display()))?;
    otf2::write(&job, timeline.shortest_ns, dir).map(|_| summary)
}

/// The library writes into no archive that is there.
fn remove_otf2(dir: &Path) -> std::io::Result<()> {
    for path in OTF2.map(|name| dir.join(name)) {
        match path.is_dir() {
            true => std::fs::remove_dir_all(path)?,
            false if path.exists() => std::fs::remove_file(path)?,
            false => {}
        }
    }
    Ok(())
}

/// The same at the end of a job, whose exit code stays what it is.
pub fn after_job(tool: &str, dir: &Path, quiet: bool) -> Option<Summary> {
    let made = make(dir);
    match &made {
        Ok(_) if quiet => {}
        Ok(_) => exit::say(tool, format_args!("the report is {}", dir.join(PAGE).display())),
        Err(why) => exit::say(tool, format_args!("-report: there is no report: {why}")),
    }
    made.ok()
}

/// Two runs, each the folder of a report, side by side.
pub fn compare(a: &Path, b: &Path) -> Result<String, String> {
    Ok(compare::shown(&load(a)?, &load(b)?))
}

fn summarized(job: &Job, dir: &Path) -> Summary {
    let mut summary = summary::of(job);
    let faults = Faults::load(dir);
    summary.pages = faults.pages();
    summary.lines.extend(faults.lines());
    summary.lines.sort_by_key(|line| std::cmp::Reverse((line.ns, line.operations)));
    summary.notes.extend(faults.note());
    summary.advice = advice::of(&summary);
    summary
}

/// From its report.json where there is one: recordings may have been removed.
fn load(dir: &Path) -> Result<Summary, String> {
    let path = dir.join(JSON);
    let shown = path.display();
    match std::fs::read(&path) {
        Ok(bytes) => {
            let summary: Summary = serde_json::from_slice(&bytes)
                .map_err(|e| format!("`{shown}` is no report of this version: {e}"))?;
            match summary.schema == summary::SCHEMA && !summary.threads.is_empty() {
                true => Ok(summary),
                false => Err(format!("`{shown}` is no report of this version")),
            }
        }
        Err(_) => Job::load(dir).map(|job| summarized(&job, dir)),
    }
}

fn write(
    path: &Path,
    content: impl FnOnce(&mut BufWriter<File>) -> std::io::Result<()>,
) -> Result<(), String> {
    let whole = || {
        let mut file = BufWriter::new(File::create(path)?);
        content(&mut file)?;
        std::io::Write::flush(&mut file)
    };
    whole().map_err(|e| format!("cannot write `{}`: {e}", path.display()))
}
