// SPDX-License-Identifier: BSD-3-Clause
//! omprun's options, and the words of its manual.

use crate::launch::conduct::{self, Way};
use crate::launch::places::{self, Place};
use crate::options::{row, Opt, Value};
use crate::options_doc::{Manual, Print};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Id {
    Threads,
    Place(Place),
    Stats,
    InlineAtomics,
    Check,
    Conduct(Way),
}

const fn place(place: Place) -> Opt<Id> {
    places::row(place, Id::Place(place))
}

const fn conduct(way: Way) -> Opt<Id> {
    conduct::row(way, Id::Conduct(way))
}

pub const TABLE: &[Opt<Id>] = &[
    row(
        &["-t", "-threads"],
        Value::Any("N"),
        "run N threads on each host (default: $OMP_NUM_THREADS, else one for each CPU)",
        Id::Threads,
    ),
    place(Place::Nodes),
    place(Place::Hosts),
    place(Place::HostFile),
    place(Place::VirtualHosts),
    place(Place::Rsh),
    place(Place::RshTree),
    place(Place::ConnectTimeout),
    place(Place::Transport),
    place(Place::Interface),
    row(
        &["-stats"],
        Value::MayEqual("FORM"),
        "at the end, print for each host and in total what keeping memory coherent has cost: \
         messages, bytes, page faults, and so on; as a table, or as json",
        Id::Stats,
    ),
    row(
        &["-check"],
        Value::None,
        "over several hosts, report data races: variables that two hosts write in no order (R0321)",
        Id::Check,
    ),
    conduct(Way::BindThreads),
    conduct(Way::BindTo),
    conduct(Way::MapBy),
    conduct(Way::ReportBindings),
    row(
        &["-inline-atomics"],
        Value::None,
        "run over several hosts even what has atomic instructions",
        Id::InlineAtomics,
    ),
    conduct(Way::Polite),
    conduct(Way::Export),
    conduct(Way::Dir),
    conduct(Way::Timeout),
    conduct(Way::Tag),
    conduct(Way::Stamp),
    conduct(Way::Files),
    conduct(Way::Report),
    conduct(Way::JsonSummary),
    conduct(Way::Backtrace),
    conduct(Way::Quiet),
    conduct(Way::Verbose),
    conduct(Way::Show),
    conduct(Way::Agent),
    conduct(Way::Print(Print::Version)),
    conduct(Way::Print(Print::Help)),
    conduct(Way::Print(Print::Man)),
];

pub const MANUAL: Manual = Manual {
    name: "omprun",
    title: "run an OpenMP program on one host or several",
    synopsis: &["[options] PROGRAM [ARGUMENT...]"],
    description: "\
omprun runs an OpenMP program that ompcc compiled:

  omprun -t 8 ./prog                          8 threads here
  omprun -t 8 -hosts a,b,c,d ./prog           4 hosts, 8 threads on each
  omprun -t 2 -virtual-hosts 4 ./prog         the same, tried on this machine

On one host omprun sets OMP_NUM_THREADS, and the program runs as it is. Over several, each has a process. The program's main runs on the first; a parallel region has the threads of all hosts, which see the same globals, heap and stacks. What they print appears in whole lines; standard input is the first host's.

If a host or a thread fails, omprun ends the job on all hosts, says why, and leaves nothing behind.
",
    sections: &[
        (
            "HOSTS",
            "\
All hosts have the same number of threads, and need the same program and libraries; what upcrun(1) says of hosts is true here. OMP_NUM_THREADS may have several levels: omprun multiplies the first by the number of hosts, the others are regions' inside regions, which stay on their host.
",
        ),
        (
            "ATOMIC INSTRUCTIONS",
            "\
The processors of one host know nothing of those of another. A program, or a library of its own, in which omprun finds atomic instructions is refused over several hosts, with the name of a function that has one. Compile it with ompcc(1). With -inline-atomics it runs, and is right as long as only threads of one host meet there.
",
        ),
        (
            "ENVIRONMENT",
            "\
OMPRUN_FLAGS: options that stand before those of the command line, which so win over them.

OMP_NUM_THREADS: the default of -t.

UPC_NODES: the default of -N.

UPCRUN_RSH: the default of -rsh.

OMP_PLACES, OMP_PROC_BIND: what threads are bound to; they go before -bind-to and -map-by.

SLURM_JOB_NODELIST, PBS_NODEFILE: the hosts of -N when none are named.
",
        ),
        (
            "EXIT STATUS",
            "\
The program's; 1 after a fatal error of the runtime; 128 and the signal's number if a signal ended it.

omprun's own failures: 2 for wrong usage, 101 for an internal error, 111 if a system call failed or a host is lost, 124 after -timeout, 127 if the program is not found, cannot run, or cannot run over several hosts.
",
        ),
        (
            "SEE ALSO",
            "\
ompcc(1), upcrun(1), share/doc/furlong/docs/openmp-hosts.md, and share/doc/furlong/docs/env.md for the settings that programs read themselves
",
        ),
    ],
};
