// SPDX-License-Identifier: BSD-3-Clause
//! `furlong run prog.upc`: compiles a program unless that has been done, and runs it.
//!
//! A program is kept under a hash of what it was made of: the source's text and place, the options,
//! the compiler. Beside it are the key itself, so that no two programs can be mistaken for each other,
//! and the headers with the times of their last change.

use super::NAME;
use crate::exit::{self, Refusal};
use crate::options::{self, Found};
use crate::temp::Unfinished;
use crate::{upcc, upcrun};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Programs that are kept.
const KEPT: usize = 64;

/// What the words after `furlong run` ask for.
#[derive(Default, PartialEq, Eq, Debug)]
struct Request {
    /// Options of upcc.
    compile: Vec<String>,
    /// Options of upcrun.
    launch: Vec<String>,
    source: String,
    /// Of the program.
    args: Vec<String>,
}

pub fn run(words: &[String]) -> Result<i32, Refusal> {
    let request = parse(words).map_err(|text| exit::usage(NAME, text))?;
    let tools = std::env::current_exe().map_err(|e| (exit::SYSTEM, e.to_string()))?;
    let tool = |name: &str| tools.with_file_name(name);
    let text = fs::read(&request.source)
        .map_err(|e| (exit::FAILED, format!("cannot read `{}`: {e}", request.source)))?;
    let key = key(&request, &text, &tool("upcc"))?;
    let folder = entry(&key)?;
    let program = folder.join(program_name(&request.source));
    if !is_current(&folder, &program, &key) {
        let made = compile(&request, &tool("upcc"), &folder, &key)?;
        if made != exit::OK {
            return Ok(made);
        }
    }
    let upcrun = tool("upcrun");
    let failed =
        Command::new(&upcrun).args(&request.launch).arg(&program).args(&request.args).exec();
    Err((exit::NOT_FOUND, format!("cannot run `{}`: {failed}", upcrun.display())))
}

/// Options before the source are upcrun's, if it has them, else upcc's; what follows the source is the
/// program's.
fn parse(words: &[String]) -> Result<Request, String> {
    let (mut request, mut at) = (Request::default(), 0);
    while let Some(word) = words.get(at) {
        if !word.starts_with('-') {
            request.source = word.clone();
            request.args = words[at + 1..].to_vec();
            return Ok(request);
        }
        let (list, used) = match options::find(upcrun::table::TABLE, &words[at..]) {
            Found::Option(found) => (&mut request.launch, found.used),
            Found::MissingValue(name) => return Err(format!("`{name}` lacks its value")),
            Found::Unknown => {
                // Of the C compiler's options the table has names alone.
                let own = options::find(upcc::table::TABLE, &words[at..]);
                let takes_next = matches!(own, Found::Option(found) if found.used > 1)
                    || crate::gcc::classify(word).1;
                (&mut request.compile, 1 + usize::from(takes_next))
            }
        };
        let end = (at + used).min(words.len());
        list.extend(words[at..end].iter().cloned());
        at = end;
    }
    Err("which source? `furlong run -n 4 prog.upc` compiles and runs it".to_string())
}

fn program_name(source: &str) -> String {
    let name = Path::new(source).file_stem().unwrap_or_default().to_string_lossy();
    if name.is_empty() {
        "program".into()
    } else {
        name.into_owned()
    }
}

/// All that the program is made of, other than its headers.
fn key(request: &Request, text: &[u8], upcc: &Path) -> Result<Vec<u8>, Refusal> {
    let of = |path: &Path| {
        let found = fs::metadata(path);
        found.map_or((0, 0, 0), |found| (found.len(), found.mtime(), found.mtime_nsec()))
    };
    let here = std::env::current_dir().map_err(|e| (exit::SYSTEM, e.to_string()))?;
    let source = here.join(&request.source);
    let flags = ["UPCC_FLAGS", "UPCC_CC"].map(|name| std::env::var(name).unwrap_or_default());
    let head = format!(
        "{}\n{:?}\n{:?}\n{here:?}\n{source:?}\n{flags:?}\n",
        env!("CARGO_PKG_VERSION"),
        of(upcc),
        request.compile
    );
    Ok([head.as_bytes(), text].concat())
}

/// The folder for what has this key.
fn entry(key: &[u8]) -> Result<PathBuf, Refusal> {
    let absolute =
        |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")));
    // A folder that others may write to could hold another program of this name.
    let cache = cache.ok_or_else(|| {
        let text =
            "programs are kept in a folder of yours, but neither HOME nor XDG_CACHE_HOME names \
                    one";
        (exit::USAGE, text.to_string())
    })?;
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    let folder = cache.join("furlong/run");
    fs::create_dir_all(&folder).map_err(|e| {
        let folder = folder.display();
        let why = format!("cannot make `{folder}`: {e}; let XDG_CACHE_HOME name a folder of yours");
        (exit::SYSTEM, why)
    })?;
    Ok(folder.join(format!("{:016x}", hasher.finish())))
}

/// Is the program there, and are its headers as they were?
fn is_current(folder: &Path, program: &Path, key: &[u8]) -> bool {
    let is_same = fs::read(folder.join("key")).is_ok_and(|known| known == key);
    let headers = || fs::read_to_string(folder.join("headers")).ok();
    is_same && program.exists() && headers().is_some_and(|known| known.lines().all(is_unchanged))
}

/// `SECONDS NANOSECONDS BYTES PATH`
fn is_unchanged(line: &str) -> bool {
    let path = line.splitn(4, ' ').nth(3);
    path.is_some_and(|path| state(path).is_some_and(|now| now == line))
}

fn state(path: &str) -> Option<String> {
    let found = fs::metadata(path).ok()?;
    Some(format!("{} {} {} {path}", found.mtime(), found.mtime_nsec(), found.len()))
}

/// Compiles into a folder of its own, which then takes the entry's place; another `furlong run` may do
/// the same at the same time. upcc's exit code.
fn compile(request: &Request, upcc: &Path, folder: &Path, key: &[u8]) -> Result<i32, Refusal> {
    let system = |e: std::io::Error| (exit::SYSTEM, format!("cannot write the cache: {e}"));
    let making = folder.with_extension(std::process::id().to_string());
    fs::create_dir_all(&making).map_err(system)?;
    let _unfinished = Unfinished::new(&making);
    let depends = making.join("depends");
    let status = Command::new(upcc)
        .args(&request.compile)
        .args(["-MD", "-MF"])
        .arg(&depends)
        .arg("-o")
        .arg(making.join(program_name(&request.source)))
        .arg(&request.source)
        .status()
        .map_err(|e| (exit::NOT_FOUND, format!("cannot run `{}`: {e}", upcc.display())))?;
    if !status.success() {
        let _ = fs::remove_dir_all(&making);
        return Ok(status.code().unwrap_or(exit::FAILED));
    }
    let rules = fs::read_to_string(&depends).unwrap_or_default();
    let headers = prerequisites(&rules).filter_map(|path| state(&path)).map(|line| line + "\n");
    fs::write(making.join("headers"), headers.collect::<String>()).map_err(system)?;
    fs::write(making.join("key"), key).map_err(system)?;
    let _ = fs::remove_dir_all(folder);
    if fs::rename(&making, folder).is_err() {
        let _ = fs::remove_dir_all(&making);
    }
    forget_old(folder.parent().unwrap_or(Path::new("/")));
    Ok(exit::OK)
}

/// The files behind the colon of a rule for make.
fn prerequisites(rule: &str) -> impl Iterator<Item = String> + '_ {
    let all = rule.split_once(": ").map_or("", |(_, all)| all);
    let blank = "\u{0}";
    let all = all.replace("\\\n", " ").replace("\\ ", blank);
    let files: Vec<String> = all.split_whitespace().map(|file| file.replace(blank, " ")).collect();
    files.into_iter()
}

/// Removes the programs that were made longest ago.
fn forget_old(cache: &Path) {
    let entries = fs::read_dir(cache).into_iter().flatten().flatten();
    let mut made: Vec<_> = entries
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    made.sort();
    for (_, path) in made.iter().take(made.len().saturating_sub(KEPT)) {
        let _ = fs::remove_dir_all(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_go_where_they_are_known() {
        let words = crate::text::words("-n 4 -O2 -I inc -DX=1 -p=2 dir/prog.upc -n 9");
        let request = parse(&words).unwrap();
        assert_eq!(request.launch, ["-n", "4", "-p=2"]);
        assert_eq!(request.compile, ["-O2", "-I", "inc", "-DX=1"]);
        assert_eq!((request.source.as_str(), &request.args[..]), ("dir/prog.upc", &words[8..]));
        assert!(parse(&words[..4]).is_err());
    }

    #[test]
    fn rules_name_their_files() {
        let rule = "/a/prog.o: a.upc \\\n my\\ header.h /usr/include/stdio.h\n";
        let files: Vec<String> = prerequisites(rule).collect();
        assert_eq!(files, ["a.upc", "my header.h", "/usr/include/stdio.h"]);
    }
}
