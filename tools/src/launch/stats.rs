// SPDX-License-Identifier: BSD-3-Clause
//! What `-stats` prints: the counts that processes tell at their ends, for each host and in total.
//! What is counted, and how it is called, is the runtime's affair.

use super::plan::Plan;
use super::trace::{Cost, Line};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Form {
    Table,
    Json,
}

impl Form {
    /// By the value of -stats.
    pub fn parse(value: &str) -> Result<Form, String> {
        match value {
            "" | "table" => Ok(Form::Table),
            "json" => Ok(Form::Json),
            _ => Err(format!("`-stats={value}`: must be table or json")),
        }
    }
}

/// Names and values, as they come.
pub type Counts = Vec<(String, u64)>;

pub struct Stats {
    of_host: Vec<Counts>,
}

impl Stats {
    pub fn new(plan: &Plan) -> Stats {
        Stats { of_host: vec![Counts::new(); plan.hosts.len()] }
    }

    pub fn add(&mut self, host: usize, counts: Counts) {
        add(&mut self.of_host[host], &counts);
    }

    /// What a thread of a UPC program did at a line.
    pub fn add_cost(&mut self, host: usize, line: &Line, cost: &Cost) {
        let what = line.what.replace('-', "_");
        let counts = match what.as_str() {
            "all" => vec![("thread_ns".to_string(), cost.ns)],
            _ => vec![
                (format!("{what}_ns"), cost.ns),
                (format!("{what}_bytes"), cost.bytes),
                (what, cost.operations),
            ],
        };
        self.add(host, counts.into_iter().filter(|(_, count)| *count > 0).rev().collect());
    }

    pub fn shown(&self, form: Form, plan: &Plan) -> String {
        let mut total = Counts::new();
        self.of_host.iter().for_each(|counts| add(&mut total, counts));
        let names = plan.hosts.iter().map(|host| host.name.as_str());
        let hosts: Vec<_> = names.zip(&self.of_host).collect();
        match form {
            Form::Table => table(&plan.tool, &hosts, &total),
            Form::Json => json(&hosts, &total),
        }
    }
}

fn add(sum: &mut Counts, counts: &Counts) {
    for (name, value) in counts {
        match sum.iter_mut().find(|(known, _)| known == name) {
            Some((_, sum)) => *sum += value,
            None => sum.push((name.clone(), *value)),
        }
    }
}

/// A row for each count, a column for each host; where it is known how long what is counted took, one
/// more for its average.
fn table(tool: &str, hosts: &[(&str, &Counts)], total: &Counts) -> String {
    if total.is_empty() {
        return format!(
            "{tool}: stats: none: no process has told any; one that ends early does not, nor does \
             a program that is neither UPC nor one with coherent memory over several hosts\n"
        );
    }
    let mut out = format!("{tool}: stats: {:<15}", "");
    let columns = hosts.iter().copied().chain([("total", total)]);
    columns.clone().for_each(|(name, _)| out += &format!(" {name:>15}"));
    for (count, _) in total {
        out += &format!("\n{tool}: stats: {count:<15}");
        for (_, counts) in columns.clone() {
            out += &format!(" {:>15}", value(counts, count));
        }
        if let Some(what) = count.strip_suffix("_ns").filter(|what| value(total, what) > 0) {
            out += &format!("\n{tool}: stats: {:<15}", format!("{what}_us_each"));
            for (_, counts) in columns.clone() {
                let (ns, n) = (value(counts, count), value(counts, what));
                out += &format!(" {:>15.1}", if n > 0 { ns as f64 / 1e3 / n as f64 } else { 0.0 });
            }
        }
    }
    out + "\n"
}

fn value(counts: &Counts, name: &str) -> u64 {
    counts.iter().find(|(known, _)| known == name).map_or(0, |(_, value)| *value)
}

/// One line: `{"hosts":[{"name":"a","messages":1}],"total":{"messages":1}}`.
fn json(hosts: &[(&str, &Counts)], total: &Counts) -> String {
    let members = |counts: &Counts| -> Vec<String> {
        counts.iter().map(|(name, value)| format!("{}:{value}", quoted(name))).collect()
    };
    let host = |(name, counts): &(&str, &Counts)| {
        let name = format!("\"name\":{}", quoted(name));
        format!("{{{}}}", [vec![name], members(counts)].concat().join(","))
    };
    let hosts: Vec<String> = hosts.iter().map(host).collect();
    format!("{{\"hosts\":[{}],\"total\":{{{}}}}}\n", hosts.join(","), members(total).join(","))
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if (c as u32) < 0x20 => out += &format!("\\u{:04x}", c as u32),
            c => out.push(c),
        }
    }
    out + "\""
}

#[cfg(test)]
mod tests {
    use super::super::plan::Host;
    use super::*;

    fn two_hosts() -> (Plan, Stats) {
        let host = |name: &str| Host { name: name.into(), first: 0, count: 1 };
        let hosts = vec![host("a"), host("b\"")];
        let plan = Plan { tool: "omprun".into(), hosts, ..Plan::default() };
        let mut stats = Stats::new(&plan);
        stats.add(0, vec![("messages".into(), 3), ("bytes".into(), 70)]);
        stats.add(1, vec![("messages".into(), 4)]);
        (plan, stats)
    }

    #[test]
    fn hosts_are_columns_and_added_up() {
        let (plan, stats) = two_hosts();
        let shown = stats.shown(Form::Table, &plan);
        let rows: Vec<Vec<&str>> =
            shown.lines().map(|line| line.split_whitespace().skip(2).collect()).collect();
        let expected = [
            vec!["a", "b\"", "total"],
            vec!["messages", "3", "4", "7"],
            vec!["bytes", "70", "0", "70"],
        ];
        assert_eq!(rows, expected);
    }

    #[test]
    fn what_has_taken_time_has_an_average() {
        let (plan, mut stats) = two_hosts();
        stats.add(1, vec![("messages_ns".into(), 9000)]);
        let shown = stats.shown(Form::Table, &plan);
        let last: Vec<&str> = shown.lines().last().unwrap().split_whitespace().skip(2).collect();
        assert_eq!(last, ["messages_us_each", "0.0", "2.2", "1.3"]);
    }

    #[test]
    fn who_was_interrupted_has_told_none() {
        let (plan, _) = two_hosts();
        let shown = Stats::new(&plan).shown(Form::Table, &plan);
        assert!(shown.starts_with("omprun: stats: none: no process has told any; "), "{shown}");
    }

    #[test]
    fn costs_of_lines_are_added_up_by_kind() {
        let (plan, _) = two_hosts();
        let mut stats = Stats::new(&plan);
        for line in [3, 4] {
            let line = Line { file: "a.upc".into(), line, what: "strict-read".into() };
            stats.add_cost(1, &line, &Cost { operations: 2, bytes: 8, ns: 50 });
        }
        let counts = r#""strict_read":4,"strict_read_bytes":16,"strict_read_ns":100"#;
        let expected = format!("{{{counts}}}}}\n");
        assert!(stats.shown(Form::Json, &plan).ends_with(&expected));
    }

    #[test]
    fn json_is_one_line() {
        let (plan, stats) = two_hosts();
        assert_eq!(
            stats.shown(Form::Json, &plan),
            "{\"hosts\":[{\"name\":\"a\",\"messages\":3,\"bytes\":70},\
             {\"name\":\"b\\\"\",\"messages\":4}],\"total\":{\"messages\":7,\"bytes\":70}}\n"
        );
    }
}
