// SPDX-License-Identifier: BSD-3-Clause
//! A command line of upcc, understood. Reads nothing but `@file`s.

use super::diagnostics::Format;
use super::foreign;
use super::table::{Id, TABLE};
use crate::gcc::{self, Language, Stage};
use crate::options::{self, Found};
use crate::text;
use furlong_compiler::diag::codes::ALL;
use furlong_compiler::emit::{max_threads, Inst};

/// How far sources are taken.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Mode {
    Preprocess,
    Translate,
    SyntaxOnly,
    Assembly,
    Object,
    Link,
}

/// Something that is printed instead of compiling.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Print {
    Help,
    Man,
    Version,
    Explain(String),
    Features,
    IncludeDir,
    /// The C compiler answers, given the whole command line.
    BackEnd,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    Source(Source),
    /// An option or a file for the linker.
    Link(String),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    pub path: String,
    pub language: Language,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Color {
    Auto,
    Always,
    Never,
}

/// How a warning is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    Off,
    Warning,
    Error,
}

#[derive(Clone, Debug)]
pub struct Command {
    pub mode: Mode,
    pub print: Option<Print>,
    pub items: Vec<Item>,
    pub output: Option<String>,
    /// Options of the C compiler, in order.
    pub passed: Vec<(Stage, String)>,
    pub threads: Option<u32>,
    pub heap: Option<u64>,
    pub pthreads: Option<u32>,
    /// Whether a process may have several UPC threads, as `-pthreads` or `-nopthreads` said last.
    pub by_pthreads: Option<bool>,
    /// The option by which the program's own threads run UPC code, such as `-fopenmp`.
    pub own_threads: Option<String>,
    pub cc: Option<String>,
    pub link_with: Option<String>,
    /// Where `-save-temps` leaves texts: `obj` is the result's folder, all else the current one.
    pub save_temps: Option<String>,
    pub verbose: bool,
    /// Optimise shared accesses.
    pub optimise: bool,
    /// `-g`: the runtime looks for misuse of the library.
    pub debug: bool,
    /// The program may run on several hosts.
    pub network: bool,
    /// What performance tools hear of.
    pub inst: Inst,
    /// The runtime looks for races, and accesses outside objects.
    pub check: bool,
    pub color: Color,
    /// How messages are written.
    pub format: Format,
    /// Make the changes that diagnostics suggest.
    pub fix: bool,
    /// How W0107 is taken, if an option says it.
    pub missing_include: Option<Level>,
    /// Codes of warnings that are not given.
    pub silenced: Vec<&'static str>,
    pub shows_loops: bool,
    /// Things worth saying before anything is done.
    pub remarks: Vec<String>,
    pub quiet: bool,
}

impl Default for Command {
    fn default() -> Command {
        Command {
            mode: Mode::Link,
            print: None,
            items: Vec::new(),
            output: None,
            passed: Vec::new(),
            threads: None,
            heap: None,
            pthreads: None,
            by_pthreads: None,
            own_threads: None,
            cc: None,
            link_with: None,
            save_temps: None,
            verbose: false,
            optimise: false,
            debug: false,
            network: true,
            inst: Inst::Off,
            check: false,
            color: Color::Auto,
            format: Format::Text,
            fix: false,
            missing_include: None,
            silenced: Vec::new(),
            shows_loops: false,
            remarks: Vec::new(),
            quiet: false,
        }
    }
}

/// A command line that upcc cannot follow; the text says why.
pub type Refusal = String;

pub fn parse(args: Vec<String>) -> Result<Command, Refusal> {
    let args = expand_files(args, 0)?;
    let mut command = Command::default();
    let mut language = None;
    let mut i = 0;
    while i < args.len() {
        let arg = &args[i];
        if arg == "-x" || (arg.starts_with("-x") && !arg.starts_with("-xc=")) {
            let (name, used) = separate_or_joined(&args[i..], "-x")?;
            language = gcc::language_by_name(&name);
            i += used;
        } else if arg == "--" {
            args[i + 1..].iter().for_each(|file| command.add_file(file, language.clone()));
            break;
        } else if arg == "-" || !arg.starts_with('-') {
            command.add_file(arg, language.clone());
            i += 1;
        } else if let Some(used) = command.own_option(&args[i..])? {
            i += used;
        } else {
            i += command.foreign_option(&args[i..])?;
        }
    }
    command.check()?;
    Ok(command)
}

impl Command {
    pub fn sources(&self) -> impl Iterator<Item = &Source> {
        self.items.iter().filter_map(|item| match item {
            Item::Source(source) => Some(source),
            Item::Link(_) => None,
        })
    }

    /// The C compiler's options for the given steps, in order.
    pub fn passed_for(&self, stages: &[Stage]) -> impl Iterator<Item = &str> {
        let stages = stages.to_vec();
        self.passed.iter().filter(move |(s, _)| stages.contains(s)).map(|(_, a)| a.as_str())
    }

    /// The file that -MF names, for the dependencies that make reads.
    pub fn dependency_file(&self) -> Option<&str> {
        let mut options = self.passed_for(&[Stage::Depend]);
        match options.find_map(|option| option.strip_prefix("-MF"))? {
            "" => options.next(),
            name => Some(name),
        }
    }

    /// The last one of `options` that the C compiler is given.
    pub fn last_of(&self, options: &[&str]) -> Option<&str> {
        self.passed_for(&[Stage::All, Stage::Compile]).filter(|o| options.contains(o)).last()
    }

    /// The linker was told something.
    pub fn links_with(&self, options: &[&str]) -> bool {
        self.items.iter().any(|i| matches!(i, Item::Link(l) if options.contains(&l.as_str())))
    }

    fn add_file(&mut self, path: &str, language: Option<Language>) {
        // The C compiler, too, would take the name for an option.
        let path = &match path.starts_with('-') && path != "-" {
            true => format!("./{path}"),
            false => path.to_string(),
        };
        let language = language.unwrap_or_else(|| match path.as_str() {
            // As gcc does for -E; without -x it wants to be told, and C is the only sensible guess.
            "-" => Language::Upc,
            _ => gcc::language_by_file(path),
        });
        self.items.push(match language {
            Language::Object => Item::Link(path.to_string()),
            _ => Item::Source(Source { path: path.to_string(), language }),
        });
    }

    /// Takes an option of our own table; the number of arguments that it takes, or nothing if
    /// the option is the C compiler's.
    fn own_option(&mut self, args: &[String]) -> Result<Option<usize>, Refusal> {
        let found = match options::find(TABLE, args) {
            Found::Option(found) => found,
            Found::MissingValue(name) => return Err(format!("`{name}` lacks its value")),
            Found::Unknown => return self.joined_output(args),
        };
        let value = found.value.clone().unwrap_or_default();
        match found.id {
            Id::Threads => self.threads = Some(thread_count(&value)?),
            Id::Network => self.network = value != "smp",
            Id::Heap => self.heap = Some(text::size(&value)?),
            Id::Pthreads => {
                self.by_pthreads = Some(true);
                if !value.is_empty() {
                    self.pthreads = Some(thread_count(&value)?);
                }
            }
            Id::Output => self.output = Some(value),
            Id::CompileOnly => self.mode = self.mode.min(Mode::Object),
            Id::AssemblyOnly => self.mode = self.mode.min(Mode::Assembly),
            Id::SyntaxOnly => self.mode = self.mode.min(Mode::SyntaxOnly),
            Id::Trans => self.mode = self.mode.min(Mode::Translate),
            Id::PreprocessOnly => self.mode = Mode::Preprocess,
            Id::SaveTemps => self.save_temps = Some(value),
            Id::ToCompiler => {
                let words = text::words(&value);
                let flags: Vec<&str> = words.iter().flat_map(|word| word.split(',')).collect();
                self.pass(Stage::Compile, &without("-Wc", &flags));
            }
            Id::ToPreprocessor => self.hand_on(Stage::Preprocess, "-Wp", &value),
            Id::ToLinker => self.hand_on(Stage::Link, "-Wl", &value),
            Id::BackEnd => self.cc = Some(value),
            Id::Opt => self.optimise = true,
            Id::Verbose => self.verbose = true,
            Id::Version => self.print = Some(Print::Version),
            Id::Help => {
                match args.get(1).filter(|word| args[0] == "-h" && !word.starts_with('-')) {
                    Some(word) => return foreign::cray(word).map(Some),
                    None => self.print = Some(Print::Help),
                }
            }
            Id::Man => self.print = Some(Print::Man),
            Id::Explain => self.print = Some(Print::Explain(value)),
            Id::Color => self.color = color(&value)?,
            Id::Format => {
                self.format = Format::by_name(&value).ok_or_else(|| {
                    format!(
                        "`-fdiagnostics-format={value}`: must be text, json, sarif-stderr or \
                         sarif-file"
                    )
                })?;
            }
            Id::Fix => self.fix = true,
            Id::Remarks => self.shows_loops = true,
            Id::Silence => self.silence(&value)?,
            Id::MissingInclude(level) => self.missing_include = Some(level),
            Id::NoColor => self.color = Color::Never,
            Id::Passed => return Ok(None),
            Id::Inst(inst) => self.inst = inst,
            Id::Check => self.check = true,
            Id::NoPthreads => (self.pthreads, self.by_pthreads) = (None, Some(false)),
            Id::LinkWith => self.link_with = Some(value),
            Id::Features => self.print = Some(Print::Features),
            Id::IncludeDir => self.print = Some(Print::IncludeDir),
            Id::Quiet => self.quiet = true,
            Id::NoEffect => {
                self.remarks.push(format!("remark: `{}` has no effect here", args[0]));
            }
            Id::Ignored => {}
        }
        Ok(Some(found.used))
    }

    /// `-Wno-furlong-CODE`
    fn silence(&mut self, code: &str) -> Result<(), Refusal> {
        let is_it = |known: &&str| known.eq_ignore_ascii_case(code) && known.starts_with('W');
        match ALL.iter().map(|&(known, _)| known).find(is_it) {
            Some("W0107") => self.missing_include = Some(Level::Off),
            Some(known) => self.silenced.push(known),
            None => {
                return Err(format!(
                "`-Wno-furlong-{code}`: there is no warning `{code}`; a warning's code stands in \
                     its brackets, as in `warning[W0508]`"
            ))
            }
        }
        Ok(())
    }

    /// `-oFILE`, which the table cannot tell from a word such as `-opt`.
    fn joined_output(&mut self, args: &[String]) -> Result<Option<usize>, Refusal> {
        match args[0].strip_prefix("-o") {
            Some(file) => {
                self.output = Some(file.to_string());
                Ok(Some(1))
            }
            None => Ok(None),
        }
    }

    fn foreign_option(&mut self, args: &[String]) -> Result<usize, Refusal> {
        let arg = args[0].as_str();
        if gcc::is_query(arg) {
            self.print = Some(Print::BackEnd);
            return Ok(1);
        }
        if let Some(refusal) = foreign::refusal(arg) {
            return Err(refusal);
        }
        let (stage, takes_next) = gcc::classify(arg);
        if takes_next && args.len() < 2 {
            return Err(format!("`{arg}` lacks its value"));
        }
        if matches!(arg, "-M" | "-MM") {
            self.mode = Mode::Preprocess;
        }
        if let Some(level) = arg.strip_prefix("-O") {
            self.optimise = level != "0";
        }
        if let Some(level) = arg.strip_prefix("-g") {
            self.debug = level != "0";
        }
        let used = 1 + usize::from(takes_next);
        let words: Vec<&str> = args[..used].iter().map(String::as_str).collect();
        self.pass(stage, &words);
        Ok(used)
    }

    /// `-Wl,A,B`, in which other drivers let the option's name stand again: `-Wl,-Wl,A`.
    fn hand_on(&mut self, stage: Stage, name: &str, value: &str) {
        let flags = without(name, &value.split(',').collect::<Vec<_>>()).join(",");
        if !flags.is_empty() {
            self.pass(stage, &[&format!("{name},{flags}")]);
        }
    }

    fn pass(&mut self, stage: Stage, words: &[&str]) {
        for word in words {
            if starts_threads(word) {
                self.own_threads = Some(word.to_string());
            }
            match stage {
                Stage::Link => self.items.push(Item::Link(word.to_string())),
                _ => self.passed.push((stage, word.to_string())),
            }
        }
    }

    /// Private objects are plain C objects, so that threads which a UPC thread makes see its own.
    /// `-pthread` gives way to `-pthreads`: a program may link a library that has threads.
    pub fn nopthreads(&self) -> bool {
        self.by_pthreads.map_or(self.own_threads.is_some(), |several| !several)
    }

    /// The C compiler leaves code for the linker to optimise.
    pub fn lto(&self) -> bool {
        let of_lto = |o: &&str| o.starts_with("-flto") || *o == "-fno-lto";
        let last = self.passed_for(&[Stage::All, Stage::Compile]).filter(of_lto).last();
        last.is_some_and(|option| option != "-fno-lto")
    }

    /// The C compiler heeds the pragmas of OpenMP.
    pub fn openmp(&self) -> bool {
        let mut options = self.passed.iter().map(|(_, option)| option.as_str());
        options.any(|o| o == "-fopenmp" || o.starts_with("-fopenmp="))
    }

    fn check(&self) -> Result<(), Refusal> {
        if let (Some(option), Some(true)) = (&self.own_threads, self.by_pthreads) {
            if option != "-pthread" {
                return Err(format!(
                    "`{option}` and `-pthreads` exclude each other: threads that a UPC thread makes \
                     see its private variables only where a process has one UPC thread; leave out \
                     `-pthreads`"
                ));
            }
        }
        if self.check && self.inst != Inst::Off {
            return Err(
                "`-check` and `-inst` exclude each other: one listens where the other would; \
                        compile the program twice"
                    .to_string(),
            );
        }
        let sources = self.sources().count();
        if self.output.is_some() && sources > 1 && self.mode < Mode::Link {
            return Err("`-o` names one file, but there are several sources".to_string());
        }
        if self.print.is_none() && self.items.is_empty() && !self.verbose {
            return Err("no input files".to_string());
        }
        Ok(())
    }
}

/// The flags that say something: neither nothing nor `name` again.
fn without<'a>(name: &str, flags: &[&'a str]) -> Vec<&'a str> {
    flags.iter().copied().filter(|flag| !flag.is_empty() && *flag != name).collect()
}

/// Does the C compiler's option let threads other than the UPC thread run the code?
fn starts_threads(option: &str) -> bool {
    match option.split_once('=') {
        Some(("-ftree-parallelize-loops", n)) => n != "0" && n != "1",
        Some((name, _)) => name == "-fopenmp",
        None => matches!(option, "-fopenmp" | "-fopenacc" | "-pthread"),
    }
}

fn separate_or_joined(args: &[String], name: &str) -> Result<(String, usize), Refusal> {
    match (args[0].strip_prefix(name), args.get(1)) {
        (Some(""), Some(next)) => Ok((next.clone(), 2)),
        (Some(rest), _) if !rest.is_empty() => Ok((rest.to_string(), 1)),
        _ => Err(format!("`{name}` lacks its value")),
    }
}

fn thread_count(value: &str) -> Result<u32, Refusal> {
    let most = max_threads();
    match value.parse() {
        Ok(n) if (1..=most).contains(&n) => Ok(n),
        _ => Err(format!("`{value}` is not a number of threads: it must be from 1 to {most}")),
    }
}

fn color(value: &str) -> Result<Color, Refusal> {
    match value {
        "" | "always" => Ok(Color::Always),
        "auto" => Ok(Color::Auto),
        "never" => Ok(Color::Never),
        _ => Err(format!("`-fdiagnostics-color={value}`: must be auto, always or never")),
    }
}

/// Replaces each `@file` by the words in the file, as gcc does; a file that cannot be read is an
/// argument like any other.
fn expand_files(args: Vec<String>, depth: usize) -> Result<Vec<String>, Refusal> {
    if depth > 100 {
        return Err("`@file` names itself".to_string());
    }
    let mut out = Vec::with_capacity(args.len());
    for arg in args {
        match arg.strip_prefix('@').and_then(|path| std::fs::read_to_string(path).ok()) {
            Some(content) => out.extend(expand_files(text::words(&content), depth + 1)?),
            None => out.push(arg),
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Command {
        parse(text::words(line)).unwrap_or_else(|e| panic!("{line}: {e}"))
    }

    #[test]
    fn a_usual_line() {
        let c = parsed("-T=4 -O2 -DX -I inc -c a.upc -o a.o -lm");
        assert_eq!((c.mode, c.threads, c.optimise), (Mode::Object, Some(4), true));
        assert_eq!(c.output.as_deref(), Some("a.o"));
        assert_eq!(c.passed_for(&[Stage::Preprocess]).collect::<Vec<_>>(), ["-DX", "-I", "inc"]);
        assert_eq!(c.passed_for(&[Stage::All]).collect::<Vec<_>>(), ["-O2"]);
        assert_eq!(c.items.last(), Some(&Item::Link("-lm".to_string())));
    }

    #[test]
    fn the_first_stop_wins_and_joined_forms_are_read() {
        assert_eq!(parsed("-c -S x.c").mode, Mode::Assembly);
        assert_eq!(parsed("-E -c x.c").mode, Mode::Preprocess);
        assert_eq!(parsed("-ox x.c").output.as_deref(), Some("x"));
        assert_eq!(parsed("-fupc-threads-8 x.c").threads, Some(8));
        assert!(parsed("-pthread x.c").pthreads.is_none());
        assert_eq!(parsed("-pthreads=3 x.c").pthreads, Some(3));
        assert_eq!(parsed("-pthreads=3 -nopthreads x.c").pthreads, None);
    }

    #[test]
    fn options_that_make_threads_imply_nopthreads() {
        for line in [
            "-nopthreads",
            "-fopenmp",
            "-fopenmp=libomp",
            "-fopenacc",
            "-pthread",
            "-Wc,-fopenmp",
            "-ftree-parallelize-loops=4",
            "-pthreads=3 -nopthreads",
        ] {
            assert!(parsed(&format!("{line} x.c")).nopthreads(), "{line}");
        }
        for line in [
            "-O2",
            "-pthreads",
            "-fopenmp-simd",
            "-ftree-parallelize-loops=1",
            "-pthread -pthreads",
            "-nopthreads -pthreads=2",
        ] {
            assert!(!parsed(&format!("{line} x.c")).nopthreads(), "{line}");
        }
    }

    #[test]
    fn dash_x_holds_until_the_next() {
        let c = parsed("-x c++ a.c -x none b.c -xc -");
        let languages: Vec<_> = c.sources().map(|s| s.language.clone()).collect();
        assert_eq!(languages, [Language::Cxx, Language::Upc, Language::Upc]);
    }

    #[test]
    fn mistakes_are_refused() {
        for line in [
            "",
            "-o",
            "-T=0 x.upc",
            "-T=four x.upc",
            "-c a.c b.c -o x",
            "-shared-heap=x a.c",
            "-fopenmp -pthreads=2 x.upc",
        ] {
            assert!(parse(text::words(line)).is_err(), "{line}");
        }
    }
}
