// SPDX-License-Identifier: BSD-3-Clause
//! Options of other launchers (mpirun of Open MPI and PRRTE, mpiexec of MPICH, srun, aprun), and
//! what leads to the same here.

use crate::options::Advice;

use Meaning::{Always, Hint, Same};

#[derive(Clone, Copy)]
enum Meaning {
    /// An option of ours.
    Same(&'static str),
    /// What is so here without being asked for.
    Always,
    /// What to say where the launcher has no option that means the same.
    Hint(&'static str),
}

const SLURM: &str =
    "options of Slurm belong to salloc or sbatch, whose hosts are used without being named";
const BIND: &str = "see -bind-to, -map-by and -report-bindings";
const VARIABLES: &str =
    "-x NAME=VALUE sets a variable; the rest of the environment goes along by itself";
const REDIRECT: &str = "the shell redirects output and input; -output-filename DIR has a file for \
    each process, -tag and -timestamp-output label lines";
const FAILURE: &str = "a thread that fails ends the job; the message says which, and why";
const DAEMONS: &str = "a job has no daemons of its own that this could be about: leave it out";

/// Names without their dashes. A name that is in two rows has a hint for launchers without the
/// option of the other.
const TABLE: &[(&[&str], Meaning)] = &[
    (&["tag-output", "prepend-rank", "label", "l"], Same("-tag")),
    (&["timestamp"], Same("-timestamp-output")),
    (&["output-directory"], Same("-output-filename")),
    (&["host", "H", "nodelist", "node-list", "w"], Same("-hosts")),
    (&["machinefile", "nodefile", "default-hostfile", "machine", "f"], Same("-hostfile")),
    (&["np", "ntasks"], Same("-n")),
    (&["ppn", "perhost", "npernode", "ntasks-per-node"], Same("-c")),
    (&["nodes", "num-nodes"], Same("-N")),
    (&["chdir", "D"], Same("-wdir")),
    (&["iface"], Same("-interface")),
    (&["display-map", "display-devel-map", "print-rank-map", "procinfo", "vvv"], Same("-v")),
    (&["do-not-launch", "test-only"], Same("-show")),
    (&["Q"], Same("-q")),
    (&["V"], Same("-version")),
    (&["oversubscribe", "overcommit", "O", "overlap", "allow-run-as-root"], Always),
    (&["genvall", "envall"], Always),
    (&["kill-on-bad-exit", "K", "disable-recovery", "report-state-on-timeout"], Always),
    (&["unbuffered", "u", "line-buffer", "line-buffered"], Always),
    (&["leave-session-attached", "noprefix", "novm", "X", "disable-status"], Always),
    (
        &["genv", "env", "genvlist", "envlist", "export", "export-file", "env-alias"],
        Hint(VARIABLES),
    ),
    (
        &["genvnone", "envnone", "env-none"],
        Hint("the environment goes along; `env -u NAME` before the launcher takes a variable out"),
    ),
    (
        &["mca", "prtemca", "gmca", "pmixmca", "am", "tune"],
        Hint("-transport and -interface choose the network; `upcrun -info` lists the transports"),
    ),
    (
        &["rank-by", "byslot", "bynode", "rr", "distribution", "m", "order-nodes", "use-min-nodes"],
        Hint("threads are dealt to hosts in order; see -map-by, -N and -c"),
    ),
    (&["n", "np", "ntasks"], Hint("-t N runs N threads on each host, and -N K on K hosts")),
    (
        &["c", "pernode", "ppn", "ntasks-per-node"],
        Hint("-c K of upcrun, -t K of omprun are for each host"),
    ),
    (&["cpus-per-task", "d", "depth"], Hint("-p N puts N threads into each process")),
    (
        &["nooversubscribe", "no-oversubscribe", "soft", "usize"],
        Hint("-n N runs N threads in any case"),
    ),
    (&["bind-to-core", "bycore", "cpus-per-proc", "cpus-per-rank"], Hint(BIND)),
    (
        &["bind-to-socket", "bysocket", "npersocket", "ntasks-per-socket", "ntasks-per-core"],
        Hint(BIND),
    ),
    (
        &["cpu-bind", "cpu_bind", "cc", "cpu-set", "cpu-list", "binding", "rankfile", "rf"],
        Hint(BIND),
    ),
    (&["use-hwthread-cpus", "use-hwthreads-as-cpus", "threads-per-core", "hint", "j"], Hint(BIND)),
    (
        &["S", "sn", "sl", "ss", "mem-bind", "membind", "accel-bind", "gpu-bind", "topolib"],
        Hint(BIND),
    ),
    (
        &["display", "display-allocation", "display-topo"],
        Hint("-v prints where threads run, -report-bindings what they are bound to"),
    ),
    (
        &[
            "configfile",
            "app",
            "multi-prog",
            "dpm",
            "het-group",
            "pack-group",
            "index-argv-by-rank",
        ],
        Hint("a job has one program, whose threads can branch by their numbers"),
    ),
    (
        &["output", "error", "input", "o", "e", "outfile", "outfile-pattern", "errfile-pattern"],
        Hint(REDIRECT),
    ),
    (
        &["prepend-pattern", "open-mode", "output-proctable", "output-filename:nocopy"],
        Hint(REDIRECT),
    ),
    (&["merge-stderr-to-stdout"], Hint("`2>&1` of the shell does that")),
    (&["stream-buffering"], Hint("output appears in whole lines")),
    (&["time", "W", "wait"], Hint("-timeout SECONDS limits the job")),
    (
        &["get-stack-traces"],
        Hint("-timeout prints where each thread is, -backtrace why one has failed"),
    ),
    (&["enable-recovery", "continuous", "max-restarts", "with-ft", "no-kill", "k"], Hint(FAILURE)),
    (
        &["disable-auto-cleanup", "no-abort-on-failure", "print-all-exitcodes", "exitinfo"],
        Hint(FAILURE),
    ),
    (&["partition", "account", "A", "qos", "job-name", "J", "jobid", "reservation"], Hint(SLURM)),
    (&["exclusive", "exact", "mem", "mem-per-cpu", "mem-per-gpu", "constraint", "C"], Hint(SLURM)),
    (&["gres", "gpus", "G", "gpus-per-task", "gpus-per-node", "gpus-per-proc"], Hint(SLURM)),
    (&["begin", "deadline", "dependency", "immediate", "I", "signal", "mail-type"], Hint(SLURM)),
    (&["comment", "licenses", "priority", "contiguous", "spread-job", "switches"], Hint(SLURM)),
    (&["clusters", "M", "resv-ports", "acctg-freq", "profile", "tmp", "nice", "F"], Hint(SLURM)),
    (
        &["mpi", "pmi", "pmi-port", "rmk"],
        Hint("processes need no PMI here; `srun --mpi=pmix PROGRAM` starts them without upcrun"),
    ),
    (
        &["prolog", "epilog", "task-prolog", "task-epilog"],
        Hint("the program may stand behind a wrapper, as in `upcrun sh wrapper.sh PROGRAM`"),
    ),
    (&["propagate", "rlimits"], Hint("the limits on a host are those of a login there")),
    (
        &["xml", "xterm", "stdin", "pty"],
        Hint("standard input goes to the process of thread 0; -gdb gives a debugger the terminal"),
    ),
    (
        &[
            "launcher",
            "bootstrap",
            "launcher-exec",
            "plm",
            "rsh-agent",
            "launch-agent",
            "exec-agent",
        ],
        Hint("-rsh COMMAND starts a command on a host"),
    ),
    (
        &["prefix", "path"],
        Hint("the launcher is looked for at the same path on all hosts, then in PATH"),
    ),
    (
        &["preload-binary", "preload-files", "bcast", "set-cwd-to-session-dir"],
        Hint("the program must be on all hosts already"),
    ),
    (&["debug", "tv", "debugger"], Hint("-gdb THREAD runs a debugger, -freeze waits for one")),
    (
        &["exclude", "relative", "r", "nolocal", "skip-launch-node", "L"],
        Hint("-hosts and -hostfile name the hosts of the job"),
    ),
    (&["forward-signals"], Hint("SIGUSR1 and SIGUSR2 go to all processes by themselves")),
    (
        &["report-pid", "report-uri", "ompi-server", "nameserver", "hnp", "dvm", "pset"],
        Hint(DAEMONS),
    ),
    (&["personality", "staged", "fwd-mpirun-port", "do-not-resolve", "demux"], Hint(DAEMONS)),
    (
        &["daemonize", "show-progress", "runtime-options", "slurmd-debug", "debug-level"],
        Hint(DAEMONS),
    ),
    (&["parsable", "parseable", "disable-hostname-propagation"], Hint(DAEMONS)),
];

/// What becomes of an option that is not in a launcher's table.
pub fn advice(option: &str) -> Advice {
    let name = option.trim_start_matches('-').split('=').next().unwrap_or_default();
    let (mut same, mut hint) = (None, None);
    for (_, meaning) in TABLE.iter().filter(|(names, _)| names.contains(&name)) {
        match meaning {
            Always => return Advice::Nothing,
            Same(ours) => same = Some(*ours),
            Hint(text) => hint = Some(*text),
        }
    }
    Advice::Other { same, hint }
}

/// Without the modifiers that Open MPI allows after a place of -map-by and -bind-to, where they ask
/// for what is so here.
pub fn without_modifiers(value: &str) -> &str {
    match value.split_once(':') {
        Some((place, modifiers)) if modifiers.split(',').all(is_always) => place,
        _ => value,
    }
}

fn is_always(modifier: &str) -> bool {
    let always = ["oversubscribe", "overload-allowed", "if-supported", "inherit", "noinherit"];
    always.iter().any(|name| name.eq_ignore_ascii_case(modifier))
}

/// What to use in place of a modifier or policy of Open MPI's.
pub fn place_hint(value: &str) -> &'static str {
    match value.to_ascii_lowercase() {
        value if value.starts_with("ppr:") => "; -c K puts K threads on each host",
        value if value.contains(":pe=") => "; -bind-to share gives each thread several CPUs",
        _ => "",
    }
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
        let two = advice("-np");
        assert!(matches!(two, Advice::Other { same: Some("-n"), hint: Some(_) }), "{two:?}");
    }

    #[test]
    fn a_name_has_one_meaning_and_at_most_one_hint() {
        let mut seen = std::collections::HashSet::new();
        for (names, meaning) in TABLE {
            for name in *names {
                assert!(seen.insert((name, matches!(meaning, Hint(_)))), "{name}");
            }
        }
    }

    #[test]
    fn modifiers_that_ask_for_what_is_so_are_left_out() {
        assert_eq!(without_modifiers("node:OVERSUBSCRIBE"), "node");
        assert_eq!(without_modifiers("core:overload-allowed,if-supported"), "core");
        assert_eq!(without_modifiers("socket:PE=2"), "socket:PE=2");
        assert!(place_hint("ppr:2:node").contains("-c K"));
    }
}
