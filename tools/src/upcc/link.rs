// SPDX-License-Identifier: BSD-3-Clause
//! The last step: objects, libraries and Furlong's runtime become a program.

use super::command::Item;
use super::{fail, process, say, Context, Failed, Step};
use crate::compiled::{self, Compiled, Kind};
use crate::elf::PLAIN_STACK;
use crate::gcc::{self, cxx_of, Language, Stage};
use crate::temp::{TempDir, Unfinished};
use crate::text::c_string;
use crate::{exit, install, machine, own_names, text};
use furlong_compiler::emit::{checked, instrumented, Inst};
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Links the command's items in their order, `objects` standing for the sources.
pub fn link(context: &Context, objects: &[PathBuf], temp: &TempDir) -> Step {
    refuse_tsan(context, objects)?;
    check_machine(context, objects)?;
    check_privates(context, objects)?;
    let _unfinished = Unfinished::new(program(context));
    let mut wants = Wants::default();
    let mut first = Vec::new();
    loop {
        let command = linker(context, objects, temp, &wants)?;
        let (is_linked, messages) = process::start(context, command)?.wait();
        if is_linked || !wants.learn(&messages, temp)? {
            if let Some(library) = other_c_library(&messages).filter(|_| !is_linked) {
                return Err(fail(
                    exit::FAILED,
                    format_args!(
                        "error: the C compiler links with another C library than {library}, for which \
                         this Furlong was built: choose another compiler by -cc, or the upcc of a \
                         Furlong that was built by this one (`make build CC=...`)"
                    ),
                ));
            }
            let is_for_nvcc = !is_linked && has_kernels(context, &messages);
            let is_shared_upc = !is_linked
                && context.command.links_with(&["-shared"])
                && !units(context, objects).is_empty();
            process::pass_messages(&[declared_in(&first, &messages), messages].concat());
            if is_for_nvcc {
                say("note: code for GPUs is compiled and linked by nvcc: add -link-with=nvcc");
            }
            if is_shared_upc {
                say("note: UPC code goes into programs and archives (`ar`), not into shared libraries");
            }
            is_linked.then_some(()).ok_or(Failed(exit::FAILED))?;
            break;
        }
        first.extend(messages);
    }
    let more = [wrapped_main(context), hidden_names(context, temp)?].concat();
    if !more.is_empty() {
        let mut command = linker(context, objects, temp, &wants)?;
        command.args(more);
        process::run(context, command)?;
    }
    Ok(())
}

/// Has the runtime's main come first, and call the one that upcc did not compile
/// (runtime/upc/main_foreign.c).
fn wrapped_main(context: &Context) -> Vec<String> {
    has_foreign_main(context).then(|| "-Wl,--wrap=main".to_string()).into_iter().collect()
}

/// The object that keeps shared libraries from calling the program's own `send` (own_names.rs).
fn hidden_names(context: &Context, temp: &TempDir) -> Result<Vec<String>, Failed> {
    let command = &context.command;
    let of_linker = command.items.iter().filter_map(|i| match i {
        Item::Link(word) => Some(word.as_str()),
        Item::Source(_) => None,
    });
    let words = of_linker.chain(command.passed_for(&[Stage::All]));
    if !wants_runtime(context) || own_names::are_for_libraries(words) {
        return Ok(Vec::new());
    }
    let names = own_names::shown(program(context)).unwrap_or_default();
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let object = assembly(temp, "own_names.s", &own_names::hiding(&names))?;
    Ok(vec![object.to_string_lossy().into_owned()])
}

/// What only a failed link step tells.
#[derive(Default)]
struct Wants {
    /// The objects that no UPC unit defines, and the pointers to them.
    of_c: BTreeSet<String>,
    pointers: Option<PathBuf>,
    /// The libraries of other languages that objects were written in.
    libraries: BTreeSet<&'static str>,
}

impl Wants {
    /// Whether the linker's messages ask for more than is known.
    fn learn(&mut self, messages: &[u8], temp: &TempDir) -> Result<bool, Failed> {
        let before = (self.of_c.len(), self.libraries.len());
        self.of_c.extend(undefined_pointers(messages));
        if self.of_c.len() > before.0 {
            self.pointers = Some(pointers_object(&self.of_c, temp)?);
        }
        let text = String::from_utf8_lossy(messages);
        let needed = LANGUAGES.iter().find(|(name, _)| lacks(&text, name));
        self.libraries.extend(needed.map(|(_, library)| library));
        Ok(before != (self.of_c.len(), self.libraries.len()))
    }
}

const FORTRAN: &str = "-lgfortran";
/// Where it is linked statically into a program with threads, gcc's Fortran library calls these without
/// having them linked.
const OF_STATIC_FORTRAN: [&str; 11] = [
    "pthread_cond_broadcast",
    "pthread_cond_destroy",
    "pthread_cond_init",
    "pthread_cond_wait",
    "pthread_getspecific",
    "pthread_join",
    "pthread_key_delete",
    "pthread_mutex_destroy",
    "pthread_mutex_init",
    "pthread_mutex_trylock",
    "pthread_self",
];

/// How names begin, as linkers show them, that only the library of a language defines; the first
/// that is found counts.
const LANGUAGES: &[(&str, &str)] = &[
    ("_gfortran_", FORTRAN),
    ("quadmath_", "-lquadmath"),
    ("std::__1::", "-lc++"),
    ("std::", "-lstdc++"),
    ("operator new", "-lstdc++"),
    ("operator delete", "-lstdc++"),
    ("vtable for __cxxabi", "-lstdc++"),
    ("__gxx_personality_", "-lstdc++"),
    ("__cxa_", "-lstdc++"),
];

/// Whether a name that begins so is undefined.
fn lacks(messages: &str, name: &str) -> bool {
    const UNDEFINED: [&str; 2] = ["undefined reference to `", "undefined symbol: "];
    let mut symbols = UNDEFINED.iter().flat_map(|before| messages.split(before).skip(1));
    symbols.any(|symbol| symbol.starts_with(name))
}

/// C libraries, and names that the runtime has from each alone (runtime/platform/c_library.h).
const C_LIBRARIES: [(&str, &[&str]); 2] =
    [("glibc", &["backtrace_symbols_fd", "on_exit"]), ("musl", &["__fseterr"])];

/// The C library that the runtime was built for, if the linker finds none of what is in it alone.
fn other_c_library(messages: &[u8]) -> Option<&'static str> {
    let text = String::from_utf8_lossy(messages);
    let lacks_all = |names: &&[&str]| names.iter().all(|name| text.contains(name));
    C_LIBRARIES.iter().find(|(_, names)| lacks_all(names)).map(|(library, _)| *library)
}

/// ThreadSanitizer keeps its own data at the addresses of shared memory: no UPC program could start.
fn refuse_tsan(context: &Context, objects: &[PathBuf]) -> Step {
    let mut words = context.command.passed_for(&[Stage::All]);
    let names_it = |list: &str| list.split(',').any(|name| name == "thread");
    let is_asked = words.any(|word| word.strip_prefix("-fsanitize=").is_some_and(names_it));
    match is_asked && !units(context, objects).is_empty() {
        false => Ok(()),
        true => Err(fail(
            exit::FAILED,
            "error: UPC programs do not work with -fsanitize=thread: ThreadSanitizer takes the \
             addresses of shared memory for itself; -fsanitize=address,undefined does work, \
             and upcc -check finds races between UPC threads",
        )),
    }
}

/// What upcc has left in each source and object, as far as it compiled them.
fn units<'a>(context: &'a Context, objects: &[PathBuf]) -> Vec<(&'a String, Compiled)> {
    let mut objects = objects.iter();
    let items = context.command.items.iter().filter_map(|item| {
        let (name, object) = match item {
            Item::Source(source) => (&source.path, objects.next().cloned()),
            Item::Link(word) => (word, Some(PathBuf::from(word)).filter(|p| p.is_file())),
        };
        match compiled::inspect(&object?) {
            Ok(Kind::Upc(unit)) => Some((name, unit)),
            _ => None,
        }
    });
    items.collect()
}

/// Refuses objects of which one has private objects for each thread, another for the process.
/// Those in libraries are left to the runtime, which does the same when the program starts.
fn check_privates(context: &Context, objects: &[PathBuf]) -> Step {
    let units = units(context, objects);
    let first = |has: fn(&Compiled) -> bool| units.iter().find(|(_, unit)| has(unit)).map(|u| u.0);
    let (of_threads, of_process) = (first(|unit| unit.of_threads), first(|unit| unit.of_process));
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

/// How the pointers to C's objects are called that UPC units declare (compiler/src/emit/private.rs).
const OF_C: &str = "upcr_of_c_";

/// The objects that no UPC unit defines, from what the linker says.
fn undefined_pointers(messages: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(messages);
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let rests = text.split(OF_C).skip(1);
    rests.map(|rest| rest.chars().take_while(|&c| is_name(c)).collect()).collect()
}

/// The lines that tell which units declare what even C does not define: `last` names the object with
/// the pointers to C.
fn declared_in(first: &[u8], last: &[u8]) -> Vec<u8> {
    let (first, last) = (String::from_utf8_lossy(first), String::from_utf8_lossy(last));
    let is_missing = |line: &&str| {
        let names = undefined_pointers(line.as_bytes());
        names.iter().any(|name| last.contains(&format!("`{name}'")))
    };
    first.split_inclusive('\n').filter(is_missing).collect::<String>().into_bytes()
}

/// The pointers to objects of C: the linker looks for these, or reports them.
fn pointers_object(names: &BTreeSet<String>, temp: &TempDir) -> Result<PathBuf, Failed> {
    let pointer = |name| format!(".globl {OF_C}{name}\n{OF_C}{name}: .quad {name}\n");
    let pointers: String = names.iter().map(pointer).collect();
    assembly(temp, "variables.s", &format!(".data\n.balign 8\n{pointers}{PLAIN_STACK}"))
}

/// The command that links. The pointers come before libraries, which then are searched for what they
/// name.
fn linker(
    context: &Context,
    objects: &[PathBuf],
    temp: &TempDir,
    wants: &Wants,
) -> Result<Command, Failed> {
    let command = &context.command;
    let has_cxx = command.sources().any(|s| s.language == Language::Cxx);
    let linker = if has_cxx { cxx_of(&context.cc) } else { context.cc.clone() };
    let mut cc = gcc::command(command.link_with.as_deref().unwrap_or(&linker));
    if is_nvcc(cc.get_program()) {
        cc.arg("-forward-unknown-to-host-compiler");
    }
    cc.args(command.passed_for(&[Stage::All]));
    let is_gnu = match &command.link_with {
        None => !gcc::is_clang(&linker),
        Some(other) => {
            let mut options = command.passed_for(&[Stage::All]);
            options.any(|option| option.starts_with("-flto"))
                && !is_nvcc(cc.get_program())
                && !gcc::is_clang(other)
        }
    };
    if is_gnu {
        // Link-time optimisation of large programs in parts would lose the names of shared objects,
        // which assembly defines.
        cc.arg("-flto-partition=one");
    }
    if let Some(output) = &command.output {
        cc.args(["-o", output]);
    }
    cc.args(&wants.pointers);
    let mut objects = objects.iter();
    for item in &command.items {
        match item {
            Item::Source(_) => cc.args(objects.next()),
            Item::Link(word) => cc.arg(word),
        };
    }
    cc.args(&wants.libraries);
    if wants.libraries.contains(FORTRAN) {
        cc.args(OF_STATIC_FORTRAN.iter().flat_map(|name| to_linker(["-u", name])));
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
        // The runtime's main wants the program's, which may be in a library that comes before.
        cc.args(to_linker(["-u", "upcr_main"]));
        // With -static the C library's own would come first (runtime/job/exit.c).
        cc.arg("-Wl,--wrap=exit");
        if command.inst != Inst::Off {
            cc.args(instrumented_link());
        }
        if command.check {
            // All of it: the runtime calls these functions too, and has those for performance tools.
            let checker = install::lib().join("libfurlong-check.a");
            cc.arg(wrapped(&checked()));
            cc.args(to_linker([
                "--whole-archive".as_ref(),
                checker.as_os_str(),
                "--no-whole-archive".as_ref(),
            ]));
        }
        // The mathematical library as with other UPC compilers: their users do not name it.
        cc.args(to_linker([library])).args(["-lpthread", "-lm"]);
    }
    if command.verbose {
        cc.arg("-v");
    }
    Ok(cc)
}

/// Words for the linker itself, in their order: nvcc knows no other way, and tears apart what does
/// not stand so.
fn to_linker<T: AsRef<OsStr>, const N: usize>(words: [T; N]) -> impl Iterator<Item = OsString> {
    words.into_iter().flat_map(|word| ["-Xlinker".into(), word.as_ref().into()])
}

/// Whether the linker is CUDA's, which has options of its own and refuses those of C compilers that it
/// is not told to pass on.
fn is_nvcc(linker: &OsStr) -> bool {
    Path::new(linker).file_stem() == Some("nvcc".as_ref())
}

/// Whether there is code for GPUs among what another linker than nvcc could not link.
fn has_kernels(context: &Context, messages: &[u8]) -> bool {
    let linker = context.command.link_with.as_deref().map(text::words).unwrap_or_default();
    let is_source = |item: &Item| matches!(item, Item::Link(word) if word.ends_with(".cu"));
    let is_there = lacks(&String::from_utf8_lossy(messages), "__cudaRegister")
        || context.command.items.iter().any(is_source);
    is_there && !linker.first().is_some_and(|linker| is_nvcc(linker.as_ref()))
}

/// Leads calls of what performance tools hear of to what tells them, and shows preloaded tools the
/// functions for them.
fn instrumented_link() -> [String; 2] {
    let shown = ["threadof", "phaseof", "addrfield", "mythread", "threads"];
    let shown =
        shown.map(|name| format!(",-u,gasp_upc_{name},--export-dynamic-symbol=gasp_upc_{name}"));
    [wrapped(&instrumented()), format!("-Wl{}", shown.concat())]
}

/// Leads calls of the functions elsewhere.
fn wrapped(functions: &[String]) -> String {
    let each = functions.iter().map(|name| format!(",--wrap={name}"));
    std::iter::once("-Wl".into()).chain(each).collect()
}

/// Refuses objects of another machine than the runtime's, of which the linker has much to say.
fn check_machine(context: &Context, objects: &[PathBuf]) -> Step {
    let library = install::lib().join("libfurlong.a");
    if !wants_runtime(context) {
        return Ok(());
    }
    let mut machines = objects.iter().filter_map(|object| machine::of(object));
    match (machines.next(), machine::of(&library)) {
        (Some(wanted), Some(found)) if wanted != found => Err(fail(
            exit::FAILED,
            format_args!(
                "error[E0505]: the C compiler makes code for {wanted}, but `{}` is for {found}; \
                 use the upcc of a Furlong that was built for {wanted}",
                library.display()
            ),
        )),
        _ => Ok(()),
    }
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
        text += &format!(".section upcr_defaults,\"aR\"\n.asciz \"{}\"\n", settings.join(","));
    }
    if command.debug && wants_runtime(context) {
        // 1: a Python script, by its name.
        text += &format!(
            ".section .debug_gdb_scripts,\"MS\",%progbits,1\n.byte 1\n.asciz {}\n",
            c_string(&install::gdb_script().to_string_lossy())
        );
    }
    if text.is_empty() {
        return Ok(None);
    }
    text += PLAIN_STACK;
    assembly(temp, "notes.s", &text).map(Some)
}

fn assembly(temp: &TempDir, name: &str, text: &str) -> Result<PathBuf, Failed> {
    let path = temp.file(name).map_err(|text| fail(exit::SYSTEM, text))?;
    std::fs::write(&path, text).map_err(|e| {
        fail(exit::SYSTEM, format_args!("error: cannot write `{}`: {e}", path.display()))
    })?;
    Ok(path)
}
