// SPDX-License-Identifier: BSD-3-Clause
//! The pages about upcc's diagnostics: what a page calls wrong is reported with its code and no
//! other, and what it calls right compiles without a word.

use super::markdown::{Page, Part};
use crate::config::Config;
use crate::diagnostics;
use crate::process::{Command, End};

/// The codes whose pages show programs for upcc: `E0308` of docs/errors/E0308.md.
pub fn code(page: &str) -> Option<&str> {
    let code = page.strip_prefix("docs/errors/")?.strip_suffix(".md")?;
    code.starts_with(['E', 'W']).then_some(code)
}

pub fn check(config: &Config, page: &str, code: &str) -> Result<(), String> {
    let dir = config.scratch(&format!("docs/programs/{code}"));
    let read = Page::read(&config.root.join(page))?;
    for (line, part) in &read.parts {
        let Part::Block { words, text, lead } = part else { continue };
        // An ellipsis stands for what would fill pages.
        if words.first().is_none_or(|language| language != "c") || text.contains('…') {
            continue;
        }
        let expected: &[&str] = match lead.split(':').next().unwrap_or_default() {
            "Wrong" => &[code],
            "Right" => &[],
            _ => return Err(format!("{page}:{line}: say whether this is `Wrong:` or `Right:`")),
        };
        std::fs::write(dir.join("prog.upc"), text).map_err(|e| e.to_string())?;
        let command = Command::new(&config.upcc, &dir);
        let output = command.args(["-fopenmp", "-fsyntax-only", "prog.upc"]).run();
        let mut reported: Vec<String> =
            diagnostics::parse(&output.stderr).into_iter().map(|note| note.code).collect();
        reported.dedup();
        let compiles = output.end == End::Code(0);
        if reported != expected || expected.is_empty() && !compiles {
            let what = format!("{page}:{line}: expected {expected:?}, upcc reports {reported:?}");
            return Err(format!("{what}\n{}", output.stderr));
        }
    }
    Ok(())
}
