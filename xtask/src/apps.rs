// SPDX-License-Identifier: BSD-3-Clause
//! Measured programs as tests: what `check` of bench.toml names runs once, in the size that its
//! source has by default, and says by its exit code whether its result is right.

use crate::config::Config;
use crate::process::Command;
use crate::program;
use crate::suite::{Test, Verdict};
use furlong_measure::bench;
use furlong_measure::mapping::Mapping;
use furlong_measure::plan::{self, Program};

/// `bench/apps/npb/ep.upc`: in all its builds, and the programs beside it.
pub fn tests(config: &Config) -> Vec<Test> {
    match plan::load(&config.root.join("bench")) {
        Ok(plan) => plan.programs.into_iter().filter(|p| !p.check.is_empty()).map(test).collect(),
        Err(problem) => vec![Test::new("bench/bench.toml", |_| Verdict::Fail(problem))],
    }
}

fn test(program: Program) -> Test {
    let name = format!("bench/{}", program.label());
    Test::new(name.clone(), move |config| {
        if !config.emulator.is_empty() {
            return Verdict::Skip("measured programs are not emulated".into());
        }
        match program::lacks(config, &name, &program.needs) {
            Some(why) => Verdict::Skip(why),
            None => check(config, &program).into(),
        }
    })
}

fn check(config: &Config, program: &Program) -> Result<(), String> {
    let scratch = bench::scratch(config, "check", program);
    for (binary, _) in bench::binaries(config, program, &[], &scratch)? {
        for mapping in &program.check {
            let launch = program::launch(config, *mapping, &scratch);
            run(config, program, launch.arg(&binary).args(&program.args))?;
        }
    }
    // Processes that share a CPU take turns by the clock with some of the peers.
    let cpus = bench::pinned(usize::MAX).len() as u32;
    let most = program.check.iter().map(|m| m.threads()).max().unwrap_or(1).min(cpus);
    for peer in bench::peers(config, program, &[], &scratch)? {
        run(config, program, peer.command(Mapping::on_one_host(most), &program.args))?;
    }
    let _ = std::fs::remove_dir_all(&scratch);
    Ok(())
}

fn run(config: &Config, program: &Program, command: Command) -> Result<(), String> {
    let command = command.limit_secs(program.limit_secs);
    match bench::samples(&bench::run_one(config, &command)?).is_empty() {
        true => Err(format!("measures nothing\nagain: {}", command.shown(&config.root))),
        false => Ok(()),
    }
}
