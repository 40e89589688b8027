// SPDX-License-Identifier: BSD-3-Clause
//! Real C projects, fetched as Debian source packages into `build/projects`, built with
//! `CC=upcc` and tested with their own tests. Skipped where the sources cannot be had.

use crate::config::Config;
use crate::debian;
use crate::process::Command;
use crate::suite::{Test, Verdict};

struct Project {
    package: &'static str,
    /// Shell commands in the source folder, with `$UPCC` the compiler; all must succeed.
    build_and_test: &'static str,
}

const PROJECTS: &[Project] = &[
    Project {
        package: "zlib",
        build_and_test: "CC=\"$UPCC\" ./configure --static && make -j2 && make test",
    },
    Project { package: "bzip2", build_and_test: "make -j2 CC=\"$UPCC\" && make test CC=\"$UPCC\"" },
    Project {
        package: "lua5.4",
        // Debian's patches make Lua's own makefile ask for libtool; the sources need none.
        build_and_test: "cd src && rm -f luac.c && \
             echo '#define DEB_HOST_MULTIARCH \"lib\"' >lua5.4-deb-multiarch.h && \
             ls *.c | xargs -P2 -n1 \"$UPCC\" -std=gnu99 -O2 -DLUA_USE_LINUX -c && \
             \"$UPCC\" -Wl,-E *.o -lm -ldl -o lua && ./lua \"$ROOT/tests/plain-c/lua.lua\"",
    },
];

pub fn tests(config: &Config) -> Vec<Test> {
    let _ = config;
    let test = |project: &'static Project| {
        Test::new(format!("projects/{}", project.package), move |config| check(config, project))
    };
    PROJECTS.iter().map(test).collect()
}

fn check(config: &Config, project: &Project) -> Verdict {
    let source = match debian::source(&config.root.join("build/projects"), project.package) {
        Ok(source) => source,
        Err(why) => return Verdict::Skip(why),
    };
    let work = config.scratch(&format!("projects/{}", project.package));
    let script = format!("cp -r \"$SOURCE\"/. . && {{ {}; }}", project.build_and_test);
    let build = Command::new("sh", &work)
        .args(["-e", "-c", &script])
        .env("SOURCE", &source)
        .env("UPCC", &config.upcc)
        .env("ROOT", &config.root)
        .limit_secs(600);
    let output = build.run();
    if output.ok() {
        return Verdict::Pass;
    }
    let log = format!("{}{}", output.stdout, output.stderr);
    let tail: Vec<&str> = log.lines().rev().take(30).collect();
    let tail: Vec<&str> = tail.into_iter().rev().collect();
    Verdict::Fail(format!("{}\n{}\nsee {}", output.end, tail.join("\n"), config.shown(&work)))
}
