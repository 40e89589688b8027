// SPDX-License-Identifier: BSD-3-Clause
//! `furlong papers`: the book of the papers' figures, from an installed tree. What is measured, and
//! how, is in share/furlong/bench; [`furlong_measure`] does it.

use super::request::Request;
use crate::exit::{self, Refusal};
use crate::install;
use crate::out;
use furlong_measure::book::{self, Asked, Failure};
use furlong_measure::config::Config;
use std::path::Path;

const FOLDER: &str = "furlong-papers";

pub fn make(request: &Request) -> Result<(), Refusal> {
    let root = install::root().join("share/furlong");
    if !root.join("bench/papers.toml").is_file() {
        let folder = root.display();
        return Err((
            exit::NOT_FOUND,
            format!("{folder}/bench is not installed: what it measures"),
        ));
    }
    let folder = Path::new(request.output.as_deref().unwrap_or(FOLDER));
    let out = std::path::absolute(folder)
        .and_then(|out| std::fs::create_dir_all(&out).map(|()| out))
        .map_err(|e| (exit::SYSTEM, format!("{}: {e}", folder.display())))?;
    // What it compiles, and files of numbers, are below the page.
    let mut config = Config::new(&root, &out.join("build"), &install::root());
    config.full |= request.full;
    config.filters = request.parts.clone();
    let page = book::make(&config, &out, Asked::Installation).map_err(|failure| match failure {
        Failure::Name(text) => exit::usage("furlong", text),
        Failure::Measuring(text) => (exit::FAILED, text),
    })?;
    out!("{}\n", page.display());
    Ok(())
}
