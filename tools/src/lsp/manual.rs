// SPDX-License-Identifier: BSD-3-Clause
//! Manual pages as Markdown, for hovers and completions: what the page has about one name.

use crate::install;
use std::collections::HashMap;

/// Pages that have been read, by name.
#[derive(Default)]
pub struct Manual {
    pages: HashMap<String, Option<String>>,
}

/// Words of the language, and the pages that have them.
const WORDS: [(&str, &str); 5] = [
    ("shared", "upc_shared"),
    ("strict", "upc_strict"),
    ("relaxed", "upc_strict"),
    ("THREADS", "upc_threads"),
    ("MYTHREAD", "upc_threads"),
];

impl Manual {
    /// What is said about `name`, if it has a page.
    pub fn about(&mut self, name: &str) -> Option<String> {
        // Names come from the user's text, and become names of files.
        if !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
            return None;
        }
        self.pages.entry(name.to_string()).or_insert_with(|| read(name)).clone()
    }
}

fn read(name: &str) -> Option<String> {
    let page = WORDS.iter().find(|(word, _)| *word == name).map_or(name, |(_, page)| page);
    let folder = install::root().join("share/man");
    ["3", "7"].iter().find_map(|section| {
        let path = folder.join(format!("man{section}/{page}.{section}"));
        let text = std::fs::read_to_string(path).ok()?;
        Some(match *section {
            "3" => about_function(&text, name, section)?,
            _ => about_word(&text, section),
        })
    })
}

/// The head of a page, and its first two paragraphs.
fn about_word(page: &str, section: &str) -> String {
    let (_, name, what) = head(page);
    let description = sections(page, "DESCRIPTION");
    let paragraphs: Vec<String> = description.iter().take(2).map(|p| plain(p)).collect();
    format!("**{name}**({section}): {what}\n\n{}\n", paragraphs.join("\n\n"))
}

/// The paragraphs of a page that name the function.
fn about_function(page: &str, function: &str, section: &str) -> Option<String> {
    let (page_name, _, _) = head(page);
    let word = format!(".Fn {function}");
    let is_about = |paragraph: &&Vec<&str>| {
        paragraph.iter().any(|line| {
            line.strip_prefix(&word)
                .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        })
    };
    let description = sections(page, "DESCRIPTION");
    let found: Vec<String> = description.iter().filter(is_about).map(|p| plain(p)).collect();
    let text = match found.is_empty() {
        true => description.first().map(|p| plain(p))?,
        false => found.join("\n\n"),
    };
    Some(format!("{text}\n\n*{page_name}({section})*\n"))
}

/// The page's name, the name that it documents, and what that is.
fn head(page: &str) -> (String, String, String) {
    let after = |word: &str| {
        let line = page.lines().find_map(|line| line.strip_prefix(word));
        line.unwrap_or("").trim().to_string()
    };
    let name = after(".Nm ");
    (after(".Dt ").split(' ').next().unwrap_or("").to_lowercase(), name, after(".Nd "))
}

/// The paragraphs of a section.
fn sections<'a>(page: &'a str, section: &str) -> Vec<Vec<&'a str>> {
    let heading = format!(".Sh {section}");
    let lines = page.lines().skip_while(|line| *line != heading).skip(1);
    let mut paragraphs: Vec<Vec<&str>> = vec![Vec::new()];
    for line in lines.take_while(|line| !line.starts_with(".Sh ")) {
        match line.starts_with(".Pp") || line.starts_with(".Ss") {
            true => paragraphs.push(Vec::new()),
            false => paragraphs.last_mut().into_iter().for_each(|p| p.push(line)),
        }
    }
    paragraphs.retain(|paragraph| !paragraph.is_empty());
    paragraphs
}

/// Lines of mdoc(7) as Markdown, roughly.
fn plain(lines: &[&str]) -> String {
    let mut out = String::new();
    for line in lines {
        let text = line_text(line);
        if text.is_empty() {
            continue;
        }
        let sticks = text.starts_with([',', '.', ';', ':', ')']);
        let is_list = line.starts_with(".It");
        match () {
            () if is_list => out += "\n- ",
            () if out.is_empty() || sticks => {}
            () => out.push(' '),
        }
        out += &text;
    }
    out
}

fn line_text(line: &str) -> String {
    let Some(request) = line.strip_prefix('.') else {
        return line.replace("\\&", "").replace("\\e", "\\").replace("\\-", "-");
    };
    let mut words = words(request).into_iter();
    let Some(mut name) = words.next() else { return String::new() };
    if matches!(name.as_str(), "Bl" | "El" | "Bd" | "Ed" | "In" | "\\\"" | "Pp") {
        return match name.as_str() {
            "In" => format!("`<{}>`", words.next().unwrap_or_default()),
            _ => String::new(),
        };
    }
    let (mut out, mut code) = (String::new(), Vec::<String>::new());
    let flush = |code: &mut Vec<String>, out: &mut String, name: &str| {
        if code.is_empty() {
            return;
        }
        let text = code.join(" ");
        let text = match name {
            "Fn" => format!("`{text}()`"),
            "Xr" => format!("`{}({})`", code[0], code.get(1).map_or("", String::as_str)),
            "Em" | "Sy" => format!("*{text}*"),
            "No" | "It" | "Ta" | "Nm" | "Pq" | "Op" => text,
            "Pf" => text,
            _ => format!("`{text}`"),
        };
        let blank = if out.is_empty() || out.ends_with(['(', ' ']) { "" } else { " " };
        *out += &format!("{blank}{text}");
        code.clear();
    };
    for word in words {
        let is_request = word.len() == 2
            && word.starts_with(char::is_uppercase)
            && word.ends_with(|c: char| c.is_lowercase());
        if is_request {
            flush(&mut code, &mut out, &name);
            name = word;
        } else if matches!(word.as_str(), "," | "." | ";" | ":" | ")") {
            flush(&mut code, &mut out, &name);
            out += &word;
        } else if word == "(" {
            flush(&mut code, &mut out, &name);
            out += "(";
        } else {
            code.push(word);
        }
    }
    flush(&mut code, &mut out, &name);
    out
}

/// Words of a request; quotes hold some together.
fn words(request: &str) -> Vec<String> {
    let (mut out, mut word, mut quoted) = (Vec::new(), String::new(), false);
    for c in request.chars() {
        match c {
            '"' => quoted = !quoted,
            ' ' if !quoted => {
                if !word.is_empty() {
                    out.push(std::mem::take(&mut word));
                }
            }
            c => word.push(c),
        }
    }
    if !word.is_empty() {
        out.push(word);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_has_its_paragraphs() {
        let page = ".Dt UPC 3\n.Sh NAME\n.Nm upc\n.Nd library\n.Sh DESCRIPTION\nInclude\n.In upc.h .\n\
                    .Pp\nThe call\n.Fn upc_lock\nwaits for\n.Fa ptr ,\nsee\n.Xr upc_barrier 7 .\n.Pp\n\
                    .Fn upc_lock_attempt\ndoes not.\n.Sh SEE ALSO\n";
        assert_eq!(
            about_function(page, "upc_lock", "3").unwrap(),
            "The call `upc_lock()` waits for `ptr`, see `upc_barrier(7)`.\n\n*upc(3)*\n"
        );
        let text = about_function(page, "upc_lock_attempt", "3").unwrap();
        assert!(text.starts_with("`upc_lock_attempt()` does not."));
    }
}
