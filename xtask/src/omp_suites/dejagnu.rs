// SPDX-License-Identifier: BSD-3-Clause
//! What gcc's test programs say of themselves in comments, `{ dg-do run { target lp64 } }`: how they
//! are compiled, where they run, how they end. Each comment is a list in the syntax of Tcl.

/// How gcc's test suite uses a program.
#[derive(Default, Debug, PartialEq)]
pub struct Program {
    /// Why it is not run here.
    pub skip: Option<String>,
    /// None: the suite's default.
    pub options: Option<String>,
    pub more_options: Vec<String>,
    /// Further sources, in its folder.
    pub sources: Vec<String>,
    pub env: Vec<(String, String)>,
    pub fails: bool,
    /// Regular expressions of what it prints.
    pub output: Vec<String>,
}

const MACHINE: [&str; 3] = ["x86_64", "pc", "linux-gnu"];

/// What gcc calls effective targets and this machine is not, or lacks. All others it has.
const LACKS: &[&str] = &[
    "ilp32",
    "ia32",
    "aarch64_tiny",
    "offload_device",
    "offload_device_nonshared_as",
    "offload_device_any_intel_mic",
    "offload_target_nvptx",
];

impl Program {
    /// Reads the comments of a program in the language (`c`, `c++` or `fortran`).
    pub fn read(text: &str, language: &str) -> Program {
        let mut program = Program::default();
        for line in text.lines() {
            let Some((_, rest)) = line.split_once("{ dg-") else { continue };
            let Some((comment, _)) = rest.rsplit_once('}') else { continue };
            let words = words(comment);
            program.comment(&words.iter().map(String::as_str).collect::<Vec<_>>(), language);
        }
        program
    }

    fn comment(&mut self, words: &[&str], language: &str) {
        let applies = |selector: usize| {
            words.get(selector).is_none_or(|text| match text.trim().strip_prefix("target") {
                Some(target) => holds(target, language),
                None => true,
            })
        };
        let skip = |why: String| Some(why);
        match *words {
            ["do", kind, ..] if kind != "run" => self.skip = skip(format!("dg-do {kind}")),
            ["do", _, selector] if !applies(2) || is_xfail(selector, language) => {
                self.skip = skip(format!("not run by gcc's suite: {selector}"));
            }
            ["require-effective-target", target, ..] if !holds(target, language) => {
                self.skip = skip(format!("needs {target}"));
            }
            ["skip-if", why, target, ..] | ["xfail-run-if", why, target, ..]
                if holds(target, language) =>
            {
                self.skip = skip(format!("not run by gcc's suite: {target} {why}"));
            }
            ["options", options, ..] if applies(2) => self.options = Some(options.into()),
            ["additional-options", options, ..] if applies(2) => {
                self.more_options.push(options.into());
            }
            ["additional-sources", sources, ..] => {
                self.sources.extend(sources.split_whitespace().map(String::from));
            }
            ["set-target-env-var", name, value] => self.env.push((name.into(), value.into())),
            ["shouldfail", ..] if applies(2) => self.fails = true,
            ["output", text, ..] if applies(2) => self.output.push(text.into()),
            _ => {}
        }
    }
}

fn is_xfail(selector: &str, language: &str) -> bool {
    selector.trim().strip_prefix("xfail").is_some_and(|target| holds(target, language))
}

/// Of names, one; `! a`, `a && b`, `a || b`, with braces around the parts that are no names.
fn holds(selector: &str, language: &str) -> bool {
    let words = words(selector);
    let part = |words: &[String]| holds(&words.join(" "), language);
    match words.as_slice() {
        [not, rest @ ..] if not == "!" => !part(rest),
        [one] if one.contains(' ') => holds(one, language),
        [one] => is_here(one, language),
        several if several.iter().any(|w| w == "&&") => several.split(|w| w == "&&").all(part),
        several => several.iter().any(|word| word != "||" && holds(word, language)),
    }
}

/// A machine, such as `x86_64-*-*`, a language, or an effective target.
fn is_here(name: &str, language: &str) -> bool {
    match name {
        "c" | "c++" => name == language,
        _ if name.splitn(3, '-').count() == 3 => {
            name.splitn(3, '-').zip(MACHINE).all(|(pattern, part)| matches(pattern, part))
        }
        _ => !LACKS.contains(&name),
    }
}

/// `*` stands for anything, `?` for one character.
fn matches(pattern: &str, text: &str) -> bool {
    match (pattern.chars().next(), text.chars().next()) {
        (None, None) => true,
        (Some('*'), _) => {
            matches(&pattern[1..], text) || !text.is_empty() && matches(pattern, &text[1..])
        }
        (Some(p), Some(t)) if p == '?' || p == t => matches(&pattern[1..], &text[1..]),
        _ => false,
    }
}

/// The elements of a list: bare, in quotes, or in braces, which nest.
fn words(list: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = list.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '{' => closing_brace(rest),
            '"' => closing_quote(rest),
            _ => rest.find(char::is_whitespace).unwrap_or(rest.len()),
        };
        let word = &rest[..length];
        words.push(match first {
            '{' => word[1..].strip_suffix('}').unwrap_or(&word[1..]).into(),
            '"' => unquoted(&word[1..]),
            _ => word.into(),
        });
        rest = rest[length..].trim_start();
    }
    words
}

/// With its last brace.
fn closing_brace(text: &str) -> usize {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        if depth == 0 {
            return at + 1;
        }
    }
    text.len()
}

fn closing_quote(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if c == '"' && !is_escaped {
            return at + 1;
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    text.len()
}

/// A backslash before a character stands for that; a new line stays as regular expressions have it.
fn unquoted(text: &str) -> String {
    let mut plain = String::new();
    let mut chars = text.strip_suffix('"').unwrap_or(text).chars();
    while let Some(c) = chars.next() {
        let next = if c == '\\' { chars.next() } else { None };
        if c != '\\' || matches!(next, Some('n' | 'r')) {
            plain.push(c);
        }
        plain.extend(next);
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_read() {
        let text =
            "/* { dg-do run } */\n! { dg-additional-options \"-msse2 -w\" { target lp64 } }\n\
                    // { dg-set-target-env-var OMP_SCHEDULE \"guided,7\" }\n\
                    /* { dg-options \"-O0\" { target { powerpc*-*-* || ilp32 } } } */";
        let expected = Program {
            more_options: vec!["-msse2 -w".into()],
            env: vec![("OMP_SCHEDULE".into(), "guided,7".into())],
            ..Program::default()
        };
        assert_eq!(Program::read(text, "c"), expected);
    }

    #[test]
    fn what_needs_more_is_skipped() {
        let skipped = |text: &str| Program::read(text, "c").skip.is_some();
        assert!(skipped("{ dg-do compile }"));
        assert!(skipped("{ dg-do run { target { c++ && { ! ilp32 } } } }"));
        assert!(skipped("{ dg-require-effective-target offload_device }"));
        assert!(skipped("{ dg-skip-if \"slow\" { hppa*-*-* x86_64-*-linux* } }"));
        assert!(!skipped("{ dg-do run { target { c && { ! ilp32 } } } }"));
        assert!(!skipped("{ dg-skip-if \"slow\" { hppa*-*-* *-*-darwin* } }"));
    }
}
