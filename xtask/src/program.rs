// SPDX-License-Identifier: BSD-3-Clause
//! Programs that run: compiled once, run in each mapping, output and exit code compared. The
//! same body serves `run`, `conform` and `examples`.

use crate::case::{self, Case, Mapping};
use crate::config::Config;
use crate::diagnostics;
use crate::process::{Command, End, Output};
use crate::snapshot;
use crate::suite::{Test, Verdict};
pub use furlong_measure::launch::{lacks, launch, mpi, over_hosts, run_or_say, transcript};
use std::path::{Path, PathBuf};

pub const DEFAULT_MAPPINGS: &str = "1x1 3x1 1x3 2x2";
const COMPILE_SECS: u64 = 60;
const SEED: &str = "{seed}";
/// A message to another host takes as long as thousands of accesses.
pub const TIMES_OVER_HOSTS: u64 = 4;
/// An emulated instruction takes as long as ten.
const TIMES_EMULATED: u64 = 5;

pub fn tests(config: &Config) -> Vec<Test> {
    let dir = config.tests_dir();
    let files = case::find(&dir.join("run"), &["upc", "c"]);
    files.into_iter().map(|path| test(case::name_of(&dir, &path), path)).collect()
}

/// Programs that access shared memory in every way, for which all of it is another host's.
pub fn remote(config: &Config) -> Vec<Test> {
    let dir = config.tests_dir();
    let files = case::find(&dir.join("run/access"), &["upc"]);
    let test = |path: PathBuf| {
        let name = format!("remote/{}", case::name_of(&dir, &path));
        Test::new(name.clone(), move |config| {
            let case = match Case::load(&path, DEFAULT_MAPPINGS) {
                Ok(case) => case,
                Err(problem) => return Verdict::Fail(problem),
            };
            let most = case.mappings.iter().copied().max_by_key(|m| m.threads());
            let case = Case { mappings: most.into_iter().collect(), ..case };
            let mut config = config.clone();
            config.remote = true;
            check(&config, &name, &case, says_ok).into()
        })
    };
    files.into_iter().map(test).collect()
}

fn test(name: String, path: PathBuf) -> Test {
    Test::new(name.clone(), move |config| {
        let case = match Case::load(&path, DEFAULT_MAPPINGS) {
            Ok(case) => case,
            Err(problem) => return Verdict::Fail(problem),
        };
        let is_emulated = !config.emulator.is_empty();
        let is_other = is_emulated || cfg!(not(target_arch = "x86_64"));
        if let Some(why) = case.not_checked.as_ref().filter(|_| is_checked(config)) {
            return Verdict::Skip(format!("not checked: {why}"));
        }
        match (&case.x86_64, &case.not_emulated) {
            (Some(why), _) if is_other => Verdict::Skip(format!("only for x86-64: {why}")),
            (_, Some(why)) if is_emulated => Verdict::Skip(format!("not emulated: {why}")),
            _ if is_emulated && case.with.iter().any(|f| is_cpp(f)) => {
                Verdict::Skip("C++ is not emulated".into())
            }
            _ => check(config, &name, &case, says_ok).into(),
        }
    })
}

/// Compiles and runs. `verdict` judges the output of a program with no expected output.
pub fn check(
    config: &Config,
    name: &str,
    case: &Case,
    verdict: fn(&Output) -> Result<(), String>,
) -> Result<(), String> {
    let scratch = config.scratch(name);
    let built = build(config, case, &scratch)?;
    if case.fail.is_some() {
        return Ok(());
    }
    for (mapping, seed) in runs(config, case) {
        let run = run_command(config, case, mapping, seed, &scratch);
        let output = run.run();
        judge(case, &output, verdict).map_err(|problem| {
            let log = transcript(&output);
            let again = format!("{} && {}", built.shown(&config.root), run.shown(&config.root));
            format!("[{mapping}] {problem}\n{log}again: {again}")
        })?;
    }
    let _ = std::fs::remove_dir_all(&scratch);
    Ok(())
}

/// Whether all programs are compiled with the checker of upcc.
fn is_checked(config: &Config) -> bool {
    config.flags.iter().any(|flag| flag == "-check")
}

/// In each mapping once, or once for each seed.
fn runs(config: &Config, case: &Case) -> Vec<(Mapping, usize)> {
    let seeds = match case.args.iter().any(|arg| arg.contains(SEED)) {
        true => config.count.unwrap_or(1),
        false => 1,
    };
    let with_seeds = |mapping| (1..=seeds).map(move |seed| (mapping, seed));
    mappings(config, case).into_iter().flat_map(with_seeds).collect()
}

/// Those of the case; under `--hosts`, those that have a process for each host, over the hosts.
fn mappings(config: &Config, case: &Case) -> Vec<Mapping> {
    let default = match (&config.mappings, case.names_mappings) {
        (Some(mappings), false) => mappings,
        _ => &case.mappings,
    };
    let list = default.iter().filter_map(|&mapping| match config.hosts {
        // The emulator of arm64 gives a clock no frequency, without which UCX connects nothing.
        None if mapping.hosts > 1 && !config.emulator.is_empty() => None,
        // The checker looks at programs on one host.
        None if mapping.hosts > 1 && is_checked(config) => None,
        None => Some(mapping),
        Some(_) if case.upcrun && mpi(config).is_some() => None,
        Some(hosts) if case.one_host || !mapping.is_on(hosts) => None,
        Some(hosts) => Some(Mapping { hosts, ..mapping }),
    });
    let list = in_turn(config, case, list.collect());
    list.into_iter().flat_map(|mapping| vec![mapping; case.repeat]).collect()
}

/// Which mapping is a program's first differs from program to program.
fn in_turn(config: &Config, case: &Case, list: Vec<Mapping>) -> Vec<Mapping> {
    let Some(turn) = config.turn else { return list };
    let name = case.path.strip_prefix(&config.root).unwrap_or(&case.path);
    let first: usize = name.to_string_lossy().bytes().map(usize::from).sum();
    list.get((first + turn) % list.len().max(1)).copied().into_iter().collect()
}

/// Compiles the case to `scratch/program`, or checks that it does not compile.
fn build(config: &Config, case: &Case, scratch: &Path) -> Result<Command, String> {
    let compile = compile_command(config, case, scratch)?;
    let output = compile.run();
    let expected = if case.fail.is_some() { 1 } else { 0 };
    let problem = match &output.end {
        End::Code(code) if *code == expected => diagnostics::compare(case, &output.stderr).err(),
        End::Code(0) => Some("compiles, and should not".to_string()),
        end => Some(format!("upcc: {end}")),
    };
    match problem {
        None => Ok(compile),
        Some(problem) => {
            let again = compile.shown(&config.root);
            Err(format!("{problem}\n{}again: {again}", transcript(&output)))
        }
    }
}

fn compile_command(config: &Config, case: &Case, scratch: &Path) -> Result<Command, String> {
    let mut sources = vec![case.path.clone()];
    for file in &case.with {
        sources.push(match is_cpp(file) {
            true => cpp_object(config, file, scratch)?,
            false => file.clone(),
        });
    }
    if case.separate {
        sources = separately(config, case, &sources, scratch)?;
    }
    let cpp = case.with.iter().any(|f| is_cpp(f));
    let compile = upcc(config, case).args(shown_all(config, &sources));
    let compile = compile.args(libraries(case)).args(cpp.then_some("-lstdc++"));
    Ok(compile.arg("-o").arg(scratch.join("program")))
}

/// `upcc` with the options of the case, run from the repository's root.
pub fn upcc(config: &Config, case: &Case) -> Command {
    let optimise = !case.flags.iter().chain(&config.flags).any(|f| f.starts_with("-O"));
    Command::new(&config.upcc, &config.root)
        .limit_secs(COMPILE_SECS)
        .args(optimise.then_some("-O1"))
        .args(case.static_threads.map(|n| format!("-T={n}")))
        .args(&config.flags)
        .args(case.flags.iter().filter(|f| !f.starts_with("-l")))
}

/// `-lm` and the like: they must follow what needs them.
pub fn libraries(case: &Case) -> impl Iterator<Item = &String> {
    case.flags.iter().filter(|f| f.starts_with("-l"))
}

fn separately(
    config: &Config,
    case: &Case,
    sources: &[PathBuf],
    scratch: &Path,
) -> Result<Vec<PathBuf>, String> {
    let mut objects = Vec::new();
    for (index, source) in sources.iter().enumerate() {
        let object = scratch.join(format!("{index}.o"));
        let compile = upcc(config, case).arg("-c").args(shown_all(config, [source]));
        run_or_say(config, compile.arg("-o").arg(&object))?;
        objects.push(object);
    }
    Ok(objects)
}

fn is_cpp(file: &Path) -> bool {
    file.extension().is_some_and(|e| e == "cc" || e == "cpp")
}

fn cpp_object(config: &Config, source: &Path, scratch: &Path) -> Result<PathBuf, String> {
    let object = scratch.join(source.with_extension("o").file_name().unwrap_or_default());
    run_or_say(
        config,
        Command::new("g++", &config.root).arg("-c").arg(source).arg("-o").arg(&object),
    )?;
    Ok(object)
}

/// Paths relative to the root, so that diagnostics and commands read the same everywhere.
fn shown_all<P: AsRef<Path>>(config: &Config, paths: impl IntoIterator<Item = P>) -> Vec<String> {
    paths.into_iter().map(|p| config.shown(p.as_ref())).collect()
}

/// `upcrun` for one mapping. In arguments and variables, `{dir}` is the folder of the test.
fn run_command(
    config: &Config,
    case: &Case,
    mapping: Mapping,
    seed: usize,
    scratch: &Path,
) -> Command {
    let (dir, seed) = (case.dir().display().to_string(), seed.to_string());
    let command =
        case.env.iter().fold(launch(config, mapping, scratch), |command, (name, value)| {
            command.env(name, value.replace("{dir}", &dir))
        });
    command
        .args(&config.emulator)
        .arg(scratch.join("program"))
        .args(case.args.iter().map(|a| a.replace("{dir}", &dir).replace(SEED, &seed)))
        .stdin(&case.stdin)
        .limit_secs(case.limit_secs * slowness(config, mapping))
}

/// How many times longer than usual a run may take.
fn slowness(config: &Config, mapping: Mapping) -> u64 {
    let over_hosts = if mapping.hosts > 1 { TIMES_OVER_HOSTS } else { 1 };
    let emulated = if config.emulator.is_empty() { 1 } else { TIMES_EMULATED };
    over_hosts * emulated
}

pub fn judge(
    case: &Case,
    output: &Output,
    verdict: impl Fn(&Output) -> Result<(), String>,
) -> Result<(), String> {
    let signalled = matches!(output.end, End::Signal(signal) if 128 + signal == case.exit);
    if output.end != End::Code(case.exit) && !signalled {
        return Err(match case.exit {
            0 => output.end.to_string(),
            code => format!("{}, expected {code}", output.end),
        });
    }
    if !output.left_behind.is_empty() {
        return Err(format!("left processes behind:\n{}", output.left_behind.join("\n")));
    }
    if let Some(missing) = case.stderr.iter().find(|text| !output.stderr.contains(text.as_str())) {
        return Err(format!("stderr does not say `{missing}`"));
    }
    match &case.stdout {
        Some(expected) => compare_output(case, expected, &output.stdout),
        None if case.exit != 0 || !case.stderr.is_empty() => Ok(()),
        None => verdict(output),
    }
}

fn compare_output(case: &Case, expected: &str, actual: &str) -> Result<(), String> {
    let order = |text: &str| -> String {
        let mut lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        if case.sort {
            lines.sort();
        }
        lines.iter().map(|line| format!("{line}\n")).collect()
    };
    let (expected, actual) = (order(expected), order(actual));
    match expected == actual {
        true => Ok(()),
        false => Err(format!("stdout differs {}", snapshot::diff(&expected, &actual))),
    }
}

/// It prints `ok`.
pub fn says_ok(output: &Output) -> Result<(), String> {
    match output.stdout.lines().any(|line| line.trim() == "ok") {
        true => Ok(()),
        false => Err("does not print `ok`".into()),
    }
}
