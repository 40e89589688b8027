// SPDX-License-Identifier: BSD-3-Clause
//! The C compiler's messages, shown in the user's lines. The C compiler knows the line, by line
//! markers, but counts columns in emitted C, and quotes either text. Where the word at its column
//! can be found in the user's line the message gets that column; elsewhere it has none.

use std::collections::HashMap;

/// A message of the C compiler's, taken apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CMessage {
    pub file: String,
    pub line: u32,
    /// Counted from 1.
    pub column: Option<u32>,
    /// `error`, `warning`, `note` and the like.
    pub severity: String,
    pub text: String,
    /// `-Wformat`
    pub option: Option<String>,
}

/// `file:line:column: severity: text [option]`; the column may be missing. Without colours.
pub fn parse(line: &str) -> Option<CMessage> {
    const SEVERITIES: [&str; 4] = ["fatal error", "error", "warning", "note"];
    let found = SEVERITIES.iter().filter_map(|severity| {
        let at = line.find(&format!(": {severity}: "))?;
        Some((at, *severity))
    });
    let (at, severity) = found.min_by_key(|&(at, _)| at)?;
    let text = line.get(at + severity.len() + 4..)?;
    let (rest, last) = line[..at].rsplit_once(':')?;
    let last: u32 = last.parse().ok()?;
    let before = rest.rsplit_once(':').and_then(|(file, n)| Some((file, n.parse::<u32>().ok()?)));
    let (file, line, column) = match before {
        Some((file, line)) => (file, line, Some(last)),
        None => (rest, last, None),
    };
    let (text, option) = match text.rsplit_once(" [") {
        Some((text, option)) if option.starts_with('-') && option.ends_with(']') => {
            (text, Some(option.trim_end_matches(']').to_string()))
        }
        _ => (text, None),
    };
    let column = column.filter(|&column| column > 0);
    let (file, severity) = (file.to_string(), severity.to_string());
    Some(CMessage { file, line, column, severity, text: text.to_string(), option })
}

/// The C compiler's names for pointers-to-shared, in the user's words; what it adds of how they are
/// made says nothing to the user.
pub fn in_users_words(messages: &str) -> String {
    let mut out = messages.to_string();
    for name in ["upcr_pts", "upcr_wide"] {
        for (open, close) in [(" {aka ", "}"), (" (aka ", ")")] {
            for quote in ["'", "’", "*'", "*’", " *'", " *’"] {
                let start = format!("{name}{quote}{open}");
                while let Some(at) = out.find(&start) {
                    let from = at + name.len() + quote.len();
                    let Some(end) = out[from..].find(close) else { break };
                    out.replace_range(from..from + end + close.len(), "");
                }
            }
        }
        out = out.replace(name, "pointer-to-shared");
    }
    without_our_names(&with_anonymous_tags(&out))
}

/// Structures without a tag have one of ours in emitted C.
fn with_anonymous_tags(messages: &str) -> String {
    let mut parts = messages.split("upcr_record_");
    let mut out = parts.next().unwrap_or_default().to_string();
    for part in parts {
        out += "<anonymous>";
        out += part.trim_start_matches(|c: char| c.is_ascii_digit());
    }
    out
}

/// The messages without hints at names of the runtime's, without notes about its headers, and without
/// what names the functions that initialise shared objects: the user can use none of it.
fn without_our_names(messages: &str) -> String {
    const HINT: &str = "; did you mean ";
    let is_ours = |text: &str| text.contains("upcr_") || text.contains("UPCR_");
    let mut out = String::with_capacity(messages.len());
    let mut lines = messages.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        let is_note = parse(without_colours(line).trim_end()).is_some_and(|message| {
            message.severity == "note"
                && (message.file.contains("furlong/upcr")
                    || message.text.contains("(near initialization for") && is_ours(&message.text))
        });
        if is_note || line.contains(" In function ") && line.contains("upcr_init") {
            while lines.next_if(|line| line.starts_with(' ')).is_some() {}
            continue;
        }
        let hint = line.find(HINT).and_then(|at| {
            let end = at + line[at..].find('?')? + 1;
            is_ours(&line[at..end]).then_some(at..end)
        });
        let Some(hint) = hint else {
            out += line;
            continue;
        };
        out += &line[..hint.start];
        out += &line[hint.end..];
        while let Some(quoted) = lines.next_if(|line| line.starts_with(' ')) {
            if !is_ours(quoted.rsplit('|').next().unwrap_or_default()) {
                out += quoted;
            }
        }
    }
    out
}

/// `messages` about `emitted`; `source_of` gives a file as the user wrote it.
pub fn in_source(
    messages: &str,
    emitted: &str,
    source_of: impl Fn(&str) -> Option<String>,
) -> String {
    let mut sources: HashMap<String, Option<String>> = HashMap::new();
    let mut out = String::with_capacity(messages.len());
    let mut lines = messages.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(header) = Header::of(line) else {
            out += &format!("{line}\n");
            continue;
        };
        let (file, number) = (header.file, header.line);
        let source = sources.entry(file.to_string()).or_insert_with(|| source_of(file)).as_deref();
        let Some(source) = source.and_then(|text| text.lines().nth(number.checked_sub(1)?)) else {
            // A file that a `#line` names need not be there: then nobody knows the user's columns.
            let is_known = chunks(emitted, file, number).is_empty();
            let header = if is_known { line.to_string() } else { header.with_column(line, None) };
            out += &format!("{header}\n");
            while !is_known && lines.next_if(|line| is_quoted(line)).is_some() {}
            continue;
        };
        let place = place(emitted, &header, source);
        out += &format!("{}\n", header.with_column(line, place.as_ref().map(|(at, _)| at + 1)));
        if lines.next_if(|line| is_emitted(line, emitted, file, number)).is_some() {
            out += &quote(number, source, place.as_ref());
            while lines.next_if(|line| line.starts_with(' ')).is_some() {}
            continue;
        }
        let mut is_first = true;
        while let Some(quoted) = lines.next_if(|line| is_quoted(line)) {
            if is_first {
                out += &quote(number, source, place.as_ref());
            } else if quoted.contains("+++") {
                out += &format!("{quoted}\n");
            }
            is_first = false;
        }
    }
    out
}

/// `file:line:column:`, after colours.
struct Header<'a> {
    file: &'a str,
    line: usize,
    column: usize,
    /// Where the column stands in the message, with the colon before it.
    range: std::ops::Range<usize>,
}

impl<'a> Header<'a> {
    fn of(message: &'a str) -> Option<Header<'a>> {
        let start = message.len() - without_colours(message).len();
        let mut colons = message.match_indices(':').map(|(at, _)| at);
        let number = |from: usize| {
            let text = &message[from..];
            let end = text.find(|c: char| !c.is_ascii_digit())?;
            Some((text[..end].parse::<usize>().ok()?, from + end))
        };
        colons.find_map(|at| {
            let (line, end) = number(at + 1)?;
            message[end..].starts_with(':').then_some(())?;
            let (column, last) = number(end + 1)?;
            message[last..].starts_with(':').then_some(())?;
            Some(Header { file: message.get(start..at)?, line, column, range: end..last })
        })
    }

    fn with_column(&self, message: &str, column: Option<usize>) -> String {
        let column = column.map_or(String::new(), |column| format!(":{column}"));
        format!("{}{column}{}", &message[..self.range.start], &message[self.range.end..])
    }
}

/// The message without the escape sequences at its beginning.
fn without_colours(message: &str) -> &str {
    let mut rest = message;
    while let Some(after) = rest.strip_prefix("\x1b[") {
        rest = after.split_once(['m', 'K']).map_or("", |(_, rest)| rest);
    }
    rest
}

/// A line of the source, or a mark under it: `   12 | text`.
fn is_quoted(line: &str) -> bool {
    line.split_once('|').is_some_and(|(margin, _)| {
        margin.ends_with(' ') && margin.chars().all(|c| c.is_ascii_digit() || " +".contains(c))
    })
}

/// A line of the emitted text by itself, as clang before 17 quotes it; marks and fixes follow under
/// it, which begin with blanks.
fn is_emitted(line: &str, emitted: &str, file: &str, number: usize) -> bool {
    let line = without_colours(line).trim_end();
    chunks(emitted, file, number).iter().any(|text| text.trim_end() == line)
}

/// The line, and a mark under its word.
fn quote(number: usize, source: &str, place: Option<&(usize, usize)>) -> String {
    let mut out = format!("{number:5} | {source}\n");
    if let Some(&(at, len)) = place {
        let blank = |c: char| if c == '\t' { '\t' } else { ' ' };
        let margin: String = source[..at].chars().map(blank).collect();
        out += &format!("      | {margin}^{}\n", "~".repeat(len.saturating_sub(1)));
    }
    out
}

/// Where the word that the message is about begins in the user's line, and how long it is.
fn place(emitted: &str, header: &Header, source: &str) -> Option<(usize, usize)> {
    let chunks = chunks(emitted, header.file, header.line);
    chunks.into_iter().find_map(|chunk| {
        let at = header.column - 1;
        let all = words(chunk);
        let &(_, word) =
            all.iter().find(|(start, word)| (*start..start + word.len()).contains(&at))?;
        let is_it = |(_, other): &&(usize, &str)| *other == word;
        let before = all.iter().filter(is_it).filter(|(start, _)| *start < at).count();
        let n_emitted = all.iter().filter(is_it).count();
        let own = words(source);
        let found: Vec<_> = own.iter().filter(is_it).collect();
        let before = before - usize::from(before == n_emitted);
        match found.len() {
            1 => Some(found[0]),
            n if n == n_emitted => Some(found[before]),
            _ => None,
        }
        .map(|(start, word)| (*start, word.len()))
    })
}

/// The parts of the emitted text that stand for the line.
fn chunks<'a>(emitted: &'a str, file: &str, line: usize) -> Vec<&'a str> {
    let (mut number, mut is_file, mut found) = (0, false, Vec::new());
    for text in emitted.lines() {
        let marker = text.strip_prefix("# ").and_then(|rest| rest.split_once(" \""));
        if let Some((n, name)) = marker {
            number = n.parse().unwrap_or(0);
            let name = name.rsplit_once('"').map_or(name, |(name, _)| name);
            is_file = name.replace("\\\"", "\"").replace("\\\\", "\\") == file;
            continue;
        }
        if is_file && number == line {
            found.push(text);
        }
        number += 1;
    }
    found
}

/// Names, numbers and single other characters, each with its place.
fn words(text: &str) -> Vec<(usize, &str)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = match is_word(first) {
            true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        if !first.is_whitespace() {
            out.push((text.len() - rest.len(), &rest[..end]));
        }
        rest = &rest[end..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMITTED: &str = "# 1 \"a.upc\"\nint f(void) {\n upcr_put(x, 1); int unused; g(g); }\n";
    const SOURCE: &str = "int f(void) {\n\tx = 1; int unused; g (g);\n}\n";

    fn shown(message: &str) -> String {
        in_source(message, EMITTED, |file| (file == "a.upc").then(|| SOURCE.to_string()))
    }

    #[test]
    fn words_have_the_users_columns() {
        let message = "a.upc:2:22: warning: unused\n    2 | text\n      |   ^~~\nnext\n";
        let expected = "a.upc:2:13: warning: unused\n    2 | \tx = 1; int unused; g (g);\n      \
                        | \t           ^~~~~~\nnext\n";
        assert_eq!(shown(message), expected);
        assert_eq!(shown("a.upc:2:32: error: g\n"), "a.upc:2:24: error: g\n");
    }

    #[test]
    fn quotes_without_a_margin_are_the_users_lines() {
        let message = "a.upc:2:22: warning: unused\n upcr_put(x, 1); int unused; g(g); }\n    \
                       ^\n      y\na.upc:9:1: note: z\n";
        let expected = "a.upc:2:13: warning: unused\n    2 | \tx = 1; int unused; g (g);\n      \
                        | \t           ^~~~~~\na.upc:9:1: note: z\n";
        assert_eq!(shown(message), expected);
    }

    #[test]
    fn what_the_user_has_not_written_has_no_column() {
        let message = "\x1b[01m\x1b[Ka.upc:2:2:\x1b[m\x1b[K error: x\n    2 | y\n      | ^\n";
        let expected =
            "\x1b[01m\x1b[Ka.upc:2:\x1b[m\x1b[K error: x\n    2 | \tx = 1; int unused; g (g);\n";
        assert_eq!(shown(message), expected);
    }

    #[test]
    fn messages_are_taken_apart() {
        let message = parse("a.upc:2:13: warning: unused 'x' [-Wunused]").unwrap();
        assert_eq!((message.file.as_str(), message.line, message.column), ("a.upc", 2, Some(13)));
        assert_eq!((message.severity.as_str(), message.text.as_str()), ("warning", "unused 'x'"));
        assert_eq!(message.option.as_deref(), Some("-Wunused"));
        let message = parse("a:b.upc:7: fatal error: note: x: no").unwrap();
        assert_eq!((message.file.as_str(), message.line, message.column), ("a:b.upc", 7, None));
        assert_eq!(
            (message.severity.as_str(), message.text.as_str()),
            ("fatal error", "note: x: no")
        );
        for line in ["a.upc: In function 'f':", "cc1: warning: x", "    2 | int error: x"] {
            assert_eq!(parse(line), None, "{line}");
        }
    }

    #[test]
    fn types_are_named_in_the_users_words() {
        for line in
            ["x of 'upcr_pts' (aka 'unsigned long')", "x of ‘upcr_pts’ {aka ‘long unsigned int’}"]
        {
            let shown = in_users_words(line).replace(['‘', '’'], "'");
            assert_eq!(shown, "x of 'pointer-to-shared'");
        }
        assert_eq!(in_users_words("'upcr_wide *' (aka 'x'), y"), "'pointer-to-shared *', y");
    }

    #[test]
    fn structures_without_a_tag_are_anonymous() {
        let shown = in_users_words("have 'struct upcr_record_50' and 'union upcr_record_7 *'");
        assert_eq!(shown, "have 'struct <anonymous>' and 'union <anonymous> *'");
    }

    #[test]
    fn functions_that_initialise_are_not_named() {
        let messages = "\x1b[01m\x1b[Ka.upc:\x1b[m In function '\x1b[01mupcr_init1\x1b[m':\n\
                        a.upc:1:9: warning: excess elements\n    1 | x\n      | ^\n\
                        a.upc:1:9: note: (near initialization for 'upcr_v')\n    1 | x\n      | ^\n";
        let expected = "a.upc:1:9: warning: excess elements\n    1 | x\n      | ^\n";
        assert_eq!(in_users_words(messages), expected);
    }

    #[test]
    fn emitted_text_stands_for_no_file_that_is_not_there() {
        let message = "a.upc:2:22: warning: unused\n    2 | upcr_put(x, 1);\n      |   ^~~\nnext\n";
        let shown = in_source(message, EMITTED, |_| None);
        assert_eq!(shown, "a.upc:2: warning: unused\nnext\n");
    }

    #[test]
    fn hints_at_names_of_the_runtime_are_left_out() {
        let messages = "a.upc:2:3: warning: no 'upcx_w'; did you mean 'upcr_wait'? [-Wx]\n    2 | \
                        upcx_w();\n      | ^~~~\n      | upcr_wait\n/p/furlong/upcr.h:4:1: note: \
                        declared here\n    4 | x\nb.c:1:1: error: 'q'; did you mean 'p'?\n";
        let expected = "a.upc:2:3: warning: no 'upcx_w' [-Wx]\n    2 | upcx_w();\n      | ^~~~\n\
                        b.c:1:1: error: 'q'; did you mean 'p'?\n";
        assert_eq!(in_users_words(messages), expected);
    }

    #[test]
    fn other_lines_stay() {
        for line in
            ["a.upc: In function 'f':\n", "b.h:3:4: note: z\n", "cc1: some: 3:4 x\n", "é: 1:\n"]
        {
            assert_eq!(shown(line), line);
        }
    }
}
