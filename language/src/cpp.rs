// SPDX-License-Identifier: BSD-3-Clause
//! What the C compiler's preprocessor answers to a skeleton (`cc -E -dD`), and what it complains of.

use crate::macros::Macro;
use crate::pieces::marked;
use std::rc::Rc;

/// The name of the skeleton in the answer.
pub const SKELETON: &str = "<stdin>";

#[derive(Clone, Debug)]
pub enum Chunk {
    /// Text of headers, with line markers.
    Text(String),
    Define(Rc<Macro>),
    Undef(String),
    /// The piece of code with this number.
    Code(usize),
}

/// An answer, in order.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    pub chunks: Vec<Chunk>,
    pub complaints: Vec<Complaint>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Complaint {
    /// Line and column of the skeleton, from 1; those of the include directive for what is wrong in
    /// a header.
    pub line: u32,
    pub column: u32,
    pub is_error: bool,
    pub text: String,
}

/// Reads an answer. `path` is the source, which the skeleton stands for.
pub fn read(stdout: &str, stderr: &str, path: &str) -> Answer {
    let mut reader =
        Reader { chunks: Vec::new(), text: String::new(), file: String::new(), line: 0 };
    let own = format!("\"{}\"", escaped(path));
    for line in stdout.split_inclusive('\n') {
        reader.line(line, &own);
    }
    reader.flush();
    Answer { chunks: reader.chunks, complaints: complaints(stderr) }
}

/// A name as line markers have it.
pub fn escaped(name: &str) -> String {
    name.replace('\\', "\\\\").replace('"', "\\\"")
}

struct Reader {
    chunks: Vec<Chunk>,
    text: String,
    /// As the last marker has it.
    file: String,
    line: u32,
}

impl Reader {
    fn line(&mut self, line: &str, own: &str) {
        if let Some((number, rest)) = marker(line) {
            self.line = number;
            self.file = rest.split('"').next().unwrap_or("").to_string();
            let name = format!("\"{SKELETON}\"");
            self.text += &line.replacen(&name, own, 1);
            return;
        }
        let is_own = self.file == SKELETON;
        if let Some(definition) = line.strip_prefix("#define ") {
            let definition = Macro::read(definition, &self.file, self.line);
            self.take(definition.map(|m| Chunk::Define(Rc::new(m))));
        } else if let Some(name) = line.strip_prefix("#undef ") {
            self.take(Some(Chunk::Undef(name.trim().to_string())));
        } else if let (true, Some(piece)) = (is_own, marked(line)) {
            self.take(Some(Chunk::Code(piece)));
        } else if !self.file.starts_with('<') || is_own {
            self.text += line;
        }
        self.line += 1;
    }

    /// In place of a line of the text.
    fn take(&mut self, chunk: Option<Chunk>) {
        if !self.file.starts_with('<') {
            self.text.push('\n');
        }
        let Some(chunk) = chunk else { return };
        if matches!(chunk, Chunk::Code(_)) {
            self.flush();
        }
        // Header text does not depend on macros: it stays in one piece around definitions.
        self.chunks.push(chunk);
    }

    fn flush(&mut self) {
        if !self.text.is_empty() {
            self.chunks.push(Chunk::Text(std::mem::take(&mut self.text)));
        }
    }
}

/// Line number, and what follows the quote, of `# 12 "name" 1`.
fn marker(line: &str) -> Option<(u32, &str)> {
    let (number, rest) = line.strip_prefix("# ")?.split_once(" \"")?;
    Some((number.parse().ok()?, rest))
}

fn complaints(stderr: &str) -> Vec<Complaint> {
    let mut found: Vec<Complaint> = Vec::new();
    // `In file included from <stdin>:3:` and `from <stdin>:3:` come before what they are about.
    let mut included_at = None;
    for line in stderr.lines() {
        let from = format!("from {SKELETON}:");
        if let Some((_, rest)) = line.split_once(&from) {
            included_at = rest.split([':', ',']).next().and_then(|n| n.parse().ok());
            continue;
        }
        let Some((is_error, place, text)) = severity(line) else { continue };
        let numbers = |rest: &str| -> Option<(u32, u32)> {
            let mut parts = rest.split(':').map(str::parse);
            Some((parts.next()?.ok()?, parts.next().and_then(Result::ok).unwrap_or(1)))
        };
        let own = place.strip_prefix(SKELETON).and_then(|rest| numbers(rest.strip_prefix(':')?));
        let (at, text) = match (own, included_at.take()) {
            (Some(at), _) => (at, text.to_string()),
            (None, Some(line)) => ((line, 1), format!("{place}: {text}")),
            (None, None) => continue,
        };
        found.push(Complaint { line: at.0, column: at.1, is_error, text });
    }
    found
}

/// `PLACE: error: TEXT`
fn severity(line: &str) -> Option<(bool, &str, &str)> {
    [(": fatal error: ", true), (": error: ", true), (": warning: ", false)].iter().find_map(
        |&(word, is_error)| line.split_once(word).map(|(place, text)| (is_error, place, text)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_taken_apart() {
        let stdout = "# 0 \"<stdin>\"\n# 0 \"<built-in>\"\n#define __x86_64__ 1\n# 1 \"<stdin>\"\n\
                      # 1 \"/h.h\" 1\n#define N 3\nint h;\n# 2 \"<stdin>\" 2\n__furlong_code_1__\n";
        let answer = read(stdout, "", "/a.upc");
        let shown: Vec<String> = answer
            .chunks
            .iter()
            .map(|chunk| match chunk {
                Chunk::Text(text) => text.clone(),
                Chunk::Define(m) => format!("{} {}:{}", m.name, m.file, m.line),
                Chunk::Undef(name) => name.clone(),
                Chunk::Code(n) => n.to_string(),
            })
            .collect();
        let text = "# 0 \"/a.upc\"\n# 0 \"<built-in>\"\n# 1 \"/a.upc\"\n# 1 \"/h.h\" 1\n\nint h;\n\
                    # 2 \"/a.upc\" 2\n";
        assert_eq!(shown, ["__x86_64__ <built-in>:0", "N /h.h:1", text, "1"]);
    }

    #[test]
    fn complaints_have_places() {
        let stderr = "<stdin>:3:10: fatal error: x.h: No such file or directory\n    3 | #inc\n\
                      In file included from <stdin>:1:\n/h.h:4:2: error: #error no\n";
        let found = complaints(stderr);
        assert_eq!((found[0].line, found[0].column, found[0].is_error), (3, 10, true));
        assert_eq!((found[1].line, found[1].text.as_str()), (1, "/h.h:4:2: #error no"));
    }
}
