// SPDX-License-Identifier: BSD-3-Clause
//! A race that programs have without noticing it on one machine: one thread sets a variable in a
//! `single nowait` or a `master`, which no barrier ends, and a loop that follows has a reduction into
//! the variable (OpenMP 5.1, 2.21.5: the original must be there before any thread reaches the loop).
//! Over several hosts another thread's part is often added first. `ompcc -Wall` names such places.
//!
//! The source is read as the text it is, without macros and headers: what it misses is only not named.

/// A variable that is set without a barrier before the reduction into it; lines count from 1.
#[derive(Debug, PartialEq, Eq)]
pub struct Race {
    pub line: usize,
    pub variable: String,
    pub construct: &'static str,
    pub reduction_line: usize,
}

pub fn find(source: &str) -> Vec<Race> {
    let text = without_comments(source);
    let mut races = Vec::new();
    let mut at = 0;
    while let Some(pragma) = Pragma::next(&text, at) {
        at = pragma.end;
        let Some(construct) = pragma.one_thread_without_barrier() else { continue };
        let body = statement(&text, pragma.end);
        for variable in assigned(&text[body.clone()]) {
            if let Some(reduction) = reduction_before_barrier(&text, body.end, variable) {
                let (line, reduction_line) =
                    (line_of(&text, pragma.start), line_of(&text, reduction));
                races.push(Race { line, variable: variable.into(), construct, reduction_line });
            }
        }
    }
    races
}

fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

/// Comments, strings and characters as blanks, and continued lines as one, at the same places.
fn without_comments(source: &str) -> String {
    let mut out = source.as_bytes().to_vec();
    let blank = |out: &mut [u8]| out.iter_mut().filter(|b| **b != b'\n').for_each(|b| *b = b' ');
    let mut at = 0;
    while at < out.len() {
        let rest = &out[at..];
        let len = match rest {
            [b'/', b'/', ..] => rest.iter().position(|b| *b == b'\n'),
            [b'/', b'*', ..] => rest.windows(2).skip(2).position(|w| w == b"*/").map(|n| n + 4),
            [quote @ (b'"' | b'\''), ..] => literal(rest, *quote),
            _ => {
                at += 1;
                continue;
            }
        };
        let end = at + len.unwrap_or(out.len() - at);
        blank(&mut out[at..end]);
        at = end;
    }
    // Bytes of characters beyond ASCII only stand in what is now blank, or stay as they were.
    String::from_utf8_lossy(&out).into_owned()
}

fn literal(rest: &[u8], quote: u8) -> Option<usize> {
    let mut at = 1;
    while at < rest.len() && rest[at] != b'\n' {
        match rest[at] {
            b'\\' => at += 2,
            b if b == quote => return Some(at + 1),
            _ => at += 1,
        }
    }
    Some(at.min(rest.len()))
}

struct Pragma<'a> {
    start: usize,
    end: usize,
    /// `single nowait`
    text: &'a str,
}

impl<'a> Pragma<'a> {
    /// The next `#pragma omp` from `at` on; it goes on where its line ends with a backslash.
    fn next(text: &'a str, mut at: usize) -> Option<Pragma<'a>> {
        loop {
            let start = at + text[at..].find('#')?;
            let mut end = start;
            loop {
                end += text[end..].find('\n').unwrap_or(text.len() - end);
                if end == text.len() || !text[..end].trim_end_matches('\r').ends_with('\\') {
                    break;
                }
                end += 1;
            }
            let words = text[start + 1..end].trim_start().strip_prefix("pragma");
            if let Some(rest) = words.and_then(|rest| rest.trim_start().strip_prefix("omp")) {
                return Some(Pragma { start, end, text: rest });
            }
            at = end;
        }
    }

    fn has(&self, word: &str) -> bool {
        words(self.text).any(|(_, w)| w == word)
    }

    fn first(&self) -> &str {
        words(self.text).next().map_or("", |(_, word)| word)
    }

    fn one_thread_without_barrier(&self) -> Option<&'static str> {
        match self.first() {
            "single" if self.has("nowait") => Some("single nowait"),
            "master" if !self.has("taskloop") => Some("master"),
            "masked" if !self.has("taskloop") => Some("masked"),
            _ => None,
        }
    }

    /// Whether threads wait for each other in it, or at its end.
    fn has_barrier(&self) -> bool {
        match self.first() {
            "barrier" | "parallel" => true,
            "for" | "single" | "sections" | "scope" => !self.has("nowait"),
            _ => false,
        }
    }

    fn reduces(&self, variable: &str) -> bool {
        self.text.match_indices("reduction").any(|(at, _)| {
            let list = self.text[at..].split_once('(').map_or("", |(_, rest)| rest);
            let list = list.split_once(')').map_or(list, |(list, _)| list);
            let list = list.rsplit_once(':').map_or("", |(_, list)| list);
            words(list).any(|(_, word)| word == variable)
        })
    }
}

/// Names, with their places.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(is_word)?;
        let len = text[start..].find(|c| !is_word(c)).unwrap_or(text.len() - start);
        at = start + len;
        Some((start, &text[start..at]))
    })
}

/// The statement that follows: a block, or up to a semicolon.
fn statement(text: &str, at: usize) -> std::ops::Range<usize> {
    let start = at + (text[at..].len() - text[at..].trim_start().len());
    let is_block = text[start..].starts_with('{');
    let mut depth = 0;
    for (i, c) in text[start..].char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 && (c == ';' || (is_block && c == '}')) {
            return start..start + i + 1;
        }
    }
    start..text.len()
}

/// Variables that `=` sets.
fn assigned(body: &str) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    for (at, word) in words(body) {
        let after = body[at + word.len()..].trim_start();
        let before = body[..at].trim_end();
        // Neither a member, nor what a pointer leads to, nor a declaration of its own.
        let is_whole = before.is_empty() || before.ends_with(['{', ';', ',', '=', ')', '}']);
        if after.starts_with('=') && !after.starts_with("==") && is_whole && !found.contains(&word)
        {
            found.push(word);
        }
    }
    found
}

/// Where a reduction into `variable` follows in the same block, with no barrier before it.
fn reduction_before_barrier(text: &str, from: usize, variable: &str) -> Option<usize> {
    let mut at = from;
    let mut depth = 0;
    while let Some(pragma) = Pragma::next(text, at) {
        for c in text[at..pragma.start].chars() {
            depth += i32::from(c == '{') - i32::from(c == '}');
            if depth < 0 {
                return None;
            }
        }
        if pragma.first() != "parallel" && pragma.reduces(variable) {
            return Some(pragma.start);
        }
        if pragma.has_barrier() {
            return None;
        }
        at = pragma.end;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(region: &str) -> Vec<(usize, String, usize)> {
        let source = format!("void f(void) {{\n#pragma omp parallel\n{{\n{region}\n}}\n}}\n");
        let races = find(&source).into_iter();
        races.map(|race| (race.line, race.variable, race.reduction_line)).collect()
    }

    const LOOP: &str = "#pragma omp for reduction(+ : d)\nfor (i = 0; i < n; i++) d += a[i];";

    #[test]
    fn a_variable_set_without_a_barrier_is_found() {
        for before in ["single nowait", "master", "masked", "single \\\nnowait"] {
            for set in ["{ d = 0; }", "d = 0.0;", "{ e = d = 0; }", "{\n\nif (x) { d = 1; } }"] {
                let found = found(&format!("#pragma omp {before}\n{set}\n{LOOP}"));
                assert_eq!(found.len(), 1, "{before} {set}");
                assert_eq!((found[0].0, found[0].1.as_str()), (4, "d"), "{before} {set}");
            }
        }
        let many = "#pragma omp for nowait\nfor (;;);\n#pragma omp for reduction(max:m,d) nowait\n";
        assert_eq!(found(&format!("#pragma omp master\nd = 0;\n{many}")), [(4, "d".into(), 8)]);
    }

    #[test]
    fn others_are_not() {
        let barrier = format!("#pragma omp single nowait\nd = 0;\n#pragma omp barrier\n{LOOP}");
        let ended = format!("#pragma omp master\nd = 0;\n#pragma omp single\n;\n{LOOP}");
        let single = format!("#pragma omp single\nd = 0;\n{LOOP}");
        let member =
            format!("#pragma omp master\n{{ p->d = 0; q.d = 1; *d = 1; d == 0; }}\n{LOOP}");
        let other = format!("#pragma omp master\ne = 0;\n{LOOP}");
        let comment = format!("/* #pragma omp master */\nd = 0; // #pragma omp master\n{LOOP}");
        let outside = format!("{{\n#pragma omp master\nd = 0;\n}}\n}}\n{{\n{LOOP}");
        let region =
            "#pragma omp master\nd = 0;\n#pragma omp parallel for reduction(+:d)\nfor(;;);";
        for region in [&barrier, &ended, &single, &member, &other, &comment, &outside, region] {
            assert_eq!(found(region), [], "{region}");
        }
    }

    #[test]
    fn any_text_is_read() {
        for text in
            ["", "#", "#pragma omp master", "#pragma omp single nowait\n{", "\"\\", "/*", "'é"]
        {
            assert_eq!(find(text), [], "{text}");
        }
    }
}
