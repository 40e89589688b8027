// SPDX-License-Identifier: BSD-3-Clause
//! Help and man pages, both written from a tool's table of options.

use crate::machine;
use crate::options::{Opt, Value};
use crate::{out, outln};

/// The parts of a tool's manual that are not options.
pub struct Manual {
    pub name: &'static str,
    /// One line: what it does.
    pub title: &'static str,
    /// What follows the name in a command line.
    pub synopsis: &'static [&'static str],
    pub description: &'static str,
    /// Sections after the options: title and paragraphs.
    pub sections: &'static [(&'static str, &'static str)],
}

/// What a tool prints of itself in place of its work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Print {
    Help,
    Man,
    Version,
}

impl Print {
    pub fn print<I>(self, manual: &Manual, table: &[Opt<I>]) {
        match self {
            Print::Help => out!("{}", help(manual, table)),
            Print::Man => out!("{}", man(manual, table)),
            Print::Version => outln!(
                "{} (Furlong) {}\nmachine: {}; supported: {}",
                manual.name,
                env!("CARGO_PKG_VERSION"),
                machine::OWN,
                machine::SUPPORTED
            ),
        }
    }
}

const COLUMN: usize = 26;
const WIDTH: usize = 92;

/// The text of `-help`.
pub fn help<I>(manual: &Manual, table: &[Opt<I>]) -> String {
    let mut out = String::new();
    for (i, synopsis) in manual.synopsis.iter().enumerate() {
        let lead = if i == 0 { "usage:" } else { "      " };
        out += &format!("{lead} {} {synopsis}\n", manual.name);
    }
    out += &format!("\n{}\n\noptions:\n", manual.title);
    for row in shown(table) {
        let names = names(row);
        let mut line = format!("  {names:<width$}", width = COLUMN - 2);
        if names.len() > COLUMN - 4 {
            out += &format!("  {names}\n");
            line = " ".repeat(COLUMN);
        }
        for word in row.help.split_whitespace() {
            if line.len() + word.len() > WIDTH {
                out += &format!("{}\n", line.trim_end());
                line = " ".repeat(COLUMN);
            }
            line += word;
            line.push(' ');
        }
        out += &format!("{}\n", line.trim_end());
    }
    out
}

/// The man page, section 1.
pub fn man<I>(manual: &Manual, table: &[Opt<I>]) -> String {
    let name = manual.name;
    let mut out = format!(
        ".TH {} 1 \"\" \"Furlong {}\" \"Furlong manual\"\n.SH NAME\n{name} \\- {}\n.SH SYNOPSIS\n",
        name.to_uppercase(),
        env!("CARGO_PKG_VERSION"),
        roff(manual.title)
    );
    let synopses = manual.synopsis.iter().map(|s| format!(".B {name}\n{}\n", roff(s)));
    out += &synopses.collect::<Vec<_>>().join(".br\n");
    out += &format!(".SH DESCRIPTION\n{}\n.SH OPTIONS\n", paragraphs(manual.description));
    for row in shown(table) {
        out += &format!(".TP\n.B {}\n{}.\n", roff(&names(row)), roff(&sentence(row.help)));
    }
    for (title, text) in manual.sections {
        out += &format!(".SH {title}\n{}\n", paragraphs(text));
    }
    out
}

fn shown<I>(table: &[Opt<I>]) -> impl Iterator<Item = &Opt<I>> {
    table.iter().filter(|row| !row.help.is_empty())
}

/// `-n N, -np N`
fn names<I>(row: &Opt<I>) -> String {
    let with_value = |name: &&str| match row.value {
        Value::None => name.to_string(),
        Value::Any(v) | Value::Word(v) => format!("{name} {v}"),
        Value::Equals(v) | Value::Number(v) => format!("{name}={v}"),
        Value::MayEqual(v) => format!("{name}[={v}]"),
        Value::Rest(v) => format!("{name}{v}"),
    };
    row.names.iter().map(with_value).collect::<Vec<_>>().join(", ")
}

fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |c| c.to_uppercase().collect::<String>() + chars.as_str())
}

/// Lines that begin with a space are shown as they stand; an empty line parts paragraphs.
fn paragraphs(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        match line {
            "" => out += ".PP\n",
            _ if line.starts_with(' ') => out += &format!(".nf\n{}\n.fi\n", roff(line)),
            _ => out += &format!("{}\n", roff(line)),
        }
    }
    out.trim_end().to_string()
}

/// Escapes what roff would take for its own: backslashes, dashes, a leading dot or quote.
fn roff(text: &str) -> String {
    let escaped = text.replace('\\', "\\e").replace('-', "\\-");
    if escaped.starts_with(['.', '\'']) {
        format!("\\&{escaped}")
    } else {
        escaped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANUAL: Manual = Manual {
        name: "tool",
        title: "do things",
        synopsis: &["[options] FILE", "-help"],
        description: "It does.\n\n  tool -x\n",
        sections: &[("EXIT STATUS", "0 or 1.")],
    };
    const TABLE: &[Opt<()>] = &[
        Opt { names: &["-n", "-np"], value: Value::Any("N"), help: "count things", id: () },
        Opt { names: &["-old"], value: Value::None, help: "", id: () },
    ];

    #[test]
    fn every_option_with_help_is_in_both_and_no_other() {
        let help = help(&MANUAL, TABLE);
        assert!(help.contains("  -n N, -np N             count things\n"), "{help}");
        assert!(!help.contains("-old"));
        let man = man(&MANUAL, TABLE);
        assert!(man.contains(".TP\n.B \\-n N, \\-np N\nCount things.\n"), "{man}");
        assert!(man.contains(".SH EXIT STATUS\n0 or 1.\n"));
    }
}
