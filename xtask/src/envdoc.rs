// SPDX-License-Identifier: BSD-3-Clause
//! `docs/env.md` from `runtime/core/params.def`, the one list of the runtime's settings. A row is
//! `FL_PARAM(field, "VARIABLE", TYPE, default, least, most, STABILITY, "help")`. What upcc and upcrun
//! read besides stands in their manuals, in the section ENVIRONMENT of the tables in `tools/`.

use crate::config::Config;
use crate::params;
use crate::suite::Verdict;
use std::path::PathBuf;

pub fn write(config: &Config) -> bool {
    let Some(text) = generate(config) else {
        eprintln!("xtask: there is no runtime/core/params.def");
        return false;
    };
    let file = file(config);
    let written = std::fs::write(&file, text);
    written.map_err(|e| eprintln!("xtask: {}: {e}", file.display())).is_ok()
}

/// The committed page is the generated one.
pub fn check(config: &Config) -> Verdict {
    match generate(config) {
        None => Verdict::Skip("runtime/core/params.def does not exist".into()),
        Some(text) if std::fs::read_to_string(file(config)).unwrap_or_default() == text => {
            Verdict::Pass
        }
        Some(_) => Verdict::Fail("docs/env.md is out of date: run `cargo xtask envdoc`".into()),
    }
}

fn file(config: &Config) -> PathBuf {
    config.root.join("docs/env.md")
}

fn generate(config: &Config) -> Option<String> {
    let list = std::fs::read_to_string(config.root.join("runtime/core/params.def")).ok()?;
    let mut page = String::from(
        "# Settings of the runtime\n\n\
         Environment variables that every UPC program reads when it starts. Generated from \
         `runtime/core/params.def` by `cargo xtask envdoc`.\n\n\
         | variable | value | default | meaning | |\n|---|---|---|---|---|\n",
    );
    for [_, variable, kind, default, _, _, stability, help] in params::rows(&list)? {
        let kind = match kind.as_str() {
            "SIZE" => "size",
            "FLAG" => "0 or 1",
            "TEXT" => "text",
            _ => "number",
        };
        let default = if kind == "text" { "" } else { &default };
        let stability = stability.to_lowercase();
        page.push_str(&format!("| `{variable}` | {kind} | {default} | {help} | {stability} |\n"));
    }
    page.push_str(
        "\nSizes take a suffix: `512MB`, `2GB`; without one they are megabytes for `UPC_…` and \
         bytes for `FURLONG_…`. *Stable* settings stay; *tuning* ones may change their meaning \
         with the runtime; *debug* ones are for finding faults.\n\n\
         ## Settings of upcc and upcrun\n",
    );
    for tool in ["upcc", "upcrun"] {
        let table = config.root.join(format!("tools/src/{tool}/table.rs"));
        let section = std::fs::read_to_string(table).ok()?;
        let (_, section) = section.split_once("\"ENVIRONMENT\",\n            \"\\\n")?;
        for paragraph in section.split_once("\",\n")?.0.split("\n\n") {
            let (variables, meaning) = paragraph.trim().split_once(": ")?;
            let variables = variables.replace(", ", "`, `");
            page.push_str(&format!("\n- `{variables}` ({tool}): {meaning}\n"));
        }
    }
    Some(page)
}
