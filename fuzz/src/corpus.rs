// SPDX-License-Identifier: BSD-3-Clause
//! The programs to begin with: those of `tests` and `examples`, preprocessed. Of the headers each
//! has only the declarations that it uses, so that most inputs are the program's own text.

use crate::tokens::{class, split, Class};
use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const HEADERS: &[&str] = &[
    "stdio.h",
    "stdlib.h",
    "string.h",
    "stdint.h",
    "inttypes.h",
    "limits.h",
    "math.h",
    "assert.h",
    "stdbool.h",
    "stddef.h",
    "stdarg.h",
    "errno.h",
    "unistd.h",
    "upc.h",
    "upc_collective.h",
    "upc_atomic.h",
    "upc_tick.h",
    "upc_castable.h",
    "upc_nb.h",
    "upc_io.h",
];

/// A preprocessed program.
#[derive(Debug)]
pub struct Seed {
    /// Declarations of headers that it uses.
    pub head: Vec<&'static str>,
    /// The program's own part.
    pub tokens: Vec<&'static str>,
}

/// Every program under the repository `root`, in the order of their names.
pub fn read(root: &Path) -> Result<Vec<Seed>, String> {
    let mut files = Vec::new();
    for folder in ["tests", "examples"] {
        find(&root.join(folder), &mut files);
    }
    files.sort();
    let mut text = String::new();
    HEADERS.iter().for_each(|header| text += &format!("#include <{header}>\n"));
    for file in &files {
        let source = std::fs::read(file).map_err(|e| format!("{}: {e}", file.display()))?;
        text += "\n#line 1 \"seed.upc\"\n";
        text += &without_includes(&without_comments(&String::from_utf8_lossy(&source)));
    }
    // The texts live as long as the process.
    let text: &'static str = preprocess(root, text)?.leak();
    let mut parts = text.split("\n# 1 \"seed.upc\"\n");
    let pool = Pool::new(parts.next().unwrap_or_default());
    let seeds: Vec<Seed> = parts.map(|part| pool.seed(part)).collect();
    match seeds.is_empty() {
        true => Err(format!("{} has no programs in tests and examples", root.display())),
        false => Ok(seeds),
    }
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.extension() {
            _ if path.is_dir() => find(&path, files),
            Some(extension) if extension == "upc" => files.push(path),
            _ => {}
        }
    }
}

/// One run of the preprocessor for all programs; a macro of one may change the next, and mistakes
/// do not matter.
fn preprocess(root: &Path, text: String) -> Result<String, String> {
    let failed = |e: std::io::Error| format!("the C preprocessor `cc -E` cannot be run: {e}");
    let include = root.join("runtime/include");
    let mut cc = Command::new("cc")
        .args(["-E", "-w", "-x", "c", "-D__UPC__=1", "-D__UPC_VERSION__=201311L"])
        .args(["-D__UPC_DYNAMIC_THREADS__=1", "-DUPC_MAX_BLOCK_SIZE=35184372088832"])
        .args([Path::new("-isystem"), &include, Path::new("-")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(failed)?;
    let mut stdin = cc.stdin.take();
    let writer = std::thread::spawn(move || stdin.as_mut().map(|s| s.write_all(text.as_bytes())));
    let output = cc.wait_with_output().map_err(failed)?;
    let _ = writer.join();
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// An unterminated comment would swallow the programs that follow.
fn without_comments(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['/', '"', '\'']) {
        out += &rest[..at];
        rest = &rest[at..];
        let len = match rest.as_bytes() {
            [b'/', b'/', ..] => rest.find('\n').unwrap_or(rest.len()),
            [b'/', b'*', ..] => rest.find("*/").map_or(rest.len(), |end| end + 2),
            _ => {
                let token = split(rest)[0].trim_end_matches(' ').len();
                out += &rest[..token];
                rest = &rest[token..];
                continue;
            }
        };
        out.push(' ');
        rest = &rest[len..];
    }
    out + rest
}

fn without_includes(text: &str) -> String {
    let is_kept = |line: &&str| {
        let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
        directive.is_none_or(|d| d.starts_with("define") || d.starts_with("pragma"))
    };
    text.lines().filter(is_kept).flat_map(|line| [line, "\n"]).collect()
}

/// The headers' declarations.
struct Pool {
    items: Vec<Item>,
}

struct Item {
    text: &'static str,
    declares: Vec<&'static str>,
    words: Vec<&'static str>,
}

impl Pool {
    fn new(text: &'static str) -> Pool {
        let mut items = Vec::new();
        let (mut start, mut depth) = (0, 0usize);
        let tokens: Vec<&str> = split(text).into_iter().filter(|t| !t.starts_with('#')).collect();
        for (idx, token) in tokens.iter().enumerate() {
            match token.as_bytes()[0] {
                b'{' | b'(' => depth += 1,
                b'}' | b')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            let is_body = token.starts_with('}')
                && tokens[start..idx].iter().any(|t| matches!(t.trim(), "inline" | "__inline"));
            if depth == 0 && (token.starts_with(';') || is_body) {
                items.push(Item::new(&tokens[start..=idx]));
                start = idx + 1;
            }
        }
        Pool { items }
    }

    fn seed(&self, text: &'static str) -> Seed {
        let tokens = split(text);
        let mut used: HashSet<&str> = words(&tokens).collect();
        let mut kept: Vec<&str> = Vec::new();
        for item in self.items.iter().rev() {
            if item.declares.iter().any(|name| used.contains(name)) {
                used.extend(&item.words);
                kept.push(item.text);
            }
        }
        kept.reverse();
        Seed { head: kept, tokens }
    }
}

impl Item {
    fn new(tokens: &[&'static str]) -> Item {
        let text: &'static str = tokens.concat().leak();
        let is_type = matches!(tokens[0].trim(), "typedef" | "struct" | "union" | "enum");
        let all: Vec<&str> = words(tokens).collect();
        let declares = match tokens.iter().position(|t| t.starts_with('(')) {
            Some(open) if !is_type && open > 0 => vec![tokens[open - 1].trim()],
            _ => all.clone(),
        };
        Item { text, declares, words: all }
    }
}

/// Names, not keywords.
fn words<'a>(tokens: &'a [&'static str]) -> impl Iterator<Item = &'static str> + 'a {
    const KEYWORDS: &[&str] = &[
        "typedef",
        "extern",
        "struct",
        "union",
        "enum",
        "int",
        "char",
        "long",
        "short",
        "unsigned",
        "signed",
        "float",
        "double",
        "void",
        "const",
        "volatile",
        "static",
        "inline",
        "shared",
        "return",
        "if",
        "else",
        "for",
        "__attribute__",
        "__extension__",
        "__restrict",
    ];
    let trimmed = tokens.iter().map(|t| t.trim());
    trimmed.filter(|t| !t.is_empty() && class(t) == Class::Word && !KEYWORDS.contains(t))
}

/// Words of all programs by what they are, for exchanges.
pub fn by_class(seeds: &[Seed]) -> HashMap<u8, Vec<&'static str>> {
    let mut lists: HashMap<u8, Vec<&'static str>> = HashMap::default();
    for token in seeds.iter().flat_map(|seed| &seed.tokens) {
        lists.entry(class(token) as u8).or_default().push(token);
    }
    lists
}
