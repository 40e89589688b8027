// SPDX-License-Identifier: BSD-3-Clause
//! Options of other launchers (mpirun of Open MPI and PRRTE, mpiexec of MPICH, srun, aprun), and
//! what leads to the same here.

use crate::options::Advice;

/// Names without their dashes that mean the same as an option of ours.
const SAME: &[(&[&str], &str)] = &[
    (&["tag-output", "prepend-rank", "label", "l"], "-tag"),
    (&["timestamp"], "-timestamp-output"),
    (&["host", "H", "nodelist", "w"], "-hosts"),
    (&["machinefile", "nodefile", "default-hostfile", "f"], "-hostfile"),
    (&["np", "ntasks"], "-n"),
    (&["ppn", "perhost", "npernode", "ntasks-per-node"], "-c"),
    (&["nodes", "num-nodes"], "-N"),
    (&["chdir", "D"], "-wdir"),
    (&["iface"], "-interface"),
    (&["display-map", "print-rank-map"], "-v"),
    (&["do-not-launch"], "-show"),
    (&["V"], "-version"),
];

/// What is so here without being asked for.
const ALWAYS: &[&str] = &[
    "oversubscribe",
    "overcommit",
    "O",
    "allow-run-as-root",
    "genvall",
    "kill-on-bad-exit",
    "K",
    "unbuffered",
    "u",
];

/// Names without their dashes, and what to say of them.
const HINTS: &[(&[&str], &str)] = &[
    (
        &["genv", "env", "genvlist", "envlist", "export"],
        "-x NAME=VALUE sets a variable; the rest of the environment goes along by itself",
    ),
    (
        &["mca", "prtemca", "gmca", "pmixmca", "am", "tune"],
        "-transport and -interface choose the network; `upcrun -info` lists the transports",
    ),
    (&["rank-by", "byslot", "bynode", "rr"], "threads are dealt to hosts in order; see -map-by"),
    (&["n", "np", "ntasks"], "-t N runs N threads on each host, and -N K on K hosts"),
    (
        &["c", "pernode", "ppn", "ntasks-per-node"],
        "-c K of upcrun, -t K of omprun are for each host",
    ),
    (&["bind-to-core", "bycore", "cpus-per-proc", "cpus-per-rank"], "see -bind-to and -map-by"),
    (&["bind-to-socket", "bysocket"], "see -bind-to and -map-by"),
    (&["cpus-per-task", "d", "depth"], "-p N puts N threads into each process"),
    (&["cpu-bind", "cc", "cpu-set", "binding"], "see -bind-to, -map-by and -report-bindings"),
    (
        &["configfile", "app", "multi-prog", "dpm"],
        "a job has one program, whose threads can branch by their numbers",
    ),
    (
        &["output", "error", "input", "o", "e", "outfile", "outfile-pattern", "errfile-pattern"],
        "the shell redirects output and input; -output-filename DIR has a file for each process",
    ),
    (&["time"], "-timeout SECONDS limits the job"),
    (&["partition", "account", "qos"], "options of Slurm belong to salloc or sbatch"),
    (&["xml", "xterm", "stdin"], "standard input goes to the process of thread 0"),
    (&["launcher", "bootstrap", "launcher-exec", "plm"], "-rsh COMMAND starts a command on a host"),
    (&["prefix", "path"], "the launcher is looked for at the same path on all hosts, then in PATH"),
    (&["preload-binary", "preload-files"], "the program must be on all hosts already"),
    (&["debug", "tv", "debugger"], "-gdb THREAD runs a debugger, -freeze waits for one"),
    (&["exclude", "relative"], "-hosts and -hostfile name the hosts of the job"),
];

/// What becomes of an option that is not in a launcher's table.
pub fn advice(option: &str) -> Advice {
    let name = option.trim_start_matches('-').split('=').next().unwrap_or_default();
    if ALWAYS.contains(&name) {
        return Advice::Nothing;
    }
    let same = SAME.iter().find(|(names, _)| names.contains(&name)).map(|(_, ours)| *ours);
    let hint = HINTS.iter().find(|(names, _)| names.contains(&name)).map(|(_, text)| *text);
    Advice::Other { same, hint }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_others_lead_to_ours() {
        let other = |same, hint| Advice::Other { same, hint };
        assert_eq!(advice("--tag-output"), other(Some("-tag"), None));
        assert_eq!(advice("-what"), other(None, None));
        assert_eq!(advice("--oversubscribe"), Advice::Nothing);
        let Advice::Other { hint: Some(hint), .. } = advice("--export=ALL") else { panic!() };
        assert!(hint.contains("-x NAME=VALUE"));
    }
}
