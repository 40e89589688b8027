// SPDX-License-Identifier: BSD-3-Clause
//! The harness's own measurements, of the tools rather than of compiled code: what upcc costs
//! beside gcc, how fast it translates, how fast upcrun starts.

use crate::config::Config;
use crate::process::Command;
use crate::program::transcript;
use std::fmt::Write;
use std::path::Path;

pub struct Subject {
    pub name: &'static str,
    command: Command,
    /// From seconds to the unit reported.
    scale: f64,
}

impl Subject {
    pub fn measure(&self) -> Result<f64, String> {
        let output = self.command.run();
        match output.ok() {
            true => Ok(output.elapsed.as_secs_f64() * self.scale),
            false => Err(format!("{}\n{}", output.end, transcript(&output))),
        }
    }
}

/// `path` is where the subject may write.
pub fn subject(config: &Config, name: &str, path: &Path) -> Result<Subject, String> {
    let dir = path.parent().unwrap_or(&config.root);
    let file = |name: &str, text: &str| {
        std::fs::write(dir.join(name), text).map_err(|e| format!("{name}: {e}"))
    };
    let upcc = Command::new(&config.upcc, dir).limit_secs(120);
    let (name, command, scale) = match name {
        "compile-upcc" => {
            file("normal.c", &program(3_000))?;
            ("compile", upcc.args(["-T=1", "-O2", "-c", "normal.c", "-o", "upcc.o"]), 1e3)
        }
        "compile-gcc" => {
            file("normal.c", &program(3_000))?;
            (
                "compile",
                Command::new("gcc", dir).args(["-O2", "-c", "normal.c", "-o", "gcc.o"]),
                1e3,
            )
        }
        "translate" => {
            file("big.i", &program(200_000))?;
            ("translate", upcc.args(["-T=1", "-trans", "big.i", "-o", "big.trans.c"]), 1.0)
        }
        "start" => {
            file("empty.upc", "int main(void) { return 0; }\n")?;
            let built = upcc.args(["-O2", "empty.upc", "-o", "empty"]).run();
            if !built.ok() {
                return Err(transcript(&built));
            }
            ("start", Command::new(&config.upcrun, dir).args(["-q", "-n", "2", "./empty"]), 1e3)
        }
        other => return Err(format!("there is no measurement `@{other}`")),
    };
    Ok(Subject { name, command, scale })
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
