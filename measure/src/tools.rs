// SPDX-License-Identifier: BSD-3-Clause
//! Measurements of the tools rather than of compiled code: what upcc costs beside gcc, and how
//! fast it translates.

use crate::config::Config;
use crate::launch::transcript;
use crate::process::Command;
use crate::report::Sample;
use std::fmt::Write;
use std::path::Path;

/// One round; files go to `dir`.
pub fn measure(config: &Config, name: &str, dir: &Path) -> Result<Sample, String> {
    let upcc = Command::new(&config.upcc, dir).limit_secs(120);
    match name {
        "compile" => {
            write(dir, "normal.c", &program(3_000))?;
            let options = ["-O2", "-c", "normal.c", "-o", "normal.o"];
            let ours = milliseconds(upcc.arg("-T=1").args(options))?;
            let reference = milliseconds(Command::new("gcc", dir).args(options))?;
            Ok(sample("compile", "ms", ours, Some(reference)))
        }
        "translate" => {
            write(dir, "big.i", &program(200_000))?;
            let translate = upcc.args(["-T=1", "-trans", "big.i", "-o", "big.trans.c"]);
            Ok(sample("translate", "s", milliseconds(translate)? / 1e3, None))
        }
        other => Err(format!("there is no measurement `@{other}`")),
    }
}

fn sample(name: &str, unit: &str, value: f64, reference: Option<f64>) -> Sample {
    Sample {
        name: name.into(),
        unit: unit.into(),
        value,
        median: value,
        reference,
        beside: "gcc".into(),
    }
}

fn write(dir: &Path, name: &str, text: &str) -> Result<(), String> {
    std::fs::write(dir.join(name), text).map_err(|e| format!("{name}: {e}"))
}

fn milliseconds(command: Command) -> Result<f64, String> {
    let output = command.run();
    match output.ok() {
        true => Ok(output.elapsed.as_secs_f64() * 1e3),
        false => Err(format!("{}\n{}", output.end, transcript(&output))),
    }
}

/// About `lines` lines of ordinary C: functions with loops, structures, calls and tables.
fn program(lines: usize) -> String {
    let mut text = String::from("struct item { int key; double weight; struct item *next; };\n");
    for n in 0..lines / 25 {
        let _ = write!(
            text,
            "static const int table_{n}[8] = {{1, 2, 3, 5, 8, 13, 21, {n}}};\n\
             \n\
             static double weigh_{n}(const struct item *list, int limit) {{\n\
             \x20   double sum = 0.0;\n\
             \x20   for (const struct item *it = list; it != 0; it = it->next) {{\n\
             \x20       if (it->key > limit && (it->key & 1) == 0) {{\n\
             \x20           sum += it->weight * table_{n}[it->key & 7];\n\
             \x20       }} else if (it->key == {n}) {{\n\
             \x20           sum -= (double)it->key / (1.0 + it->weight);\n\
             \x20       }} else {{\n\
             \x20           switch (it->key % 4) {{\n\
             \x20           case 0: sum += 1.5; break;\n\
             \x20           case 1: sum *= 0.5; break;\n\
             \x20           default: sum += (sum > 10.0) ? -1.0 : 1.0;\n\
             \x20           }}\n\
             \x20       }}\n\
             \x20   }}\n\
             \x20   return sum;\n\
             }}\n\
             \n\
             double total_{n}(struct item *items, int count) {{\n\
             \x20   for (int i = 0; i + 1 < count; i++) items[i].next = &items[i + 1];\n\
             \x20   return count > 0 ? weigh_{n}(items, {n} % 17) : 0.0;\n\
             }}\n\
             \n"
        );
    }
    text
}
