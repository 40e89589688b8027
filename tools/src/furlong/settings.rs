// SPDX-License-Identifier: BSD-3-Clause
//! The settings of this environment: those of the runtime, from its own list, and what each is now.
//! An option of upcrun goes before the variable that it stands for.

use super::params;
use super::rows::{row, Row};
use crate::upcrun;
use std::env;

/// A row of the runtime's list.
struct Setting {
    variable: String,
    kind: String,
    initial: u64,
    least: u64,
    most: u64,
    help: String,
}

/// Variables with Furlong's prefix that its parts exchange.
const EXCHANGED: [&str; 2] = ["FURLONG_JOB", "FURLONG_LAUNCHED"];
/// What the tools read by themselves: their manuals say more.
const OF_TOOLS: [(&str, &str); 10] = [
    ("UPCC_FLAGS", "options of upcc before those of its command line"),
    ("UPCC_CC", "the C compiler behind upcc"),
    ("UPCRUN_FLAGS", "options of upcrun before those of its command line"),
    ("UPCRUN_RSH", "what starts a command on another host"),
    ("UPCRUN_GDB", "the debugger of upcrun -gdb and furlong dap"),
    ("UPC_NODES", "the default of -N"),
    ("OMPCC_FLAGS", "options of ompcc before those of its command line"),
    ("OMPCC_CC", "the C compiler behind ompcc"),
    ("OMPRUN_FLAGS", "options of omprun before those of its command line"),
    ("OMP_NUM_THREADS", "threads of an OpenMP program"),
];

/// A row for each setting. `options` are words of a command line of upcrun.
pub fn rows(options: &[String]) -> Result<Vec<Row>, String> {
    let flags = crate::text::words(&env::var("UPCRUN_FLAGS").unwrap_or_default());
    // The later one counts.
    let by_option = [(&flags[..], "UPCRUN_FLAGS"), (options, "command line")]
        .map(|(words, origin)| Ok((upcrun::settings(words)?, origin)));
    let by_option = by_option.into_iter().collect::<Result<Vec<_>, String>>()?;
    let row_of = |variable: &str, initial: String, help: String| {
        let chosen = by_option.iter().rev().find_map(|(chosen, origin)| {
            let (_, value, option) = chosen.iter().rev().find(|(name, ..)| *name == variable)?;
            Some((value.clone(), format!("{origin} ({option})")))
        });
        let set = || set(variable).map(|value| (value, "environment".to_string()));
        let (value, origin) = chosen.or_else(set).unwrap_or((initial, "default".to_string()));
        Row { meaning: help, ..row(variable, value).with("origin", origin) }
    };
    let of_runtime = list().into_iter().map(|setting| {
        let initial = setting.shown_default();
        row_of(&setting.variable, initial, setting.help)
    });
    let of_tools =
        OF_TOOLS.iter().map(|(name, help)| row_of(name, String::new(), help.to_string()));
    Ok(of_runtime.chain(of_tools).collect())
}

/// What is wrong about the environment's settings.
pub fn mistakes() -> Vec<String> {
    let list = list();
    let named = env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let unknown = named.filter(|name| {
        name.starts_with("FURLONG_")
            && !EXCHANGED.contains(&name.as_str())
            && !list.iter().any(|setting| setting.variable == *name)
    });
    let unknown =
        unknown.map(|name| format!("{name} is no setting; `furlong info settings` lists them"));
    let wrong = list.iter().filter_map(|setting| {
        let value = set(&setting.variable)?;
        setting.refusal(&value).map(|why| format!("{}={value}: {why}", setting.variable))
    });
    unknown.chain(wrong).collect()
}

fn set(variable: &str) -> Option<String> {
    let value = env::var_os(variable)?.to_string_lossy().into_owned();
    Some(value).filter(|value| !value.is_empty())
}

impl Setting {
    fn shown_default(&self) -> String {
        match self.kind.as_str() {
            "TEXT" => String::new(),
            "SIZE" => crate::text::bytes(self.initial),
            _ => self.initial.to_string(),
        }
    }

    /// The value of a size; only UPC's variables count in megabytes.
    fn bytes(&self, value: &str) -> Option<u64> {
        let plain = value.parse().ok().filter(|n| *n == 0 || !self.variable.starts_with("UPC_"));
        plain.or_else(|| crate::text::size(value).ok())
    }

    /// Why the runtime would not take the value (runtime/core/params.c).
    fn refusal(&self, value: &str) -> Option<String> {
        const WORDS: [&str; 8] = ["no", "n", "false", "off", "yes", "y", "true", "on"];
        let is_word = self.kind == "FLAG" && WORDS.contains(&value.to_lowercase().as_str());
        let (number, of) = match self.kind.as_str() {
            "SIZE" => (self.bytes(value), " of bytes"),
            _ => (value.parse::<u64>().ok(), ""),
        };
        let fits =
            self.kind == "TEXT" || number.is_some_and(|n| (self.least..=self.most).contains(&n));
        (!fits && !is_word).then(|| match self.kind.as_str() {
            "SIZE" if number.is_none() => "expected a size such as 64MB or 2GB".to_string(),
            _ => format!("expected a number{of} from {} to {}", self.least, self.most),
        })
    }
}

fn list() -> Vec<Setting> {
    let rows = params::rows(include_str!("../../../runtime/core/params.def"));
    rows.unwrap_or_default().into_iter().filter_map(setting).collect()
}

fn setting([_, variable, kind, initial, least, most, _, help]: [String; 8]) -> Option<Setting> {
    let (initial, least, most) = (number(&initial)?, number(&least)?, number(&most)?);
    Some(Setting { variable, kind, initial, least, most, help })
}

/// `7`, `64ull<<30`, `UINT64_MAX`
fn number(text: &str) -> Option<u64> {
    if text == "UINT64_MAX" {
        return Some(u64::MAX);
    }
    let (number, shift) = text.split_once("<<").unwrap_or((text, "0"));
    let number: u64 = number.trim_end_matches("ull").parse().ok()?;
    number.checked_shl(shift.parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_list_is_read() {
        let text = include_str!("../../../runtime/core/params.def");
        let rows = text.lines().filter(|line| line.starts_with("FL_PARAM(")).count();
        assert_eq!(list().len(), rows);
        let heap = list().into_iter().find(|s| s.variable == "FURLONG_HOST_HEAP").unwrap();
        assert_eq!((heap.initial, heap.shown_default().as_str()), (64 << 30, "64 GB"));
    }

    #[test]
    fn values_that_the_runtime_refuses_are_known() {
        let refusal = |name: &str, value: &str| {
            list().iter().find(|s| s.variable == name).unwrap().refusal(value)
        };
        assert_eq!(refusal("FURLONG_CHECK", "3").unwrap(), "expected a number from 0 to 2");
        assert!(refusal("UPC_SHARED_HEAP_SIZE", "much").unwrap().contains("64MB"));
        for (name, value) in [("UPC_QUIET", "yes"), ("UPC_STACK_SIZE", "8MB"), ("HOME", "x")] {
            assert_eq!(refusal(name, value), None);
        }
    }

    #[test]
    fn options_go_before_variables() {
        let words = ["-shared-heap", "2GB", "-p", "3", "-q"].map(String::from);
        let rows = rows(&words).unwrap();
        let row = |name: &str| rows.iter().find(|row| row.name == name).unwrap();
        assert_eq!(row("UPC_SHARED_HEAP_SIZE").value, "2GB");
        assert_eq!(row("UPC_SHARED_HEAP_SIZE").details[0].1, "command line (-shared-heap)");
        assert_eq!(row("UPC_QUIET").value, "1");
    }
}
