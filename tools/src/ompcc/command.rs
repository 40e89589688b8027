// SPDX-License-Identifier: BSD-3-Clause
//! A command line of ompcc, as far as ompcc has to understand it.

use super::table::{Id, TABLE};
use crate::options::{self, Found};
use crate::options_doc::Print;
use crate::{gcc, text};

/// A language that has a compiler of its own, which also knows those before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Language {
    #[default]
    C,
    Cxx,
    Fortran,
}

#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Command {
    pub print: Option<Print>,
    /// Whose compiler.
    pub language: Language,
    /// The compiler, if it is named.
    pub compiler: Option<Vec<String>>,
    pub one_host: bool,
    pub links: bool,
    /// No source is Fortran's.
    pub is_for_c: bool,
    pub verbose: bool,
    /// Sources in C or C++.
    pub sources: Vec<String>,
    /// Everything that is the compiler's.
    pub passed: Vec<String>,
}

const FORTRAN: &[&str] =
    &["f", "for", "ftn", "fpp", "f77", "f90", "f95", "f03", "f08", "F", "FOR", "FTN", "FPP"];
const FORTRAN_FREE: &[&str] = &["F77", "F90", "F95", "F03", "F08"];

/// Options with which nothing is linked.
const WITHOUT_LINKING: &[&str] = &["-c", "-S", "-E", "-M", "-MM", "-fsyntax-only"];

/// Options that have the whole program linked without shared libraries.
const STATIC: &[&str] = &["-static", "--static", "-static-pie"];

pub fn parse(args: &[String]) -> Result<Command, String> {
    let mut command = Command { links: true, ..Command::default() };
    let mut languages = Vec::new();
    let mut chosen = None;
    let mut rest = args;
    while let Some(arg) = rest.first() {
        let used = match options::find(TABLE, rest) {
            Found::Option(found) if found.id != Id::Passed => {
                command.option(found.id, found.value.unwrap_or_default(), &mut chosen)?;
                found.used
            }
            Found::MissingValue(name) => return Err(format!("`{name}` lacks its value")),
            _ => {
                let used = 1 + usize::from(takes_next(arg)).min(rest.len() - 1);
                if !arg.starts_with('-') {
                    let language = language_of(arg);
                    if matches!(language, Some(Language::C | Language::Cxx)) {
                        command.sources.push(arg.clone());
                    }
                    languages.extend(language);
                }
                command.links &= !WITHOUT_LINKING.contains(&arg.as_str()) && !gcc::is_query(arg);
                command.passed.extend_from_slice(&rest[..used]);
                used
            }
        };
        rest = &rest[used..];
    }
    command.links &= command.passed.iter().any(|word| !word.starts_with('-'));
    if let Some(word) = command.passed.iter().find(|word| STATIC.contains(&word.as_str())) {
        if command.links {
            return Err(format!(
                "`{word}`: Furlong's OpenMP runtime is a shared library; leave `{word}` out, and \
                 name static libraries of your own as files, or by `-l:libname.a`"
            ));
        }
    }
    command.language = chosen.unwrap_or_else(|| compiler_for(&languages));
    command.is_for_c = command.language != Language::Fortran;
    Ok(command)
}

impl Command {
    pub fn wants_warnings(&self) -> bool {
        let passed = |word: &str| self.passed.iter().any(|other| other == word);
        passed("-Wall") && !passed("-w")
    }

    fn option(
        &mut self,
        id: Id,
        value: String,
        chosen: &mut Option<Language>,
    ) -> Result<(), String> {
        match id {
            Id::Lang => *chosen = Some(language_by_name(&value)?),
            Id::OneHost => self.one_host = true,
            Id::Compiler => self.compiler = Some(text::words(&value)).filter(|w| !w.is_empty()),
            Id::Verbose => {
                self.verbose = true;
                self.passed.push("-v".to_string());
            }
            Id::Version => self.print = Some(Print::Version),
            Id::Help => self.print = Some(Print::Help),
            Id::Man => self.print = Some(Print::Man),
            Id::Passed => {}
        }
        Ok(())
    }
}

/// Whether the next word belongs to the option.
fn takes_next(arg: &str) -> bool {
    arg == "-o" || arg == "-x" || arg == "-J" || gcc::classify(arg).1
}

fn language_by_name(name: &str) -> Result<Language, String> {
    match name.to_lowercase().as_str() {
        "c" => Ok(Language::C),
        "c++" | "cxx" | "cpp" => Ok(Language::Cxx),
        "fortran" | "f" | "f90" => Ok(Language::Fortran),
        _ => Err(format!("`-lang {name}`: must be c, c++ or fortran")),
    }
}

/// The language of a source; none of an object or a library.
fn language_of(path: &str) -> Option<Language> {
    let suffix = path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map(|e| e.1)?;
    match gcc::language_by_file(path) {
        gcc::Language::Cxx => Some(Language::Cxx),
        _ if FORTRAN.contains(&suffix) || FORTRAN_FREE.contains(&suffix) => Some(Language::Fortran),
        _ if suffix == "c" || suffix == "i" => Some(Language::C),
        _ => None,
    }
}

/// g++ takes C for C++; the others know each language by its suffix.
fn compiler_for(languages: &[Language]) -> Language {
    let has = |language| languages.contains(&language);
    match (has(Language::Fortran), has(Language::Cxx), has(Language::C)) {
        (true, _, _) => Language::Fortran,
        (false, true, false) => Language::Cxx,
        _ => Language::C,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Command {
        parse(&text::words(line)).unwrap_or_else(|e| panic!("{line}: {e}"))
    }

    #[test]
    fn sources_choose_the_compiler() {
        let language = |line| parsed(line).language;
        assert_eq!(language("-O2 a.c -o b.f90"), Language::C);
        assert_eq!(language("a.cc b.o"), Language::Cxx);
        assert_eq!(language("a.cc b.c"), Language::C);
        assert_eq!(language("a.c b.F90"), Language::Fortran);
        assert_eq!(language("--lang=c++ a.o"), Language::Cxx);
        assert_eq!(language("-c a.c --lang fortran"), Language::Fortran);
    }

    #[test]
    fn what_is_not_ours_is_passed_in_order() {
        let c = parsed("-one-host -O3 -MF x.d -I inc a.c -lm -cc='gcc-12 -m64'");
        assert_eq!(c.passed.join(" "), "-O3 -MF x.d -I inc a.c -lm");
        assert!(c.one_host && c.links);
        assert_eq!(c.compiler.unwrap(), ["gcc-12", "-m64"]);
    }

    #[test]
    fn only_a_program_is_linked() {
        assert!(parsed("a.c").links);
        for line in ["-c a.c", "-E a.c", "-dumpversion", "-v", "-print-search-dirs"] {
            assert!(!parsed(line).links, "{line}");
        }
    }

    #[test]
    fn mistakes_are_refused() {
        assert!(parse(&text::words("--lang")).is_err());
        assert!(parse(&text::words("--lang=ada a.c")).is_err());
        assert!(parse(&text::words("-static a.o")).is_err());
        assert!(parsed("-static -c a.c -static-libgcc").passed.contains(&"-static".to_string()));
    }
}
