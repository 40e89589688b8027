// SPDX-License-Identifier: BSD-3-Clause
//! The parts of a page of Markdown that can be wrong: code blocks, links, headings, and comments,
//! which readers do not see. Knows only the form that this project's pages have.

use std::path::Path;

#[derive(Default, Debug)]
pub struct Page {
    /// Blocks and comments, in their order.
    pub parts: Vec<(usize, Part)>,
    /// Line and target.
    pub links: Vec<(usize, String)>,
    /// What a link may name after `#`.
    pub anchors: Vec<String>,
}

#[derive(Debug, PartialEq)]
pub enum Part {
    Block {
        /// What stands after the fence: nothing in an indented block.
        words: Vec<String>,
        text: String,
        /// The line of prose before it.
        lead: String,
    },
    Comment(String),
}

impl Page {
    pub fn read(path: &Path) -> Result<Page, String> {
        let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
        Ok(Page::parse(&text))
    }

    pub fn parse(text: &str) -> Page {
        let mut page = Page::default();
        let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line)).peekable();
        let (mut after_blank, mut lead) = (true, String::new());
        while let Some((number, line)) = lines.next() {
            let mut gather = |ends: fn(&str) -> bool| {
                let mut text = String::new();
                for (_, line) in lines.by_ref().take_while(|(_, line)| !ends(line)) {
                    text.push_str(&format!("{line}\n"));
                }
                text
            };
            if let Some(info) = line.strip_prefix("```") {
                let words = info.split_whitespace().map(String::from).collect();
                let text = gather(|l| l.starts_with("```"));
                page.parts.push((number, Part::Block { words, text, lead: lead.clone() }));
            } else if let Some(comment) = line.strip_prefix("<!--") {
                let text = match comment.split_once("-->") {
                    Some((whole, _)) => whole.trim().to_string(),
                    None => format!("{}\n{}", comment.trim(), gather(|l| l == "-->")),
                };
                page.parts.push((number, Part::Comment(text)));
            } else if after_blank && line.starts_with("    ") {
                let text = line.to_string();
                page.parts.push((number, Part::Block { words: vec![], text, lead: lead.clone() }));
            } else {
                page.prose(number, line);
                if !line.trim().is_empty() {
                    lead = line.to_string();
                }
            }
            after_blank = line.trim().is_empty();
        }
        page
    }

    fn prose(&mut self, number: usize, line: &str) {
        if line.starts_with('#') {
            self.anchors.push(anchor(line.trim_start_matches('#')));
        }
        let targets = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        self.links.extend(targets.map(|target| (number, target.to_string())));
    }
}

/// The name that a heading gets where Markdown is shown: `## A UPC program` is `#a-upc-program`.
fn anchor(heading: &str) -> String {
    let plain = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    let name = heading.trim().chars().filter(plain).collect::<String>();
    name.to_lowercase().replace(' ', "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_comments_links_and_headings() {
        let text = "# Run it: `-n 4`\nSee [x](a.md#b), [y](c).\n\n```c p.upc\nint i;\n```\n\
                    <!-- not run: why -->\n<!-- file a\nb\n-->\n\n    indented\n";
        let page = Page::parse(text);
        assert_eq!(page.anchors, ["run-it--n-4"]);
        assert_eq!(page.links, [(2, "a.md#b".to_string()), (2, "c".to_string())]);
        let words = vec!["c".to_string(), "p.upc".to_string()];
        let block = |words, text: &str, lead: &str| Part::Block {
            words,
            text: text.into(),
            lead: lead.into(),
        };
        let lead = "See [x](a.md#b), [y](c).";
        let expected = [
            (4, block(words, "int i;\n", lead)),
            (7, Part::Comment("not run: why".into())),
            (8, Part::Comment("file a\nb\n".into())),
            (12, block(vec![], "    indented", lead)),
        ];
        assert_eq!(page.parts, expected);
    }
}
