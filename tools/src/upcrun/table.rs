// SPDX-License-Identifier: BSD-3-Clause
//! upcrun's options, and the words of its manual.

use crate::launch::conduct::{self, Way};
use crate::launch::places::{self, Place};
use crate::options::{row, Opt, Value};
use crate::options_doc::{Manual, Print};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Id {
    Threads,
    Pthreads,
    Heap,
    Gdb,
    GdbArgs,
    Freeze,
    FreezeOnError,
    NoBacktrace,
    Info,
    PerHost,
    Place(Place),
    Trace,
    Stats,
    Conduct(Way),
    /// Accepted for the sake of old scripts, for there is nothing to be done.
    Ignored,
    /// Accepted for the sake of old scripts, with a remark that it does nothing.
    NoEffect,
}

const fn place(place: Place) -> Opt<Id> {
    places::row(place, Id::Place(place))
}

const fn conduct(way: Way) -> Opt<Id> {
    conduct::row(way, Id::Conduct(way))
}

pub const TABLE: &[Opt<Id>] = &[
    row(
        &["-n", "-np"],
        Value::Any("N"),
        "run N threads (default: $UPC_THREADS, else as the program was compiled, else the slots of \
         the hosts, else 1)",
        Id::Threads,
    ),
    row(
        &["-p", "-pthreads"],
        Value::Any("N"),
        "put N threads into each process, as pthreads (default: 1)",
        Id::Pthreads,
    ),
    place(Place::Hosts),
    row(&["-host"], Value::Word("LIST"), "", Id::Place(Place::Hosts)),
    place(Place::HostFile),
    row(&["-nodefile", "-machinefile"], Value::Word("FILE"), "", Id::Place(Place::HostFile)),
    place(Place::Nodes),
    row(&["-nodes"], Value::Word("N"), "", Id::Place(Place::Nodes)),
    row(&["-c"], Value::Any("N"), "put at most N threads on each host", Id::PerHost),
    row(&["-cpus-per-node"], Value::Word("N"), "", Id::PerHost),
    place(Place::VirtualHosts),
    place(Place::Rsh),
    place(Place::RshTree),
    place(Place::ConnectTimeout),
    place(Place::Transport),
    place(Place::Interface),
    conduct(Way::Export),
    conduct(Way::Dir),
    conduct(Way::Timeout),
    conduct(Way::Tag),
    conduct(Way::Stamp),
    conduct(Way::Files),
    row(
        &["-trace"],
        Value::None,
        "at the end, print the ten lines of the program that waited longest for other threads and \
         hosts",
        Id::Trace,
    ),
    row(
        &["-stats"],
        Value::MayEqual("FORM"),
        "at the end, print for each host and in total what threads have done with other hosts' \
         memory and waited for: operations, bytes and nanoseconds of each kind; as a table, or as \
         json",
        Id::Stats,
    ),
    conduct(Way::Report),
    conduct(Way::JsonSummary),
    conduct(Way::Agent),
    row(
        &["-shared-heap"],
        Value::Word("SIZE"),
        "the most shared memory per thread, for example 512MB or 4GB (default: no limit)",
        Id::Heap,
    ),
    row(&["-shared-heap-max"], Value::Word("SIZE"), "", Id::Heap),
    conduct(Way::BindThreads),
    conduct(Way::BindTo),
    conduct(Way::MapBy),
    conduct(Way::ReportBindings),
    conduct(Way::Polite),
    row(
        &["-gdb"],
        Value::Any("THREAD"),
        "run gdb in this terminal, attached to THREAD before its main",
        Id::Gdb,
    ),
    row(
        &["-gdb-args"],
        Value::Word("ARGUMENTS"),
        "further arguments of gdb, for example '-batch -x commands'",
        Id::GdbArgs,
    ),
    row(
        &["-freeze"],
        Value::MayEqual("THREAD"),
        "have THREAD (default: 0) wait for a debugger before its main, and print how to attach one",
        Id::Freeze,
    ),
    row(
        &["-freeze-on-error"],
        Value::None,
        "have a thread that fails wait for a debugger, and print how to attach one",
        Id::FreezeOnError,
    ),
    conduct(Way::Backtrace),
    row(&["-no-backtrace"], Value::None, "", Id::NoBacktrace),
    conduct(Way::Quiet),
    conduct(Way::Verbose),
    conduct(Way::Show),
    row(&["-t"], Value::None, "the same as -show", Id::Conduct(Way::Show)),
    row(
        &["-i", "-info"],
        Value::None,
        "print which transports there are, and how the program was compiled",
        Id::Info,
    ),
    conduct(Way::Print(Print::Version)),
    conduct(Way::Print(Print::Help)),
    conduct(Way::Print(Print::Man)),
    row(&["-norc", "-localhost", "-s"], Value::None, "", Id::Ignored),
    row(
        &["-abort", "-encode-args", "-encode-env", "-noencode-args"],
        Value::None,
        "",
        Id::NoEffect,
    ),
    row(
        &["-conf", "-heap-offset", "-pshm-width", "-tracefile", "-statsfile", "-tracemask"],
        Value::Word("VALUE"),
        "",
        Id::NoEffect,
    ),
    row(&["-statsmask"], Value::Word("VALUE"), "", Id::NoEffect),
];

pub const MANUAL: Manual = Manual {
    name: "upcrun",
    title: "run a UPC program that upcc compiled",
    synopsis: &["[options] PROGRAM [ARGUMENT...]"],
    description: "\
upcrun starts the threads of a UPC program and sees them to their end. The same program runs in every mapping of threads to processes:

  upcrun -n 8 ./prog         8 processes of 1 thread
  upcrun -n 8 -p 8 ./prog    1 process of 8 pthreads
  upcrun -n 8 -p 4 ./prog    2 processes of 4 pthreads

and on one host or several:

  upcrun -n 8 -hosts a,b ./prog           4 threads on each
  upcrun -n 8 -virtual-hosts 2 ./prog     the same with this machine as both

What the threads print appears in whole lines. Standard input goes to the process of thread 0. A program may stand behind a wrapper such as valgrind.

If a thread fails, upcrun ends the others, says on standard error which thread failed and why, and leaves nothing behind.
",
    sections: &[
        (
            "HOSTS",
            "\
Threads are dealt to hosts in order, evenly; if any host has a number of slots, until these are full. In an allocation of Slurm or PBS all of its hosts are used, their tasks being the slots (-hosts localhost stays here). On each host upcrun starts itself through ssh, or what -rsh names, which must ask no questions; program and folder must exist there too. More than 16 hosts are started through each other (-rsh-tree). upcrun listens on no port. The environment goes along, but for what belongs to a login, which -x exports. If a host does not answer, dies or falls silent, the job ends on all hosts within 5 seconds. share/doc/furlong/docs/hosts.md has more, with what the messages mean.
",
        ),
        (
            "DEBUGGING",
            "\
With -gdb, gdb gets the terminal and standard input, and stops thread THREAD where its main begins; the other threads wait for it at the start-up barrier. The job ends when gdb does. The commands upc print, upc whereis, upc thread and info upc know shared objects and pointers-to-shared; compile with upcc -g. A thread frozen by -freeze goes on when a debugger says upc start, or sets upc_process.frozen to 0, or when its process receives SIGCONT. docs/debugging.md shows a session.

The launcher kills no process that a debugger has stopped, unless it is itself told to end.
",
        ),
        (
            "ENVIRONMENT",
            "\
UPCRUN_FLAGS: options that stand before those of the command line, which so win over them. Blanks part them; quotes and backslashes keep them together, as in a shell. -v shows them.

UPC_THREADS, UPC_PTHREADS_PER_PROC, UPC_NODES, UPC_SHARED_HEAP_SIZE: defaults for -n, -p, -N and -shared-heap.

UPCRUN_RSH: the default of -rsh.

SLURM_JOB_NODELIST, SLURM_TASKS_PER_NODE, PBS_NODEFILE: the hosts and their slots when none are named.

UPCRUN_GDB: the debugger that -gdb and furlong dap start, with options (default: gdb).

UPC_BACKTRACE: 1 for -backtrace.

UPC_QUIET: if set, and not to 0 or no, the same as -q.

UPC_ENVPREFIX: without effect; the processes have the environment of upcrun.
",
        ),
        (
            "EXIT STATUS",
            "\
The largest status that a thread returned from main; n if a thread called exit(n) with n other than 0, or upc_global_exit(n); 1 after a fatal error of the runtime; 128 and the signal's number if a signal ended a thread or upcrun.

upcrun's own failures: 2 for wrong usage, 101 for an internal error, 111 if a system call failed or a host is lost, 124 after -timeout, 127 if the program is not found or cannot run.
",
        ),
        (
            "SEE ALSO",
            "\
upcc(1), gdb(1), and share/doc/furlong/docs/env.md for the settings that programs read themselves, such as UPC_STACK_SIZE and UPC_POLITE_SYNC
",
        ),
    ],
};
