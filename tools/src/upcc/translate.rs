// SPDX-License-Identifier: BSD-3-Clause
//! Runs the translator on a stack that deep nesting does not exhaust, and shows what it says.

use super::command::{Level, Source};
use super::diagnostics::{self, Format};
use super::{fail, print, reserved, Context, Failed};
use crate::exit;
use crate::gcc::Stage;
use crate::out;
use crate::text::c_string;
use furlong_compiler::diag::place::Places;
use furlong_compiler::diag::render::{render, RenderOptions};
use furlong_compiler::diag::{codes, Diagnostic, Diagnostics, Severity};
use furlong_compiler::emit::Inst;
use furlong_compiler::predefined::declare_types;
use furlong_compiler::{explain, Options, Translation};
use std::borrow::Cow;
use std::io::Write;

/// Stack sizes to try, the largest first: a limit on address space may forbid it.
const STACKS: [usize; 3] = [512 << 20, 64 << 20, 8 << 20];

/// What goes to the C compiler.
pub struct Translated {
    pub c: Vec<u8>,
    /// The source as it was: its private variables are one per process, not one per thread.
    pub untouched: bool,
}

/// How a source is preprocessed once more.
pub enum Again<'a> {
    /// <upc.h> includes the headers that are named.
    WithHeaders(&'a [&'a str]),
    /// The text has the directives that name THREADS or MYTHREAD.
    WithReserved,
    /// THREADS is an ordinary name, not the macro of `-T`.
    AsC,
}

/// C for the preprocessed text of `source`. `again` preprocesses the source once more; nothing if that
/// cannot be.
pub fn translate(
    context: &Context,
    source: &Source,
    text: Vec<u8>,
    again: impl Fn(Again) -> Option<Vec<u8>>,
) -> Result<Translated, Failed> {
    let mut unit = Unit::new(context, source, text)?;
    let mut options = context.command.passed_for(&[Stage::All, Stage::Preprocess]);
    if reserved::may_be_named(&unit.translation.lines) || reserved::is_defined_by(&mut options) {
        if let Some(text) = again(Again::WithReserved) {
            unit = Unit::new(context, source, text)?;
        }
    }
    let missing = &unit.translation.missing;
    let headers: Vec<&str> = missing.iter().map(|missing| missing.header).collect();
    let complete = if headers.is_empty() { None } else { again(Again::WithHeaders(&headers)) };
    let Some(text) = complete else { return unit.finish(context, source, &again) };
    let directives = [codes::W0108, codes::W0109];
    let found = unit.translation.diagnostics.0.iter().filter(|d| directives.contains(&d.code));
    let remarks = missing.iter().map(|missing| &missing.remark).chain(found).cloned().collect();
    let (remarks, is_failure) = weighed(context, remarks);
    unit.show(context, &remarks);
    let translated = Unit::new(context, source, text)?.finish(context, source, &again)?;
    match is_failure {
        true => Err(Failed(exit::FAILED)),
        false => Ok(translated),
    }
}

/// The remarks about missing headers as the options want them, and whether they are a failure.
fn weighed(context: &Context, remarks: Vec<Diagnostic>) -> (Diagnostics, bool) {
    let flag = |flag: &str| context.command.passed_for(&[Stage::All]).any(|o| o == flag);
    let level = context.command.missing_include;
    let is_error = level == Some(Level::Error) || level.is_none() && flag("-Werror");
    let severity = if is_error { Severity::Error } else { Severity::Warning };
    if level == Some(Level::Off) || !is_error && flag("-w") {
        return (Diagnostics::default(), false);
    }
    let remarks = remarks.into_iter().map(|remark| Diagnostic { severity, ..remark });
    (Diagnostics(remarks.collect()), is_error)
}

/// A preprocessed text and what the translator made of it.
struct Unit {
    text: String,
    encoding: Encoding,
    options: Options,
    translation: Translation,
}

impl Unit {
    fn new(context: &Context, source: &Source, text: Vec<u8>) -> Result<Unit, Failed> {
        let (text, encoding) = decode(text);
        let text = declare_types(text);
        let options = options(context, source);
        let translation = on_big_stack(|| furlong_compiler::translate(&text, &options))?;
        Ok(Unit { text, encoding, options, translation })
    }

    /// Shows what the translator has to say; the C, if it is not a failure.
    fn finish(
        &self,
        context: &Context,
        source: &Source,
        again: &impl Fn(Again) -> Option<Vec<u8>>,
    ) -> Result<Translated, Failed> {
        let plain = match self.translation.c {
            None if may_be_c(source) => self.plain_c(again)?,
            _ => None,
        };
        let untouched = plain.is_some();
        let (c, encoding) = match (&self.translation.c, plain) {
            (_, Some((c, encoding))) => (c, encoding),
            (c, None) => {
                let failed = self.show(context, &self.translation.diagnostics);
                if context.command.shows_loops {
                    self.show_remarks();
                }
                let c = c.as_deref().filter(|_| !failed).ok_or(Failed(exit::FAILED))?;
                (Cow::Borrowed(c), self.encoding)
            }
        };
        // The first line names the unit in the C compiler's messages and in debug information.
        let c = encode(format!("# 1 {}\n{c}", c_string(&source.path)), encoding);
        Ok(Translated { c, untouched })
    }

    /// A text that the translator cannot read, if it was written before UPC, or in another dialect
    /// of C: the C compiler is the judge of it.
    fn plain_c(
        &self,
        again: &impl Fn(Again) -> Option<Vec<u8>>,
    ) -> Result<Option<(Cow<'_, str>, Encoding)>, Failed> {
        let Unit { text, encoding, options, .. } = self;
        if on_big_stack(|| is_c(text, options))? {
            return Ok(Some((Cow::Borrowed(text), *encoding)));
        }
        // With `-T` THREADS is a macro, so that a name is a number in the text.
        let as_c = options.threads.and_then(|_| again(Again::AsC));
        let Some((text, encoding)) = as_c.map(decode) else { return Ok(None) };
        let is_c = text.contains("THREADS") && on_big_stack(|| is_c(&text, options))?;
        Ok(is_c.then_some((Cow::Owned(text), encoding)))
    }

    /// Shows what was done about loops, a line for each.
    fn show_remarks(&self) {
        let lines = &self.translation.lines;
        for (offset, text) in &self.translation.remarks {
            let place = lines.locate(*offset);
            let shown = format!("{}:{}: remark: {text}\n", lines.file(place.file).name, place.line);
            let _ = std::io::stderr().write_all(shown.as_bytes());
        }
    }

    /// Shows the diagnostics; true if they are a failure.
    fn show(&self, context: &Context, diagnostics: &Diagnostics) -> bool {
        let flag = |flag: &str| context.command.passed_for(&[Stage::All]).any(|o| o == flag);
        let mut diagnostics = diagnostics.clone();
        let silenced = &context.command.silenced;
        diagnostics.0.retain(|d| {
            d.severity == Severity::Error || !(flag("-w") || silenced.contains(&d.code))
        });
        let source_of = |name: &str| {
            std::fs::read(name).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        };
        let lines = &self.translation.lines;
        let is_failure = diagnostics.has_errors() || (flag("-Werror") && !diagnostics.0.is_empty());
        let mut places = Places::new(lines, &self.text, &source_of);
        if context.command.fix {
            let fixes = diagnostics.0.iter().flat_map(|d| diagnostics::fixes(d, &mut places));
            context.fixes.borrow_mut().extend(fixes);
        }
        if context.command.format != Format::Text {
            let found = diagnostics.0.iter().map(|d| diagnostics::message(d, &mut places));
            context.messages.borrow_mut().extend(found);
            return is_failure;
        }
        let options = RenderOptions {
            color: print::color(context.command.color),
            counts_fixes: !context.command.fix,
            ..Default::default()
        };
        let shown = render(&diagnostics, lines, &self.text, &options, &source_of);
        // A closed stderr must not change the verdict.
        let _ = std::io::stderr().write_all(shown.as_bytes());
        is_failure
    }
}

fn options(context: &Context, source: &Source) -> Options {
    const PIC: &[&str] = &["-fPIC", "-fpic", "-fno-PIC", "-fno-pic", "-fPIE", "-fpie"];
    let check = context.command.check;
    let inst = if check { Inst::All } else { context.command.inst };
    Options {
        threads: context.command.threads,
        plain_c: false,
        file: source.path.clone(),
        optimise: context.command.optimise && inst != Inst::All,
        debug: context.command.debug || check,
        network: context.command.network || inst != Inst::Off,
        inst,
        check,
        nopthreads: context.command.nopthreads(),
        common: context.command.last_of(&["-fcommon", "-fno-common"]) != Some("-fno-common"),
        pic: matches!(context.command.last_of(PIC), Some("-fPIC" | "-fpic")),
        lto: context.command.lto(),
        openmp: context.command.openmp(),
    }
}

/// Whether the source is C by its name.
pub fn may_be_c(source: &Source) -> bool {
    !source.path.ends_with(".upc")
}

/// Whether a text that is not UPC may be C: it has no word of UPC, or it reads well as C in which
/// they are ordinary names.
fn is_c(text: &str, options: &Options) -> bool {
    const HEADERS: [&str; 3] = ["/upc.h\"", "/upc_relaxed.h\"", "/upc_strict.h\""];
    let is_upc_header =
        |line: &str| line.starts_with("# ") && HEADERS.iter().any(|h| line.contains(h));
    if !has_upc_word(text) {
        return true;
    }
    let options = Options { plain_c: true, ..options.clone() };
    !text.lines().any(is_upc_header) && furlong_compiler::translate(text, &options).c.is_some()
}

fn has_upc_word(text: &str) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.split(|c| !is_name(c)).any(|word| {
        matches!(word, "shared" | "strict" | "relaxed" | "MYTHREAD" | "THREADS")
            || word.starts_with("upc_")
    })
}

/// Explains declarations to the user.
pub fn explain(context: &Context, declarations: &str) -> Result<(), Failed> {
    let threads = context.command.threads;
    let explanation = on_big_stack(|| explain::explain(declarations, threads))?;
    let options =
        RenderOptions { color: print::color(context.command.color), ..Default::default() };
    let source_of = |name: &str| (name == explain::FILE).then(|| declarations.to_string());
    let (diagnostics, lines) = (&explanation.diagnostics, &explanation.lines);
    eprint!("{}", render(diagnostics, lines, &explanation.text, &options, &source_of));
    match explanation.english {
        Some(english) => {
            out!("{english}");
            Ok(())
        }
        None => Err(Failed(exit::FAILED)),
    }
}

/// Why the translator gave no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Trouble {
    Panic,
    NoStack,
}

impl From<Trouble> for Failed {
    fn from(trouble: Trouble) -> Failed {
        match trouble {
            Trouble::Panic => fail(
                exit::INTERNAL,
                "error[E0901]: this is a mistake in upcc, not in your program; please report it \
                 together with the file that `upcc -E` makes of the source",
            ),
            Trouble::NoStack => {
                fail(exit::SYSTEM, "error: no memory for the translator's stack; raise `ulimit -v`")
            }
        }
    }
}

pub(crate) fn on_big_stack<T: Send>(work: impl Fn() -> T + Sync) -> Result<T, Trouble> {
    let work = &work;
    for stack in STACKS {
        let outcome = std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().stack_size(stack).spawn_scoped(scope, work);
            thread.map(|thread| thread.join()).ok()
        });
        match outcome {
            Some(Ok(value)) => return Ok(value),
            Some(Err(_)) => return Err(Trouble::Panic),
            None => {}
        }
    }
    Err(Trouble::NoStack)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Encoding {
    Utf8,
    /// Some byte of the text is not UTF-8: every byte stands for the character of its number.
    Bytes,
}

/// The translator reads characters; C does not care what the bytes in its strings mean.
fn decode(text: Vec<u8>) -> (String, Encoding) {
    match String::from_utf8(text) {
        Ok(text) => (text, Encoding::Utf8),
        Err(e) => (e.as_bytes().iter().map(|&b| char::from(b)).collect(), Encoding::Bytes),
    }
}

fn encode(text: String, encoding: Encoding) -> Vec<u8> {
    match encoding {
        Encoding::Utf8 => text.into_bytes(),
        Encoding::Bytes => text.chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_not_utf8_survive() {
        for bytes in [&b"char *s = \"\xe9\xff\";"[..], "char *s = \"é\";".as_bytes()] {
            let (text, encoding) = decode(bytes.to_vec());
            assert_eq!(encode(text, encoding), bytes);
        }
    }

    #[test]
    fn words_of_upc_are_whole_words() {
        assert!(has_upc_word("int*shared;"));
        assert!(has_upc_word("upc_barrier;"));
        assert!(!has_upc_word("int shared_ptr, THREADS2, restricted;"));
    }

    #[test]
    fn a_panic_is_an_internal_error() {
        let result: Result<(), Trouble> = on_big_stack(|| panic!("a test of panics"));
        assert_eq!(result, Err(Trouble::Panic));
    }
}
