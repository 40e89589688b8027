// SPDX-License-Identifier: BSD-3-Clause
//! A test as it stands in its file: directives on top, `//~` notes beside lines, the expected
//! output in a trailing comment. tests/README.md defines the form; this reads it.

use crate::config::words;
pub use furlong_measure::mapping::{mappings, Mapping};
use std::path::{Path, PathBuf};

#[derive(Default, Debug)]
pub struct Case {
    pub path: PathBuf,
    pub mappings: Vec<Mapping>,
    /// The mappings are the file's own, or follow from its static threads.
    pub names_mappings: bool,
    pub static_threads: Option<u32>,
    pub flags: Vec<String>,
    pub args: Vec<String>,
    /// Names and values.
    pub env: Vec<(String, String)>,
    pub stdin: String,
    pub exit: i32,
    pub stderr: Vec<String>,
    pub fail: Option<Vec<String>>,
    pub warn: Vec<String>,
    pub with: Vec<PathBuf>,
    pub separate: bool,
    pub spec: Vec<String>,
    pub limit_secs: u64,
    pub repeat: usize,
    pub sort: bool,
    /// What is tested is upcrun: not to be run by other launchers.
    pub upcrun: bool,
    /// Not to be run over several hosts.
    pub one_host: bool,
    /// Why it is expected to fail on several hosts.
    pub broken_over_hosts: Option<String>,
    /// Why clang cannot compile it.
    pub not_clang: Option<String>,
    /// Why it is for no other machine.
    pub x86_64: Option<String>,
    /// Why an emulator cannot run it.
    pub not_emulated: Option<String>,
    /// Why the checker (`--flags -check`) rightly reports something, or is in its way.
    pub not_checked: Option<String>,
    pub stdout: Option<String>,
    pub notes: Vec<Note>,
}

/// `//~ error E0312`: this code is expected on this line.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Note {
    pub line: usize,
    pub level: String,
    pub code: String,
}

fn setting(word: &str) -> (String, String) {
    let (name, value) = word.split_once('=').unwrap_or((word, ""));
    (name.into(), value.into())
}

impl Case {
    /// Reads the file. `default_mappings` applies where the file names none.
    pub fn load(path: &Path, default_mappings: &str) -> Result<Case, String> {
        let bytes = std::fs::read(path).map_err(|e| e.to_string())?;
        let text = String::from_utf8_lossy(&bytes);
        let mut case = Case { path: path.to_owned(), limit_secs: 30, repeat: 1, ..Case::default() };
        for line in text.lines() {
            // In Fortran a comment begins with `!`.
            let directive = line.split_once("//@").or_else(|| line.split_once("!@"));
            let Some((_, directive)) = directive else { continue };
            case.directive(directive.trim())?;
        }
        case.names_mappings = !case.mappings.is_empty() || case.static_threads.is_some();
        if case.mappings.is_empty() {
            case.mappings = match case.static_threads {
                Some(n) => of_product(n),
                None => mappings(default_mappings)?,
            };
        }
        if let Some(n) = case.static_threads {
            if let Some(odd) = case.mappings.iter().find(|m| m.threads() != n) {
                return Err(format!("mapping {odd} does not give the {n} threads compiled in"));
            }
        }
        case.stdout = expected_output(&text);
        case.notes = notes(&text);
        Ok(case)
    }

    fn directive(&mut self, directive: &str) -> Result<(), String> {
        let (name, value) = directive.split_once(':').unwrap_or((directive, ""));
        let value = value.trim();
        let codes =
            || value.split([' ', ',']).filter(|c| !c.is_empty()).map(String::from).collect();
        let number = || value.parse().map_err(|_| format!("`{value}` is not a number"));
        match name.trim() {
            "mappings" => self.mappings = mappings(value)?,
            "static-threads" => self.static_threads = Some(number()? as u32),
            "flags" => self.flags.extend(words(value)),
            "args" => self.args.extend(words(value)),
            "env" => self.env.extend(words(value).iter().map(|word| setting(word))),
            "stdin" => self.stdin.push_str(&format!("{value}\n")),
            "exit" => self.exit = number()? as i32,
            "stderr" => self.stderr.push(value.into()),
            "fail" => self.fail = Some(codes()),
            "warn" => self.warn = codes(),
            "with" => self.with = words(value).iter().map(|file| self.beside(file)).collect(),
            "separate" => self.separate = true,
            "spec" => self.spec.extend::<Vec<String>>(codes()),
            "limit" => self.limit_secs = number()?,
            "repeat" => self.repeat = number()? as usize,
            "sort" => self.sort = true,
            "upcrun" => self.upcrun = true,
            "one-host" => self.one_host = true,
            "broken-over-hosts" => self.broken_over_hosts = Some(value.into()),
            "x86-64" => self.x86_64 = Some(value.into()),
            "not-checked" => self.not_checked = Some(value.into()),
            "not-emulated" => self.not_emulated = Some(value.into()),
            "not-clang" => self.not_clang = Some(value.into()),
            other => return Err(format!("unknown directive `{other}`")),
        }
        Ok(())
    }

    pub fn dir(&self) -> &Path {
        self.path.parent().expect("a test stands in a directory")
    }

    pub fn file_name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    fn beside(&self, file: &str) -> PathBuf {
        let input = self.dir().join("inputs").join(file);
        if input.exists() {
            input
        } else {
            self.dir().join(file)
        }
    }
}

/// The mappings of a program compiled for `n` threads: processes, pthreads, and two of each.
fn of_product(n: u32) -> Vec<Mapping> {
    let pairs = [(n, 1), (1, n), (2, n / 2)];
    let mut list: Vec<Mapping> = Vec::new();
    for (processes, pthreads) in pairs {
        let mapping = Mapping { hosts: 1, processes, pthreads };
        if mapping.threads() == n && !list.contains(&mapping) {
            list.push(mapping);
        }
    }
    list
}

/// The text of a comment `/* stdout:` … `*/`, without the lines that open and close it.
fn expected_output(text: &str) -> Option<String> {
    let (_, rest) = text.rsplit_once("/* stdout:")?;
    let (body, _) = rest.split_once("*/")?;
    let body = body.strip_prefix('\n').unwrap_or(body);
    Some(body.trim_end_matches(' ').to_string())
}

/// `//~ level CODE`; each `^` points one line further up.
fn notes(text: &str) -> Vec<Note> {
    let mut notes = Vec::new();
    for (index, line) in text.lines().enumerate() {
        for note in line.split("//~").skip(1) {
            let up = note.chars().take_while(|&c| c == '^').count();
            let mut words = note[up..].split_whitespace();
            let level = words.next().unwrap_or("error").into();
            let code = words.next().unwrap_or("").into();
            notes.push(Note { line: (index + 1).saturating_sub(up), level, code });
        }
    }
    notes.sort();
    notes
}

/// Every test program below `dir`, in order; `inputs/` and files that another test is compiled
/// `with` are not tests.
pub fn find(dir: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    walk(dir, &mut |path| {
        if extensions.iter().any(|e| path.extension().is_some_and(|x| x == *e)) {
            found.push(path.to_owned());
        }
    });
    let helpers: Vec<PathBuf> =
        found.iter().filter_map(|p| Case::load(p, "1x1").ok()).flat_map(|c| c.with).collect();
    found.retain(|path| !helpers.contains(path));
    found
}

pub fn walk(dir: &Path, visit: &mut dyn FnMut(&Path)) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            if path.file_name().is_some_and(|name| name != "inputs") {
                walk(&path, visit);
            }
        } else {
            visit(&path);
        }
    }
}

/// `run/barrier/split` for `tests/run/barrier/split.upc`.
pub fn name_of(base: &Path, path: &Path) -> String {
    path.strip_prefix(base).unwrap_or(path).with_extension("").display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Case, String> {
        let dir = std::env::temp_dir().join(format!("xtask-case-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let path = dir.join(format!("{:x}.upc", text.len()));
        std::fs::write(&path, text).unwrap();
        Case::load(&path, "1x1 2x2")
    }

    #[test]
    fn directives_and_output_are_read() {
        let case =
            read("//@ mappings: 7x1\n//@ args: a 'b c'\nint x;\n/* stdout:\nok\n*/\n").unwrap();
        assert_eq!(case.mappings, [Mapping { hosts: 1, processes: 7, pthreads: 1 }]);
        assert_eq!(case.args, ["a", "b c"]);
        assert_eq!(case.stdout.as_deref(), Some("ok\n"));
    }

    #[test]
    fn static_threads_give_the_mappings() {
        let shown = |text: &str| {
            let case = read(text).unwrap();
            case.mappings.iter().map(|m| m.to_string()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(shown("//@ static-threads: 5 \n"), "5x1 1x5");
        assert_eq!(shown("//@ static-threads: 4\n"), "4x1 1x4 2x2");
        assert_eq!(shown("//@ static-threads: 1\n\n"), "1x1");
    }

    #[test]
    fn mistakes_are_said() {
        assert!(read("//@ mappins: 1x1\n").unwrap_err().contains("mappins"));
        assert!(read("//@ static-threads: 4\n//@ mappings: 3x1\n").unwrap_err().contains("3x1"));
        assert!(read("//@ mappings: 2x0  \n").is_err());
        assert!(read("//@ mappings: 3:2x1 \n").is_err());
    }

    #[test]
    fn notes_point_up() {
        let notes = notes("a\nb //~ error E0312\n//~^^ warning W0105\n");
        let shown: Vec<String> =
            notes.iter().map(|n| format!("{} {} {}", n.line, n.level, n.code)).collect();
        assert_eq!(shown, ["1 warning W0105", "2 error E0312"]);
    }
}
