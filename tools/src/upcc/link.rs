// SPDX-License-Identifier: BSD-3-Clause
//! The last step: objects, libraries and Furlong's runtime become a program.

use super::command::Item;
use super::{fail, process, Context, Failed, Step};
use crate::compiled::{self, Kind};
use crate::gcc::{cxx_of, Language, Stage};
use crate::temp::TempDir;
use crate::{exit, install, text};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Links the command's items in their order, `objects` standing for the sources.
pub fn link(context: &Context, objects: &[PathBuf], temp: &TempDir) -> Step {
    check_privates(context, objects)?;
    link_with(context, objects, temp, None)?;
    check_private(context)?;
    match has_foreign_main(context) {
        // The runtime's main then comes first, and calls the other (runtime/upc/main_foreign.c).
        true => link_with(context, objects, temp, Some("-Wl,--wrap=main")),
        false => Ok(()),
    }
}

/// Refuses objects of which one has private objects for each thread, another for the process.
/// Those in libraries are left to the runtime, which does the same when the program starts.
fn check_privates(context: &Context, objects: &[PathBuf]) -> Step {
    let (mut of_threads, mut of_process) = (None, None);
    let mut objects = objects.iter();
    for item in &context.command.items {
        let (name, object) = match item {
            Item::Source(source) => (&source.path, objects.next().cloned()),
            Item::Link(word) => (word, Some(PathBuf::from(word)).filter(|p| p.is_file())),
        };
        if let Some(Ok(Kind::Upc(unit))) = object.map(|object| compiled::inspect(&object)) {
            of_threads = of_threads.or(unit.of_threads.then_some(name));
            of_process = of_process.or(unit.of_process.then_some(name));
        }
    }
    match (of_threads, of_process) {
        (Some(threads), Some(process)) => Err(fail(
            exit::FAILED,
            format_args!(
                "error: `{process}` was compiled for one UPC thread in each process (-nopthreads, \
                 or an option that implies it), but `{threads}` was not; compile the source of \
                 `{threads}` with -nopthreads too"
            ),
        )),
        _ => Ok(()),
    }
}

fn link_with(context: &Context, objects: &[PathBuf], temp: &TempDir, option: Option<&str>) -> Step {
    let command = &context.command;
    let has_cxx = command.sources().any(|s| s.language == Language::Cxx);
    let linker = if has_cxx { cxx_of(&context.cc) } else { context.cc.clone() };
    let words = command.link_with.as_deref().map(text::words).unwrap_or_default();
    let mut cc = Command::new(words.first().unwrap_or(&linker));
    cc.args(words.iter().skip(1));
    cc.args(command.passed_for(&[Stage::All])).args(option);
    if let Some(output) = &command.output {
        cc.args(["-o", output]);
    }
    let mut objects = objects.iter();
    for item in &command.items {
        match item {
            Item::Source(_) => cc.args(objects.next()),
            Item::Link(word) => cc.arg(word),
        };
    }
    if let Some(notes) = notes_object(context, temp)? {
        cc.arg(notes);
    }
    if wants_runtime(context) {
        let library = install::lib().join("libfurlong.a");
        if !library.exists() {
            let path = library.display();
            return Err(fail(
                exit::SYSTEM,
                format_args!("error: `{path}` is missing; upcc finds it beside its own folder"),
            ));
        }
        // The mathematical library as with other UPC compilers: their users do not name it.
        cc.arg(library).args(["-lpthread", "-lm"]);
    }
    if command.verbose {
        cc.arg("-v");
    }
    process::run(context, cc)
}

/// A program in which C code names private variables of UPC files would crash there.
fn check_private(context: &Context) -> Step {
    let program = program(context);
    let Ok(Some(names)) = compiled::named_by_c(program) else { return Ok(()) };
    // What it would do is of no use; that it cannot be removed, neither.
    let _ = std::fs::remove_file(program);
    Err(fail(
        exit::FAILED,
        format_args!(
            "error: C code names {names}, of which each UPC thread has its own: pass its address to \
             C, or give C a function that returns it"
        ),
    ))
}

fn program(context: &Context) -> &Path {
    Path::new(context.command.output.as_deref().unwrap_or("a.out"))
}

/// Whether the program has UPC in it but a main that upcc did not compile, so that nothing starts
/// the runtime.
fn has_foreign_main(context: &Context) -> bool {
    let kind = compiled::inspect(program(context));
    wants_runtime(context) && matches!(kind, Ok(Kind::Upc(compiled)) if !compiled.starts)
}

/// A shared library or a partial link uses the runtime of the program it ends up in.
fn wants_runtime(context: &Context) -> bool {
    const WITHOUT: &[&str] = &["-shared", "-r", "-nostdlib", "-nodefaultlibs", "-nostartfiles"];
    !context.command.links_with(WITHOUT)
}

/// Assembly for what others find in the program: for the runtime where Furlong is, for upcrun the
/// defaults that `-shared-heap` and `-pthreads` chose at compile time, all in one text like
/// FURLONG_JOB's, `root=/usr,heap=N,pthreads=N`; for gdb, under `-g`, the script that knows UPC.
fn notes_object(context: &Context, temp: &TempDir) -> Result<Option<PathBuf>, Failed> {
    let command = &context.command;
    let heap = command.heap.map(|bytes| format!("heap={bytes}"));
    let pthreads = command.pthreads.map(|n| format!("pthreads={n}"));
    let root = wants_runtime(context).then(install::root_setting);
    let settings: Vec<String> = root.into_iter().chain(heap).chain(pthreads).collect();
    let mut text = String::new();
    if !settings.is_empty() {
        text += &format!(".section upcr_defaults,\"a\"\n.asciz \"{}\"\n", settings.join(","));
    }
    if command.debug && wants_runtime(context) {
        // 1: a Python script, by its name.
        text += &format!(
            ".section .debug_gdb_scripts,\"MS\",%progbits,1\n.byte 1\n.asciz \"{}\"\n",
            install::gdb_script().display()
        );
    }
    if text.is_empty() {
        return Ok(None);
    }
    text += ".section .note.GNU-stack,\"\"\n";
    let path = temp.file("notes.s").map_err(|text| fail(exit::SYSTEM, text))?;
    std::fs::write(&path, text).map_err(|e| {
        fail(exit::SYSTEM, format_args!("error: cannot write `{}`: {e}", path.display()))
    })?;
    Ok(Some(path))
}
