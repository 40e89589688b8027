// SPDX-License-Identifier: BSD-3-Clause
//! Directives of the user that name THREADS or MYTHREAD: macros of these names, and an `#if` for which
//! they are 0. Preprocessed text does not show them, and asking for the definitions of all macros would
//! cost every compilation: so the sources are looked at first, and the C compiler says what is true of
//! them.

use super::messages;
use crate::text::c_string;
use furlong_compiler::span::LineMap;
use furlong_compiler::syntax::lexer::{reserved_macro, RESERVED};
use std::collections::BTreeSet;

/// With these the C compiler's preprocessor shows definitions of macros in the text, and tells of names
/// in `#if` that are none.
pub const OPTIONS: [&str; 3] = ["-dD", "-Wundef", "-Wno-error=undef"];

/// Whether an option makes a macro of a name of the language.
pub fn is_defined_by<'a>(mut options: impl Iterator<Item = &'a str>) -> bool {
    options.any(|option| {
        // The name may be an argument of its own.
        let text = option.strip_prefix("-D").or(option.strip_prefix("-U")).unwrap_or(option);
        words(text.as_bytes()).next().is_some_and(is_reserved)
    })
}

/// Whether some source or header of the user may have such a directive, perhaps where it is skipped.
pub fn may_be_named(lines: &LineMap) -> bool {
    let own = lines.files.iter().filter(|file| !file.is_system && !file.name.starts_with('<'));
    let texts: Vec<_> = own.map(|file| std::fs::read(&file.name).unwrap_or_default()).collect();
    let directives: Vec<&[u8]> = texts.iter().flat_map(|text| directives(text)).collect();
    // `#define MANY (THREADS > 8)` and `#if MANY`
    let mut names: Vec<&[u8]> = RESERVED.iter().map(|name| name.as_bytes()).collect();
    let by_macro = directives.iter().filter_map(|line| {
        let mut words = words(line.strip_prefix(b"define")?);
        let name = words.next()?;
        words.any(is_reserved).then_some(name)
    });
    names.extend(by_macro);
    directives.iter().any(|line| {
        let is_test = line.starts_with(b"if") || line.starts_with(b"elif");
        is_test && words(line).any(|word| names.contains(&word)) || is_definition(line)
    })
}

/// The directives of a text, each from its word on.
fn directives(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = text.split(|&b| b == b'\n');
    lines.filter_map(|line| Some(line.trim_ascii_start().strip_prefix(b"#")?.trim_ascii_start()))
}

fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|b| !b.is_ascii_alphanumeric() && *b != b'_').filter(|word| !word.is_empty())
}

fn is_reserved(word: &[u8]) -> bool {
    RESERVED.iter().any(|name| name.as_bytes() == word)
}

fn is_definition(directive: &[u8]) -> bool {
    let mut words = words(directive);
    let is_definition = matches!(words.next(), Some(b"define" | b"undef"));
    is_definition && words.next().is_some_and(is_reserved)
}

/// What a preprocessor with [`OPTIONS`] says, for the translator: with the definitions of all other
/// macros made blank, and at its end a line `#if NAME` for each place at which a name is 0.
///
/// `is_static`: THREADS is a macro of upcc's own.
pub fn shown(text: &[u8], messages: &[u8], is_static: bool) -> Vec<u8> {
    let mut shown = without_other_macros(text, is_static);
    let messages = String::from_utf8_lossy(messages);
    let tests: BTreeSet<_> = messages.lines().filter_map(test).collect();
    for (file, line, column, name) in tests {
        // The name at the user's column, behind the directive if it has room there.
        let blanks = " ".repeat((column as usize - 1).saturating_sub("#if ".len()));
        shown.extend(format!("\n# {line} {}\n#if {blanks}{name}\n", c_string(&file)).bytes());
    }
    shown
}

/// Where a name of the language is 0, by a message of the preprocessor's.
fn test(message: &str) -> Option<(String, u32, u32, &'static str)> {
    let message = messages::parse(message)?;
    let is_of = |name: &&str| {
        let quoted = message.text.get(1..).and_then(|text| text.strip_prefix(*name));
        message.option.as_deref() == Some("-Wundef")
            && quoted.is_some_and(|rest| rest.starts_with(['\'', '"']))
    };
    let name = RESERVED.into_iter().find(is_of)?;
    Some((message.file, message.line, message.column.unwrap_or(1), name))
}

/// `text` with the definitions of all other macros made blank.
fn without_other_macros(text: &[u8], is_static: bool) -> Vec<u8> {
    let mut is_own = false;
    let mut out = Vec::with_capacity(text.len());
    for line in text.split_inclusive(|&b| b == b'\n') {
        if line.starts_with(b"# ") {
            // System headers have a 3 behind the name.
            let is_command_line = !is_static && line.windows(8).any(|w| w == b"<command");
            let is_file = !line.windows(2).any(|w| w == b"\"<");
            is_own = is_command_line || is_file && !line.trim_ascii_end().ends_with(b" 3");
        }
        let is_macro = line.starts_with(b"#define ") || line.starts_with(b"#undef ");
        match is_macro && !(is_own && reserved_macro(line).is_some()) {
            true => out.push(b'\n'),
            false => out.extend_from_slice(line),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_definitions_are_left() {
        let text = b"# 1 \"<command-line>\"\n#define THREADS 4\n# 1 \"a.h\" 1 3\n#undef THREADS\n\
                     # 7 \"a.upc\" 2\n#define THREADS 8\n#define THREADS_MAX 9\nint THREADS;\n";
        let left = b"# 1 \"<command-line>\"\n\n# 1 \"a.h\" 1 3\n\n\
                     # 7 \"a.upc\" 2\n#define THREADS 8\n\nint THREADS;\n";
        assert_eq!(without_other_macros(text, true), left);
        let text = b"# 1 \"<command line>\" 1\n#define THREADS 4\n";
        assert_eq!(without_other_macros(text, false), text);
    }

    #[test]
    fn tests_stand_at_their_columns() {
        let messages = b"a.h:7:12: warning: 'THREADS' is not defined, evaluates to 0 [-Wundef]\n\
                         a.h:9:5: warning: \"MYTHREAD\" is not defined, evaluates to 0 [-Wundef]\n\
                         a.h:9:5: warning: \"THREADS_\" is not defined, evaluates to 0 [-Wundef]\n";
        let text = "int x;\n\n# 7 \"a.h\"\n#if        THREADS\n\n# 9 \"a.h\"\n#if MYTHREAD\n";
        assert_eq!(String::from_utf8_lossy(&shown(b"int x;\n", messages, false)), text);
    }
}
