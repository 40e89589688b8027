// SPDX-License-Identifier: BSD-3-Clause
//! The documentation is true: every command that a page shows is run, what comes out is compared
//! with what the page shows, and every link leads somewhere. tests/README.md says how pages are
//! written for it.

mod diagnosed;
mod links;
mod manual;
mod markdown;
mod session;

use crate::config::Config;
use crate::process::{Command, End, Output};
use crate::suite::{Test, Verdict};
use markdown::Page;
use session::{Commands, Step, Typed};
use std::path::{Path, PathBuf};

pub use links::dead as dead_links;

/// Pages for people who use Furlong, and the quick commands for those who change it.
fn pages(config: &Config) -> Vec<String> {
    let folders = ["docs", "examples"];
    let below = |folder: &&str| {
        let folder = folder.to_string();
        let pages = links::pages(&config.root.join(&folder)).into_iter();
        pages.map(move |page| format!("{folder}/{page}")).collect::<Vec<_>>()
    };
    let top = ["README.md", "CONTRIBUTING.md"].map(String::from);
    top.into_iter().chain(folders.iter().flat_map(below)).chain(manual_pages(config)).collect()
}

fn manual_pages(config: &Config) -> Vec<String> {
    let entries = std::fs::read_dir(config.root.join("docs/man")).into_iter().flatten().flatten();
    let names = entries.map(|entry| format!("docs/man/{}", entry.file_name().to_string_lossy()));
    let mut pages: Vec<String> = names.collect();
    pages.sort();
    pages
}

fn steps(path: &Path) -> Result<Vec<Step>, String> {
    match path.extension().is_some_and(|extension| extension == "md") {
        true => Page::read(path).and_then(|page| session::steps(&page)),
        false => manual::steps(path),
    }
}

/// One test for each page, and one for each block in it that may be left out, so that it is
/// listed and counted with what is skipped.
pub fn tests(config: &Config) -> Vec<Test> {
    let mut tests =
        vec![Test::new("docs/installed-links", |config| installed_links(config).into())];
    for page in pages(config) {
        match steps(&config.root.join(&page)) {
            Ok(steps) => {
                tests.extend(steps.iter().filter_map(|step| left_out(&page, step)));
                tests.extend(programs(&page));
                if steps.iter().any(is_run) {
                    let name = test_name(&page);
                    let body = move |config: &Config| follow(config, &page, &steps).into();
                    tests.push(Test::new(name, body));
                }
            }
            Err(problem) => {
                let body = move |_: &Config| Verdict::Fail(problem);
                tests.push(Test::new(test_name(&page), body));
            }
        }
    }
    tests
}

/// `docs/guide`, `docs/examples/README`
fn test_name(page: &str) -> String {
    format!("docs/{}", page.trim_start_matches("docs/").trim_end_matches(".md"))
}

/// The programs of a page about a diagnostic.
fn programs(page: &str) -> Option<Test> {
    let (page, code) = (page.to_string(), diagnosed::code(page)?.to_string());
    Some(Test::new(test_name(&page) + "/programs", move |config| {
        diagnosed::check(config, &page, &code).into()
    }))
}

fn is_run(step: &Step) -> bool {
    matches!(step, Step::Commands(block) if block.not_run.is_none())
}

/// `docs/hosts.md:30`: skipped, with the reason.
fn left_out(page: &str, step: &Step) -> Option<Test> {
    let Step::Commands(block) = step else { return None };
    let (why, needs) = (block.not_run.clone(), block.needs.clone());
    if why.is_none() && needs.is_none() {
        return None;
    }
    let name = format!("{}:{}", test_name(page), block.line);
    Some(Test::new(name.clone(), move |config| match (why, needs) {
        (Some(why), _) => Verdict::Skip(why),
        (None, Some(needs)) if !works(config, &config.scratch(&name), &needs) => {
            Verdict::Skip(format!("this machine lacks what it needs: {needs}"))
        }
        _ => Verdict::Pass,
    }))
}

/// Does what the page has its reader do.
fn follow(config: &Config, page: &str, steps: &[Step]) -> Result<(), String> {
    let dir = config.scratch(&test_name(page));
    for step in steps {
        match step {
            Step::File(name, text) => {
                std::fs::write(dir.join(name), text).map_err(|e| format!("{name}: {e}"))?;
            }
            Step::Copy(from, to) => {
                let copied = std::fs::copy(config.root.join(from), dir.join(to));
                copied.map_err(|e| format!("{from}: {e}"))?;
            }
            Step::Commands(block) => {
                let missing = |needs: &String| !works(config, &dir, needs);
                if block.not_run.is_some() || block.needs.as_ref().is_some_and(missing) {
                    continue;
                }
                for typed in &block.list {
                    run(config, &dir, block, typed).map_err(|problem| {
                        let dir = config.shown(&dir);
                        format!("{page}:{}: {}\n{problem}\nin {dir}", typed.line, typed.command)
                    })?;
                }
            }
        }
    }
    Ok(())
}

fn run(config: &Config, dir: &Path, block: &Commands, typed: &Typed) -> Result<(), String> {
    let output = shell(config, dir, &typed.command).stdin(&typed.stdin).run();
    if output.end != End::Code(block.exit) {
        return Err(format!("{}, expected {}\n{}", output.end, block.exit, output.stdout));
    }
    if !output.left_behind.is_empty() {
        return Err(format!("left processes behind:\n{}", output.left_behind.join("\n")));
    }
    match &typed.shown {
        Some(shown) => session::compare(shown, &output.stdout, block.vary),
        None => quiet(&output),
    }
}

/// Where the page shows no output, there may be some, but nothing that is a complaint of ours.
fn quiet(output: &Output) -> Result<(), String> {
    const COMPLAINTS: [&str; 4] = ["warning: ", "warning[", "error: ", "error["];
    let complaint = |line: &&str| COMPLAINTS.iter().any(|word| line.contains(word));
    match output.stdout.lines().find(complaint) {
        Some(line) => Err(format!("says `{line}`, which the page does not show")),
        None => Ok(()),
    }
}

fn works(config: &Config, dir: &Path, command: &str) -> bool {
    shell(config, dir, command).run().ok()
}

/// Both streams are one, as on a terminal. Every host that `ssh` is asked for is this machine,
/// and `$PREFIX` is where the tools are; mpirun has its own opinion of roots and of few CPUs.
fn shell(config: &Config, dir: &Path, line: &str) -> Command {
    let tools = config.upcc.parent().unwrap_or(&config.root);
    let path = std::env::var("PATH").unwrap_or_default();
    let stand_ins = config.root.join("tests/docs/bin");
    let path = format!("{}:{}:{path}", tools.display(), stand_ins.display());
    Command::new("sh", dir)
        .args(["-c", &format!("exec 2>&1\n{line}")])
        .env("PATH", path)
        .env("PREFIX", tools.parent().unwrap_or(&config.root))
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
        .env("OMPI_MCA_rmaps_base_oversubscribe", "1")
        .env("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe")
}

/// Where the pages are installed, all that they link to is too.
fn installed_links(config: &Config) -> Result<(), String> {
    let folder = installed(config);
    let pages = links::pages(&folder);
    if pages.is_empty() {
        return Err(format!("there are no pages in {}", config.shown(&folder)));
    }
    let problems: Vec<String> = pages.iter().flat_map(|page| links::dead(&folder, page)).collect();
    match problems.is_empty() {
        true => Ok(()),
        false => Err(problems.join("\n")),
    }
}

fn installed(config: &Config) -> PathBuf {
    let root = config.upcc.parent().and_then(Path::parent).unwrap_or(&config.root);
    root.join("share/doc/furlong")
}
