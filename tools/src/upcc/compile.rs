// SPDX-License-Identifier: BSD-3-Clause
//! From one source to one object: `cc -E`, the translator, `cc -x cpp-output`.
//!
//! The second C compiler is started together with the first and waits at the end of a pipe, so
//! that loading it costs no time of its own.

use super::command::{Mode, Source};
use super::diagnostics::Format;
use super::translate::{self, Again};
use super::{fail, macros, print, process, reserved, say, Context, Failed, Step};
use crate::gcc::{self, cxx_of, is_clang, pedantic_for_emitted, Language, Stage};
use crate::temp::{TempDir, Unfinished};
use crate::{exit, install};
use furlong_compiler::emit::Inst;
use nix::sys::signal::Signal;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Compiles `source` as far as the mode asks; the result is the file made for the linker, or an
/// empty path in modes that do not link.
pub fn compile(context: &Context, source: &Source, temp: &TempDir) -> Result<PathBuf, Failed> {
    let output = output(context, source, temp)?;
    let _unfinished = Unfinished::new(&output);
    match &source.language {
        Language::Upc | Language::Preprocessed => upc(context, source, &output)?,
        Language::Cxx => foreign(context, source, &cxx_of(&context.cc), None, &output)?,
        Language::Other(name) => {
            foreign(context, source, &context.cc, name.as_deref(), &output)?;
        }
        Language::Object => {}
    }
    Ok(output)
}

/// Where the result goes.
fn output(context: &Context, source: &Source, temp: &TempDir) -> Result<PathBuf, Failed> {
    let command = &context.command;
    let stem = stem(&source.path);
    if command.mode == Mode::Link {
        let place = command.sources().position(|s| s == source).unwrap_or(0);
        let twins = command.sources().filter(|s| self::stem(&s.path) == stem).count();
        let name = if twins > 1 { format!("{stem}-{place}.o") } else { format!("{stem}.o") };
        return temp.file(&name).map_err(|text| fail(exit::SYSTEM, text));
    }
    let extension = match command.mode {
        Mode::Translate => "trans.c",
        Mode::Assembly => "s",
        _ => "o",
    };
    Ok(command.output.clone().unwrap_or_else(|| format!("{stem}.{extension}")).into())
}

/// The file's name without its folder and extension.
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// A source that is not ours goes to its own compiler.
fn foreign(
    context: &Context,
    source: &Source,
    compiler: &str,
    language: Option<&str>,
    output: &Path,
) -> Step {
    let command = &context.command;
    if command.mode == Mode::Translate {
        return Ok(());
    }
    let mut cc = gcc::command(compiler);
    cc.args(command.passed_for(&[Stage::All, Stage::Preprocess, Stage::Compile, Stage::Depend]));
    if let Some(name) = language {
        cc.args(["-x", name]);
    }
    cc.args(beside_program(context, compiler, output));
    cc.arg(stop_flag(command.mode)).arg(&source.path).arg("-o").arg(output);
    process::run(context, cc)
}

/// Options of which the C compiler makes files beside the object, some when the program runs.
const WITH_FILES: [&str; 8] = [
    "--coverage",
    "-coverage",
    "-ftest-coverage",
    "-fprofile-",
    "-fstack-usage",
    "-fcallgraph-info",
    "-fdump-",
    "-gsplit-dwarf",
];

/// What has the C compiler make such files where it would in one command with linking, as
/// `prog-x.gcda`: the folder of `object` is removed. Clang names them otherwise.
fn beside_program(context: &Context, compiler: &str, object: &Path) -> Vec<String> {
    let command = &context.command;
    let makes_files = || {
        let mut options = command.passed_for(&[Stage::All, Stage::Compile]);
        options.any(|option| WITH_FILES.iter().any(|known| option.starts_with(known)))
    };
    if command.mode != Mode::Link || is_clang(compiler) || !makes_files() {
        return Vec::new();
    }
    let program = command.output.as_deref().unwrap_or("a");
    let name = object.file_stem().unwrap_or_default().to_string_lossy();
    ["-dumpdir", &format!("{program}-"), "-dumpbase", &name].map(String::from).into()
}

fn stop_flag(mode: Mode) -> &'static str {
    match mode {
        Mode::SyntaxOnly => "-fsyntax-only",
        Mode::Assembly => "-S",
        _ => "-c",
    }
}

fn upc(context: &Context, source: &Source, output: &Path) -> Step {
    let front = match source.language {
        Language::Upc => Some(process::start(context, preprocessor(context, source, output, &[]))?),
        _ => None,
    };
    let back = match context.command.mode {
        Mode::Translate => None,
        _ => Some(process::start(context, back_end(context, source, output))?),
    };
    let emitted = preprocessed(context, front, source).and_then(|text| {
        save(context, source, "i", &text)?;
        translate::translate(context, source, text, |again| {
            preprocessed_again(context, source, output, again)
        })
    });
    match (emitted, back) {
        (Ok(emitted), Some(mut back)) => {
            save(context, source, "trans.c", &emitted.c)?;
            back.feed(&emitted.c);
            let compiled = back.finish_emitted(context, &emitted.c);
            if compiled && emitted.untouched && !context.command.nopthreads() {
                say(format_args!(
                    "note: `{}` is plain C: its variables are one per process, not per thread",
                    source.path
                ));
            }
            compiled.then_some(()).ok_or(Failed(exit::FAILED))
        }
        (Ok(emitted), None) => write(output, &emitted.c),
        (Err(failed), Some(mut back)) => {
            // Not C in any dialect: the back end must fail, or it would leave an empty object.
            back.feed(b"@");
            back.finish(context, true);
            Err(failed)
        }
        (Err(failed), None) => Err(failed),
    }
}

/// Preprocesses once more. Messages have been shown the first time; the standard input cannot be
/// read again.
fn preprocessed_again(
    context: &Context,
    source: &Source,
    output: &Path,
    again: Again,
) -> Option<Vec<u8>> {
    if source.language != Language::Upc || source.path == "-" {
        return None;
    }
    let cc = match again {
        Again::WithHeaders(headers) => preprocessor(context, source, output, headers),
        Again::WithReserved => {
            let mut cc = preprocessor(context, source, output, &[]);
            cc.args(reserved::OPTIONS).env("LC_ALL", "C");
            cc
        }
        Again::AsC => {
            let mut cc = preprocessor(context, source, output, &[]);
            cc.args(["-UTHREADS", "-U__UPC_STATIC_THREADS__"]);
            cc
        }
    };
    let mut front = process::start(context, cc).ok()?;
    let text = front.read();
    let (is_done, messages) = front.wait();
    let text = match again {
        Again::WithReserved => reserved::shown(&text, &messages, context.command.threads.is_some()),
        _ => text,
    };
    let is_well = is_done && save(context, source, "i", &text).is_ok();
    is_well.then_some(text)
}

/// `cc -E` with UPC's macros and headers. `missing` are headers of C for <upc.h> to include.
fn preprocessor(context: &Context, source: &Source, output: &Path, missing: &[&str]) -> Command {
    let mut cc = gcc::command(&context.cc);
    cc.args(definitions(context));
    let options = context.command.passed_for(&[Stage::All, Stage::Preprocess]);
    // `-g3` would put the definitions of all macros into the text.
    cc.args(options.filter(|o| !matches!(*o, "-g3" | "-ggdb3")));
    cc.args(dependency_options(context, source, output));
    cc.args(headers()).args(missing.iter().map(|header| missing_macro(header)));
    cc.args(["-x", "c", "-E", &source.path]);
    cc.stdout(Stdio::piped());
    cc
}

/// The predefined macros. They stand before the user's options, which may undefine them.
pub(super) fn definitions(context: &Context) -> impl Iterator<Item = String> {
    let definitions = macros::definitions(&context.command, &install::include());
    definitions.into_iter().map(|definition| format!("-D{definition}"))
}

/// By which furlong/missing.h knows that it is to include the header.
pub(super) fn missing_macro(header: &str) -> String {
    let name = header.to_uppercase().replace(['/', '.'], "_");
    format!("-DFURLONG_MISSING_{name}")
}

/// Where UPC's headers are: after the user's folders, before the system's.
pub(super) fn headers() -> [OsString; 4] {
    let folder = install::include().into_os_string();
    ["-isystem".into(), folder, "-include".into(), "furlong/target.h".into()]
}

/// The options for `-MD` and its kin, completed by the names that the C compiler would take from
/// the object file, which it does not see in this step.
fn dependency_options(context: &Context, source: &Source, output: &Path) -> Vec<String> {
    let command = &context.command;
    let mut options: Vec<String> =
        command.passed_for(&[Stage::Depend]).map(str::to_string).collect();
    if !options.iter().any(|o| o == "-MD" || o == "-MMD") {
        return options;
    }
    let object = match command.mode {
        Mode::Link => format!("{}.o", stem(&source.path)).into(),
        _ => output.to_path_buf(),
    };
    if !options.iter().any(|o| o.starts_with("-MF")) {
        options.extend(["-MF".to_string(), object.with_extension("d").display().to_string()]);
    }
    if !options.iter().any(|o| o.starts_with("-MT") || o.starts_with("-MQ")) {
        options.extend(["-MQ".to_string(), object.display().to_string()]);
    }
    options
}

/// UPC programs are older than gcc 14 and clang 16, which take these for errors; before, they warned.
const OLD_HABITS: [&str; 4] = [
    "-Wno-error=implicit-int",
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-pointer-types",
];

/// Whether the user would rather have errors than warnings: then the C compiler chooses.
fn wants_errors(context: &Context) -> bool {
    let mut options = context.command.passed_for(&[Stage::All, Stage::Preprocess, Stage::Compile]);
    options.any(|option| option == "-pedantic-errors" || option.starts_with("-Werror"))
}

/// The C compiler that reads emitted C from stdin.
fn back_end(context: &Context, source: &Source, output: &Path) -> Command {
    let command = &context.command;
    let mut cc = gcc::command(&context.cc);
    if !translate::may_be_c(source) && !wants_errors(context) {
        cc.args(OLD_HABITS);
    }
    if let Some(level) = level_for_speed(context) {
        if level == "-O2" && !is_clang(&context.cc) {
            // Of loops over a thread's own elements it is never known how many there are, nor that
            // their arrays differ: gcc leaves those alone at this level.
            cc.arg("-fvect-cost-model=cheap");
        }
        cc.arg("-falign-loops=64");
        if command.inst != Inst::Off && !is_clang(&context.cc) {
            // Loops that count are larger; what does not change in them is to be asked before them all
            // the same.
            cc.args(["--param", "max-unswitch-insns=200"]);
        }
    }
    if command.nopthreads() {
        // As the translator has it for thread-local ones; before the user's own choice.
        cc.arg("-fcommon");
    }
    cc.args(command.passed_for(&[Stage::Preprocess]).filter_map(pedantic_for_emitted));
    cc.args(command.passed_for(&[Stage::All, Stage::Compile]));
    if is_clang(&context.cc) {
        // Its linker plugin takes a symbol that units define by assembly for several.
        cc.arg("-fno-lto");
    }
    if command.format != Format::Text {
        cc.arg("-fdiagnostics-color=never").env("LC_ALL", "C");
    } else if print::color(command.color) {
        cc.arg("-fdiagnostics-color=always");
    }
    cc.args(["-pipe", "-x", "cpp-output", stop_flag(command.mode)]);
    cc.args(beside_program(context, &context.cc, output));
    if command.mode != Mode::SyntaxOnly {
        cc.arg("-o").arg(output);
    }
    cc.arg("-").stdin(Stdio::piped());
    cc
}

/// Then loops, of which there are several versions, begin where processors fetch them at once: one
/// that lies across two cache lines takes a tenth longer, and which one does is a matter of luck.
fn level_for_speed(context: &Context) -> Option<&str> {
    let stages = [Stage::All, Stage::Compile];
    let level = context.command.passed_for(&stages).filter(|o| o.starts_with("-O")).last();
    level.filter(|&level| matches!(level, "-O2" | "-O3" | "-Ofast"))
}

fn preprocessed(
    context: &Context,
    front: Option<process::Running>,
    source: &Source,
) -> Result<Vec<u8>, Failed> {
    let Some(mut front) = front else {
        return read_source(&source.path);
    };
    let text = front.read();
    front.finish(context, false).then_some(text).ok_or(Failed(exit::FAILED))
}

fn read_source(path: &str) -> Result<Vec<u8>, Failed> {
    let mut text = Vec::new();
    let read = match path {
        "-" => std::io::stdin().read_to_end(&mut text).map(|_| text),
        _ => std::fs::read(path),
    };
    read.map_err(|e| fail(exit::FAILED, format_args!("error: cannot read `{path}`: {e}")))
}

/// Under `-save-temps`, keeps a step's text.
fn save(context: &Context, source: &Source, extension: &str, text: &[u8]) -> Step {
    let Some(place) = &context.command.save_temps else { return Ok(()) };
    let result = Path::new(context.command.output.as_deref().unwrap_or_default());
    let folder = result.parent().filter(|_| place == "obj").unwrap_or(Path::new(""));
    write(&folder.join(format!("{}.{extension}", stem(&source.path))), text)
}

fn write(path: &Path, text: &[u8]) -> Step {
    let written = match path.as_os_str() == "-" {
        true => std::io::stdout().write_all(text),
        false => std::fs::write(path, text),
    };
    written.map_err(|e| {
        if e.kind() == std::io::ErrorKind::BrokenPipe {
            process::die_of(Signal::SIGPIPE);
        }
        fail(exit::SYSTEM, format_args!("error: cannot write `{}`: {e}", path.display()))
    })
}

/// `-E`, `-M` and `-MM`: the C compiler does it all, once it knows UPC's macros.
pub fn preprocess_only(context: &Context) -> Step {
    let command = &context.command;
    let mut cc = gcc::command(&context.cc);
    let stages = [Stage::All, Stage::Preprocess, Stage::Show, Stage::Depend];
    cc.args(definitions(context)).args(command.passed_for(&stages));
    cc.args(headers()).arg("-E");
    if let Some(output) = &command.output {
        cc.args(["-o", output]);
    }
    for source in command.sources() {
        let language = match &source.language {
            Language::Upc => "c",
            Language::Preprocessed => "cpp-output",
            Language::Cxx => "c++",
            Language::Other(Some(name)) => name,
            Language::Other(None) | Language::Object => "none",
        };
        cc.args(["-x", language, &source.path]);
    }
    process::replace(context, cc)
}
