// SPDX-License-Identifier: BSD-3-Clause
//! What a driver must know of a C compiler's options: which take a second argument, and which step
//! of a compilation they are for. An option that is not known here is for every step.

use crate::text;
use std::path::Path;
use std::process::Command;

/// The step that an option of the C compiler is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    Preprocess,
    /// What `-E` shows: of no use to a compilation.
    Show,
    /// `-M...`: the dependency file, which the preprocessor writes.
    Depend,
    Compile,
    /// Preprocessing, compiling and linking.
    All,
    /// Kept in its place among the objects.
    Link,
}

/// Options whose value may be the next argument.
const SEPARATE: &[(&str, Stage)] = &[
    ("-D", Stage::Preprocess),
    ("-U", Stage::Preprocess),
    ("-I", Stage::Preprocess),
    ("-A", Stage::Preprocess),
    ("-include", Stage::Preprocess),
    ("-imacros", Stage::Preprocess),
    ("-isystem", Stage::Preprocess),
    ("-idirafter", Stage::Preprocess),
    ("-iquote", Stage::Preprocess),
    ("-iprefix", Stage::Preprocess),
    ("-iwithprefix", Stage::Preprocess),
    ("-iwithprefixbefore", Stage::Preprocess),
    ("-isysroot", Stage::Preprocess),
    ("-imultilib", Stage::Preprocess),
    ("-Xpreprocessor", Stage::Preprocess),
    ("-MF", Stage::Depend),
    ("-MT", Stage::Depend),
    ("-MQ", Stage::Depend),
    ("-Xassembler", Stage::Compile),
    ("-Xclang", Stage::All),
    ("--param", Stage::All),
    ("-aux-info", Stage::Compile),
    ("-dumpbase", Stage::Compile),
    ("-dumpdir", Stage::Compile),
    ("-B", Stage::All),
    ("-specs", Stage::All),
    ("--sysroot", Stage::All),
    ("-target", Stage::All),
    ("-arch", Stage::All),
    ("-wrapper", Stage::All),
    ("-L", Stage::Link),
    ("-l", Stage::Link),
    ("-Xlinker", Stage::Link),
    ("-z", Stage::Link),
    ("-u", Stage::Link),
    ("-T", Stage::Link),
    ("-e", Stage::Link),
    ("-R", Stage::Link),
    ("-G", Stage::All),
];

/// Options for one step: whole names, or beginnings where a star stands.
const ONE_STEP: &[(&str, Stage)] = &[
    ("-M*", Stage::Depend),
    ("-P", Stage::Show),
    ("-C", Stage::Show),
    ("-CC", Stage::Show),
    ("-dM", Stage::Show),
    ("-dD", Stage::Show),
    ("-dN", Stage::Show),
    ("-dI", Stage::Show),
    ("-dU", Stage::Show),
    ("-D*", Stage::Preprocess),
    ("-U*", Stage::Preprocess),
    ("-I*", Stage::Preprocess),
    ("-A*", Stage::Preprocess),
    ("-Wp,*", Stage::Preprocess),
    ("-isystem*", Stage::Preprocess),
    ("-idirafter*", Stage::Preprocess),
    ("-iquote*", Stage::Preprocess),
    ("-isysroot*", Stage::Preprocess),
    ("-include*", Stage::Preprocess),
    ("-imacros*", Stage::Preprocess),
    ("-nostdinc", Stage::Preprocess),
    ("-undef", Stage::Preprocess),
    ("-H", Stage::Preprocess),
    ("-Wundef", Stage::Preprocess),
    ("-Wunused-macros", Stage::Preprocess),
    // The emitted C is GNU C, whatever the user's dialect is.
    ("-pedantic*", Stage::Preprocess),
    ("-Wpedantic", Stage::Preprocess),
    ("-Wa,*", Stage::Compile),
    ("-T*", Stage::Link),
    ("-L*", Stage::Link),
    ("-l*", Stage::Link),
    ("-Wl,*", Stage::Link),
    ("-static*", Stage::Link),
    ("-shared*", Stage::Link),
    ("-rdynamic", Stage::Link),
    ("-s", Stage::Link),
    ("-r", Stage::Link),
    ("-pie", Stage::Link),
    ("-no-pie", Stage::Link),
    ("-nostdlib*", Stage::Link),
    ("-nodefaultlibs", Stage::Link),
    ("-nostartfiles", Stage::Link),
    ("-fuse-ld=*", Stage::Link),
    ("-z*", Stage::Link),
    ("-u*", Stage::Link),
];

/// The step of the option `arg`, and whether the next argument belongs to it.
pub fn classify(arg: &str) -> (Stage, bool) {
    if let Some((_, stage)) = SEPARATE.iter().find(|(name, _)| *name == arg) {
        return (*stage, true);
    }
    let fits = |pattern: &str| match pattern.strip_suffix('*') {
        Some(start) => arg.starts_with(start),
        None => arg == pattern,
    };
    let stage = ONE_STEP.iter().find(|(pattern, _)| fits(pattern)).map(|(_, stage)| *stage);
    (stage.unwrap_or(Stage::All), false)
}

/// What the option `arg`, which is not for the emitted C, asks for that still makes sense there:
/// the sizes of void and functions, which GNU C has and the standards do not.
pub fn pedantic_for_emitted(arg: &str) -> Option<&'static str> {
    match arg {
        "-pedantic" | "-Wpedantic" => Some("-Wpointer-arith"),
        "-pedantic-errors" => Some("-Werror=pointer-arith"),
        _ => None,
    }
}

/// Options that make the C compiler print something and stop.
pub fn is_query(arg: &str) -> bool {
    const QUERIES: &[&str] =
        &["-dumpversion", "-dumpfullversion", "-dumpmachine", "-dumpspecs", "-###"];
    QUERIES.contains(&arg)
        || ["-print-", "--print-", "--help=", "--target-help", "-V", "-qversion"]
            .iter()
            .any(|start| arg.starts_with(start))
}

/// The language of a source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Language {
    /// UPC or C: ours.
    Upc,
    /// UPC or C after preprocessing.
    Preprocessed,
    Cxx,
    /// Something the C compiler knows by its name or by the `-x` given here.
    Other(Option<String>),
    /// An object, a library or a linker script.
    Object,
}

/// The language that `-x NAME` chooses; none for `-x none`.
pub fn language_by_name(name: &str) -> Option<Language> {
    match name {
        "none" => None,
        "c" | "upc" => Some(Language::Upc),
        "cpp-output" | "upc-cpp-output" => Some(Language::Preprocessed),
        "c++" | "c++-header" | "c++-cpp-output" => Some(Language::Cxx),
        other => Some(Language::Other(Some(other.to_string()))),
    }
}

pub fn language_by_file(path: &str) -> Language {
    let extension = path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map(|e| e.1);
    match extension {
        Some("upc" | "c") => Language::Upc,
        Some("i" | "upci") => Language::Preprocessed,
        Some("cc" | "cp" | "cxx" | "cpp" | "CPP" | "c++" | "C" | "ii" | "hh" | "hpp") => {
            Language::Cxx
        }
        Some("s" | "S" | "sx" | "h" | "m" | "f" | "f90" | "F" | "F90" | "d" | "go") => {
            Language::Other(None)
        }
        _ => Language::Object,
    }
}

/// Refuses a tool that is its own compiler, as where `gcc` in PATH is a link to upcc: each would start
/// the next one without end. The compilers that this process starts are marked.
pub fn refuse_itself(tool: &str, cc: &str) -> Result<(), String> {
    let mark = format!("{}_RUNS", tool.to_uppercase());
    match std::env::var(&mark) {
        Ok(cc) => Err(format!(
            "the compiler `{cc}` is {tool}, or calls it; let -cc name another, as -cc=/usr/bin/gcc"
        )),
        Err(_) => {
            std::env::set_var(mark, cc);
            Ok(())
        }
    }
}

/// The command of a compiler, before or behind whose name may be other words: `ccache gcc`,
/// `gcc -m64`.
pub fn command(cc: &str) -> Command {
    let words = words(cc);
    let mut command = Command::new(words.first().map_or("", String::as_str));
    command.args(words.iter().skip(1));
    command
}

/// A file whose name has blanks is one word.
fn words(cc: &str) -> Vec<String> {
    match Path::new(cc).exists() {
        true => vec![cc.to_string()],
        false => text::words(cc),
    }
}

/// Whether the C compiler `cc` is clang, by its name or by that of the file that it is a link to.
pub fn is_clang(cc: &str) -> bool {
    words(cc).iter().any(|word| names_clang(word))
}

fn names_clang(cc: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|dir| dir.join(cc)).find(|file| file.is_file());
    let real = found.and_then(|file| file.canonicalize().ok());
    let is_name =
        |file: &Path| file.file_name().is_some_and(|n| n.to_string_lossy().contains("clang"));
    is_name(Path::new(cc)) || real.as_deref().is_some_and(is_name)
}

/// The C++ compiler that belongs to the C compiler `cc`: gcc-12 has g++-12, clang has clang++.
pub fn cxx_of(cc: &str) -> String {
    let (dir, name) = cc.rsplit_once('/').map_or(("", cc), |(d, n)| (d, n));
    let name = if name.contains("clang") {
        name.replacen("clang", "clang++", 1)
    } else if name.contains("gcc") {
        name.replacen("gcc", "g++", 1)
    } else if let Some(prefix) = name.strip_suffix("cc") {
        format!("{prefix}c++")
    } else {
        "g++".to_string()
    };
    if dir.is_empty() && !cc.starts_with('/') {
        name
    } else {
        format!("{dir}/{name}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_go_to_their_step() {
        assert_eq!(classify("-DX=1"), (Stage::Preprocess, false));
        assert_eq!(classify("-D"), (Stage::Preprocess, true));
        assert_eq!(classify("-MF"), (Stage::Depend, true));
        assert_eq!(classify("-MMD"), (Stage::Depend, false));
        assert_eq!(classify("-lm"), (Stage::Link, false));
        assert_eq!(classify("-T"), (Stage::Link, true));
        assert_eq!(classify("-O3"), (Stage::All, false));
        assert_eq!(classify("-std=gnu99"), (Stage::All, false));
        assert_eq!(classify("-Wall"), (Stage::All, false));
        assert_eq!(classify("-pthread"), (Stage::All, false));
    }

    #[test]
    fn files_have_languages() {
        assert_eq!(language_by_file("a.b/x.upc"), Language::Upc);
        assert_eq!(language_by_file("x.C"), Language::Cxx);
        assert_eq!(language_by_file("libx.so.1"), Language::Object);
        assert_eq!(language_by_file("dir.c/x"), Language::Object);
    }

    #[test]
    fn each_c_compiler_has_its_cxx() {
        for (cc, cxx) in [
            ("gcc", "g++"),
            ("/usr/bin/gcc-12", "/usr/bin/g++-12"),
            ("clang-14", "clang++-14"),
            ("cc", "c++"),
        ] {
            assert_eq!(cxx_of(cc), cxx);
        }
    }
}
