// SPDX-License-Identifier: BSD-3-Clause
//! Preprocessing for the language server: a text that no file has yet, with the options that the
//! source is compiled with.

use super::command;
use super::{compile, Context};
use crate::gcc::{self, Stage};
use crate::text;
use furlong_compiler::sema;
use furlong_language::unit::Options;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

/// How a source is compiled.
pub struct Setting {
    context: Context,
}

impl Setting {
    /// From the words of a command line, without the tool's name.
    pub fn new(args: &[String]) -> Result<Setting, String> {
        let flags = std::env::var("UPCC_FLAGS").unwrap_or_default();
        let mut words: Vec<String> = text::words(&flags).into_iter().chain(args.to_vec()).collect();
        if !args.iter().any(|arg| !arg.starts_with('-')) {
            words.push("source.upc".to_string());
        }
        Ok(Setting { context: Context::new(command::parse(words)?) })
    }

    pub fn options(&self, path: &str, folder: &Path) -> Options {
        let command = &self.context.command;
        Options {
            sema: sema::Options {
                threads: command.threads,
                network: command.network,
                openmp: command.openmp(),
            },
            folder: folder.to_path_buf(),
            may_be_c: !path.ends_with(".upc"),
        }
    }

    /// Preprocesses `text`, which is of the folder `beside`, in `folder`; definitions of macros stay
    /// in the text. <upc.h> includes the headers of C in `missing`. What the C compiler prints, and
    /// what it complains of.
    pub fn preprocess(
        &self,
        text: &str,
        folder: &Path,
        beside: &Path,
        missing: &[&str],
    ) -> std::io::Result<(String, String)> {
        let context = &self.context;
        let mut cc = gcc::command(&context.cc);
        cc.args(compile::definitions(context)).arg("-iquote").arg(beside);
        let options = context.command.passed_for(&[Stage::All, Stage::Preprocess]);
        cc.args(options.filter(|o| !matches!(*o, "-g3" | "-ggdb3" | "-P" | "-")));
        cc.args(compile::headers());
        cc.args(missing.iter().map(|header| compile::missing_macro(header)));
        cc.args(["-fdiagnostics-color=never", "-x", "c", "-E", "-dD", "-"]);
        cc.current_dir(folder).env("LC_ALL", "C");
        cc.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = cc.spawn()?;
        let input = child.stdin.take();
        let output = std::thread::scope(|scope| {
            scope.spawn(move || input.map(|mut input| input.write_all(text.as_bytes())));
            child.wait_with_output()
        })?;
        let string = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Ok((string(output.stdout), string(output.stderr)))
    }
}
