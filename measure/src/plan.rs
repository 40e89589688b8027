// SPDX-License-Identifier: BSD-3-Clause
//! Reads `bench/bench.toml`, whose head describes its form: what is measured, and what is good
//! enough.

use crate::mapping::{self, Mapping};
use std::path::Path;
use toml::{Table, Value};

pub struct Plan {
    pub programs: Vec<Program>,
    pub testbeds: Vec<Testbed>,
    pub bars: Vec<Bar>,
}

pub struct Program {
    /// A file in bench/, or `@name` for a measurement of the tools.
    pub source: String,
    /// Commands that fail where it cannot be built.
    pub needs: Vec<String>,
    pub language: Language,
    pub with: Vec<String>,
    pub builds: Vec<Build>,
    pub args: Vec<String>,
    /// Instead of `args` under `--full`: the paper's sizes.
    full: Option<Vec<String>>,
    pub mappings: Vec<Mapping>,
    pub run: Vec<String>,
    pub rounds: usize,
    pub limit_secs: u64,
    /// What connects hosts, if it is not what upcrun chooses; and hosts that are network namespaces.
    pub transport: Option<String>,
    pub netns: bool,
    /// A program for MPI, of which the same is measured; and one for OpenMP.
    pub peers: Option<Peers>,
    pub openmp: Option<String>,
    /// Sizes that the programs are compiled for, and those that take long. May be empty.
    pub classes: Vec<String>,
    pub full_classes: Vec<String>,
    /// How tests run it, with its first class.
    pub check: Vec<Mapping>,
}

/// A program for MPI.
#[derive(Default)]
pub struct Peers {
    pub source: String,
    /// Options behind the source.
    pub flags: Vec<String>,
    /// Commands that fail where it cannot be built; and the only MPI that its libraries are for.
    pub needs: Vec<String>,
    pub only: Option<String>,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Language {
    Upc,
    C,
    /// Its mappings are hosts and threads of each.
    OpenMp,
    /// C on furlong/gas.h: the threads of a process are its own, and its first argument.
    Gas,
}

/// Collective operations, measured in many settings.
pub struct Testbed {
    pub source: String,
    pub flags: Vec<String>,
    pub peers: Option<String>,
    /// Of more processes than that the peers are not asked.
    pub most_peer_processes: u32,
    pub operations: Vec<String>,
    /// By which ours are also done, each giving lines of its own; the library chooses else.
    pub algorithms: Vec<String>,
    pub bytes: Vec<u64>,
    pub mappings: Vec<Mapping>,
    pub skews: Vec<f64>,
    /// What of them takes little time; of the skews, the first.
    pub quick_bytes: Vec<u64>,
    pub quick_mappings: Vec<Mapping>,
    pub rounds: usize,
    pub limit_secs: u64,
}

pub struct Build {
    pub flags: Vec<String>,
    /// Stands behind the mappings: empty, or [`UNIVERSAL`].
    pub mark: &'static str,
}

/// Code for any network, on one host.
pub const UNIVERSAL: &str = " universal";
const SMP: &str = "-network=smp";

pub struct Bar {
    /// `*` in it stands for anything.
    pub name: String,
    /// Where it must hold; everywhere, if empty.
    pub mapping: String,
    pub min_ratio: Option<f64>,
    pub max_ratio: Option<f64>,
    pub max_value: Option<f64>,
    /// `name@mapping`: what to divide by, in place of the measurement's own reference. `*` in it stands
    /// for the same as in the bar's name.
    against: Option<(String, String)>,
}

impl Bar {
    pub fn is_for(&self, name: &str) -> bool {
        self.star(name).is_some()
    }

    /// What `*` in the bar's name stands for in this name, which it is for.
    fn star<'a>(&self, name: &'a str) -> Option<&'a str> {
        match self.name.split_once('*') {
            None => (self.name == name).then_some(""),
            Some((begin, end)) => name.strip_prefix(begin)?.strip_suffix(end),
        }
    }

    /// Name and mapping of what a measurement of this name is divided by.
    pub fn against(&self, name: &str) -> Option<(String, &str)> {
        let (against, mapping) = self.against.as_ref()?;
        Some((against.replace('*', self.star(name)?), mapping))
    }
}

impl Testbed {
    /// `testbed` alone names it, its source the program of this name too.
    pub fn label(&self) -> String {
        format!("testbed {}", self.source)
    }
}

impl Program {
    /// Options of the compilers, one list for each size.
    pub fn sizes(&self, full: bool) -> Vec<Vec<String>> {
        let classes = if full { &self.full_classes } else { &self.classes };
        match classes.is_empty() {
            true => vec![Vec::new()],
            false => classes.iter().map(|class| vec![format!("-DCLASS='{class}'")]).collect(),
        }
    }

    pub fn arguments(&self, full: bool) -> &[String] {
        self.full.as_ref().filter(|_| full).unwrap_or(&self.args)
    }

    /// The source and the first argument: what a filter is compared with.
    pub fn label(&self) -> String {
        let words = std::iter::once(&self.source).chain(self.args.first());
        words.cloned().collect::<Vec<_>>().join(" ")
    }
}

impl Plan {
    /// What a filter may name.
    pub fn names(&self) -> Vec<String> {
        let programs = self.programs.iter().map(Program::label);
        programs.chain(self.testbeds.iter().map(Testbed::label)).collect()
    }
}

/// A program of bench/openmp, and what its paper reports (paper.toml there).
pub struct Paper {
    pub name: String,
    pub source: String,
    pub tolerance: f64,
    values: Table,
}

impl Paper {
    /// The i-th of what stands there; a number alone is the first.
    pub fn value(&self, key: &str, i: usize) -> Option<f64> {
        match self.values.get(key)? {
            Value::Array(list) => list.get(i).and_then(number),
            one => number(one),
        }
    }
}

pub fn papers(file: &Path) -> Result<Vec<Paper>, String> {
    let table = read(file)?;
    let paper = |entry: &Table| {
        Ok(Paper {
            name: text(entry, "name").ok_or("a [[program]] needs a name")?,
            source: text(entry, "source").ok_or("a [[program]] needs a source")?,
            tolerance: entry.get("tolerance").and_then(number).unwrap_or(1e-9),
            values: entry.clone(),
        })
    };
    list(&table, "program").iter().map(paper).collect()
}

fn read(file: &Path) -> Result<Table, String> {
    let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
    text.parse().map_err(|e: toml::de::Error| e.to_string())
}

fn list(table: &Table, key: &str) -> Vec<Table> {
    let entries = table.get(key).and_then(Value::as_array).into_iter().flatten();
    entries.filter_map(Value::as_table).cloned().collect()
}

/// bench.toml of bench/, and of each folder of bench/apps, whose programs are named from bench/.
pub fn load(bench: &Path) -> Result<Plan, String> {
    let mut plan = load_file(bench, "")?;
    let apps = std::fs::read_dir(bench.join("apps")).map_err(|e| format!("bench/apps: {e}"))?;
    let mut folders: Vec<String> = apps
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .map(|name| format!("apps/{name}/"))
        .filter(|folder| bench.join(folder).join("bench.toml").exists())
        .collect();
    folders.sort();
    for folder in folders {
        let further = load_file(bench, &folder)?;
        plan.programs.extend(further.programs);
        plan.testbeds.extend(further.testbeds);
        plan.bars.extend(further.bars);
    }
    Ok(plan)
}

fn load_file(bench: &Path, folder: &str) -> Result<Plan, String> {
    let file = bench.join(folder).join("bench.toml");
    plan(&file, folder).map_err(|problem| format!("bench/{folder}bench.toml: {problem}"))
}

fn plan(file: &Path, folder: &str) -> Result<Plan, String> {
    let table = read(file)?;
    let program = |entry: &Table| program(entry, folder);
    Ok(Plan {
        programs: list(&table, "program").iter().map(program).collect::<Result<_, _>>()?,
        testbeds: list(&table, "testbed").iter().map(testbed).collect::<Result<_, _>>()?,
        bars: list(&table, "bar").iter().map(bar).collect::<Result<_, _>>()?,
    })
}

fn program(entry: &Table, folder: &str) -> Result<Program, String> {
    const KEYS: [&str; 20] = [
        "source",
        "needs",
        "language",
        "transport",
        "fabric",
        "with",
        "flags",
        "builds",
        "universal",
        "args",
        "full",
        "mappings",
        "run",
        "rounds",
        "limit",
        "peers",
        "openmp",
        "classes",
        "full_classes",
        "check",
    ];
    only(entry, &KEYS)?;
    let in_folder = |name: String| match name.starts_with('@') {
        true => name,
        false => format!("{folder}{name}"),
    };
    Ok(Program {
        source: text(entry, "source").map(in_folder).ok_or("a [[program]] needs a source")?,
        needs: text(entry, "needs").into_iter().collect(),
        language: match text(entry, "language").as_deref() {
            None | Some("upc") => Language::Upc,
            Some("c") => Language::C,
            Some("openmp") => Language::OpenMp,
            Some("gas") => Language::Gas,
            Some(unknown) => return Err(format!("unknown language `{unknown}`")),
        },
        with: texts(entry.get("with")).into_iter().map(in_folder).collect(),
        builds: builds(entry),
        args: texts(entry.get("args")),
        full: entry.get("full").map(|full| texts(Some(full))),
        mappings: mappings(entry)?,
        run: texts(entry.get("run")),
        rounds: whole(entry, "rounds").unwrap_or(1) as usize,
        limit_secs: whole(entry, "limit").unwrap_or(120),
        transport: text(entry, "transport"),
        netns: match text(entry, "fabric").as_deref() {
            None => false,
            Some("netns") => true,
            Some(other) => return Err(format!("unknown fabric `{other}`")),
        },
        peers: entry.get("peers").map(|peers| self::peers(peers, in_folder)).transpose()?,
        openmp: text(entry, "openmp").map(in_folder),
        classes: texts(entry.get("classes")),
        full_classes: texts(entry.get("full_classes")),
        check: mapping::mappings(&texts(entry.get("check")).join(" "))?,
    })
}

/// The name of the source alone, or a table.
fn peers(value: &Value, in_folder: impl Fn(String) -> String) -> Result<Peers, String> {
    if let Some(source) = value.as_str() {
        return Ok(Peers { source: in_folder(source.into()), ..Peers::default() });
    }
    let entry = value.as_table().ok_or("`peers` is a source, or a table")?;
    only(entry, &["source", "flags", "needs", "only"])?;
    Ok(Peers {
        source: text(entry, "source").map(in_folder).ok_or("`peers` needs a source")?,
        flags: texts(entry.get("flags")),
        needs: text(entry, "needs").into_iter().collect(),
        only: text(entry, "only"),
    })
}

fn testbed(entry: &Table) -> Result<Testbed, String> {
    const KEYS: [&str; 13] = [
        "source",
        "flags",
        "peers",
        "most_peer_processes",
        "quick_bytes",
        "quick_mappings",
        "operations",
        "algorithms",
        "bytes",
        "mappings",
        "skews",
        "rounds",
        "limit",
    ];
    only(entry, &KEYS)?;
    Ok(Testbed {
        source: text(entry, "source").ok_or("a [[testbed]] needs a source")?,
        flags: texts(entry.get("flags")),
        peers: text(entry, "peers"),
        most_peer_processes: whole(entry, "most_peer_processes").unwrap_or(2) as u32,
        operations: texts(entry.get("operations")),
        algorithms: texts(entry.get("algorithms")),
        bytes: wholes(entry, "bytes"),
        quick_bytes: wholes(entry, "quick_bytes"),
        quick_mappings: mapping::mappings(&texts(entry.get("quick_mappings")).join(" "))?,
        mappings: mappings(entry)?,
        skews: numbers(entry.get("skews")),
        rounds: whole(entry, "rounds").unwrap_or(1) as usize,
        limit_secs: whole(entry, "limit").unwrap_or(120),
    })
}

fn mappings(entry: &Table) -> Result<Vec<Mapping>, String> {
    match texts(entry.get("mappings")) {
        list if list.is_empty() => mapping::mappings("1x1"),
        list => mapping::mappings(&list.join(" ")),
    }
}

fn builds(entry: &Table) -> Vec<Build> {
    let flags = texts(entry.get("flags"));
    let lists = entry.get("builds").and_then(Value::as_array).into_iter().flatten();
    let mut further: Vec<_> = lists.map(|list| texts(Some(list))).collect();
    if further.is_empty() {
        further.push(Vec::new());
    }
    let as_named = further.iter().map(|list| [&flags[..], list].concat());
    let mut builds: Vec<_> = as_named.map(|flags| Build { flags, mark: "" }).collect();
    if entry.get("universal").and_then(Value::as_bool).unwrap_or(false) {
        let without = |build: &Build| {
            build.flags.iter().filter(|&flag| flag != SMP).cloned().collect::<Vec<_>>()
        };
        let universal = builds.iter().map(|b| Build { flags: without(b), mark: UNIVERSAL });
        let universal: Vec<_> = universal.collect();
        builds.extend(universal);
    }
    builds
}

fn bar(entry: &Table) -> Result<Bar, String> {
    only(entry, &["name", "mapping", "min_ratio", "max_ratio", "max_value", "against"])?;
    let number = |key: &str| entry.get(key).and_then(number);
    let against = text(entry, "against")
        .and_then(|text| text.split_once('@').map(|(name, at)| (name.into(), at.into())));
    Ok(Bar {
        name: text(entry, "name").ok_or("a [[bar]] needs a name")?,
        mapping: text(entry, "mapping").unwrap_or_default(),
        min_ratio: number("min_ratio"),
        max_ratio: number("max_ratio"),
        max_value: number("max_value"),
        against,
    })
}

fn only(entry: &Table, keys: &[&str]) -> Result<(), String> {
    match entry.keys().find(|key| !keys.contains(&key.as_str())) {
        Some(unknown) => Err(format!("unknown key `{unknown}`")),
        None => Ok(()),
    }
}

fn number(value: &Value) -> Option<f64> {
    value.as_float().or(value.as_integer().map(|n| n as f64))
}

fn numbers(value: Option<&Value>) -> Vec<f64> {
    let list = value.and_then(Value::as_array).into_iter().flatten();
    list.filter_map(number).collect()
}

fn wholes(table: &Table, key: &str) -> Vec<u64> {
    numbers(table.get(key)).iter().map(|&n| n as u64).collect()
}

fn whole(table: &Table, key: &str) -> Option<u64> {
    table.get(key).and_then(Value::as_integer).map(|n| n as u64)
}

fn text(table: &Table, key: &str) -> Option<String> {
    table.get(key).and_then(Value::as_str).map(String::from)
}

fn texts(value: Option<&Value>) -> Vec<String> {
    let list = value.and_then(Value::as_array).into_iter().flatten();
    list.filter_map(Value::as_str).map(String::from).collect()
}
