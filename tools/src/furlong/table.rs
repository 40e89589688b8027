// SPDX-License-Identifier: BSD-3-Clause
//! furlong's options, and the words of its manual.

use crate::options::{row, Opt, Value};
use crate::options_doc::Manual;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Id {
    Output,
    Full,
    Threads,
    Bytes,
    Operations,
    Rounds,
    Hosts,
    HostFile,
    VirtualHosts,
    Rsh,
    ConnectTimeout,
    Json,
    Quiet,
    Version,
    Help,
    Man,
}

pub const TABLE: &[Opt<Id>] = &[
    row(
        &["-o"],
        Value::Any("FILE"),
        "tune: write FILE (default: the one that programs use, see FILES); papers: write into this \
         folder (default: furlong-papers)",
        Id::Output,
    ),
    row(&["-full"], Value::None, "papers: measure in the papers' sizes: hours", Id::Full),
    row(
        &["-threads"],
        Value::Word("LIST"),
        "tune: measure with so many threads, as in 2,4,8 (default: powers of two up to 16, or twice the \
         number of CPUs)",
        Id::Threads,
    ),
    row(
        &["-bytes"],
        Value::Word("LIST"),
        "tune: measure blocks of these sizes, as in 8,1K,64K (default: 8 bytes to 1M)",
        Id::Bytes,
    ),
    row(
        &["-operations"],
        Value::Word("LIST"),
        "tune: measure these, as in broadcast,exchange (default: all)",
        Id::Operations,
    ),
    row(
        &["-rounds"],
        Value::Word("N"),
        "tune: measure everything N times, and take the best (default: 2)",
        Id::Rounds,
    ),
    row(
        &["-hosts"],
        Value::Word("LIST"),
        "tune: measure on these hosts as well, as upcrun -hosts would use them; doctor: examine them",
        Id::Hosts,
    ),
    row(&["-hostfile"], Value::Word("FILE"), "the same of the hosts that FILE names", Id::HostFile),
    row(
        &["-virtual-hosts"],
        Value::Word("N"),
        "tune: measure with this machine as N hosts as well",
        Id::VirtualHosts,
    ),
    row(
        &["-rsh"],
        Value::Word("COMMAND"),
        "doctor: what starts a command on the host whose name is added to it (default: $UPCRUN_RSH, \
         else 'ssh -x -o BatchMode=yes')",
        Id::Rsh,
    ),
    row(
        &["-connect-timeout"],
        Value::Word("SECONDS"),
        "doctor: how long a host may take to answer (default: 4.5)",
        Id::ConnectTimeout,
    ),
    row(&["-json"], Value::None, "info, doctor: print JSON", Id::Json),
    row(&["-q", "-quiet"], Value::None, "do not say how far it is", Id::Quiet),
    row(&["-version"], Value::None, "print the version", Id::Version),
    row(&["-help", "-h"], Value::None, "print this help", Id::Help),
    row(&["-man"], Value::None, "print the manual page", Id::Man),
];

pub const MANUAL: Manual = Manual {
    name: "furlong",
    title: "show what Furlong is here, examine the machine, measure it",
    synopsis: &[
        "info [options] [SECTION...]",
        "doctor [options] [CHECK...]",
        "tune [options]",
        "papers [options] [PAPER|MEASUREMENT...]",
        "report DIR [DIR]",
        "completion bash|zsh|fish",
        "gasnet-tree DIR",
        "lsp",
        "dap",
        "run [options of upcc and upcrun] prog.upc [ARGUMENT...]",
    ],
    description: "\
furlong info prints what this installation is: its version and folder, the compilers it was built with and those it uses, its transports and whether they can be loaded, the collective algorithms, its limits, and every setting with its value and where that is from. SECTIONs select: installation, compilers, transports, openmp, collectives, limits, settings. The settings of a job are those that upcrun's options after -- make:

  furlong info settings -- -n 4 -shared-heap 2GB

furlong doctor finds out whether programs can be compiled and run here, on one host and over several, and says what to do about what is wrong. Each check is a line that begins with ok, note (something is missing or slow that not everybody needs) or problem. With -hosts or -hostfile it also examines other hosts: whether they are reached without a question, have the same version, reach each other's ports, and agree about the time. CHECKs select: compilers, programs, memory, kernel, cpus, transports, launchers, hosts. A check that takes too long is given up and says so.

  furlong info transports settings
  furlong doctor
  furlong doctor -hosts a,b,c hosts

furlong tune measures in which way each collective operation is fastest: by what it waits for, the size of its blocks, the number of threads, and whether each has a CPU. It writes a table, which the user's programs go by from then on; or one that they go by if FURLONG_COLL_TABLE names it:

  furlong tune
  furlong tune -o my.table
  FURLONG_COLL_TABLE=$PWD/my.table upcrun -n 4 ./prog

Threads are measured as processes and as pthreads; the table has what is best for both together. Where several ways are about equally fast it has as few rules as it can. It takes some minutes, during which the machine should do nothing else. Without a table the runtime goes by one that is built in.

furlong papers measures what the papers measured that Furlong is made after, and makes a book of their figures, one page for a browser: the paper's numbers, those of this machine, what the same is in C or by another system, and what differs. It takes about 15 minutes, says how far it is, and keeps what was measured before; with a paper (as in zheng) or a measurement (as in apex) only those of its figures. What cannot be measured here, as without an MPI or OpenBLAS, is left out and says why. The programs are in share/furlong/bench:

  furlong papers
  furlong papers -o book zheng mixes
  furlong papers -full apex

furlong report makes the report of a folder that upcrun -report, or FURLONG_REPORT, has had a job record in (again): DIR/index.html, a page for a browser, DIR/report.json and traces for Perfetto and OTF2's readers. Of two folders it prints the times side by side, and the lines that differ most:

  FURLONG_REPORT=$PWD/run1 mpirun -n 4 ./prog
  furlong report run1
  furlong report run1 run2

furlong completion prints a script that has the shell complete the command lines of upcc, upcrun, ompcc, omprun and furlong. An installation has it where the shell looks; from elsewhere, as in bash:

  source <(furlong completion bash)

furlong gasnet-tree makes DIR look like the sources of GASNet and like a build and an installation of them, by links to lib/furlong/gasnet: runtimes that are written for GASNet-EX and build its sources, as UPC++ does, are pointed there. DIR/debug is the same with checks of arguments. share/doc/furlong/docs/gasnet.md says who looks for what:

  furlong gasnet-tree ~/gasnet
  make -C ~/gasnet install prefix=/opt/gasnet

furlong lsp is a language server: an editor starts it, and speaks the Language Server Protocol with it on standard input and output. It takes a source's options from the compile_commands.json of the folders above, else from the editor. What it answers, and how editors are told of it, is in share/doc/furlong/docs/editors.md.

furlong dap is a debug adapter: gdb, 14 or newer, which speaks the Debug Adapter Protocol with an editor on standard input and output, and knows shared objects and pointers-to-shared. It is attached to a process of a job that upcrun -freeze has started; share/doc/furlong/docs/debugging.md shows how.

furlong run compiles a program of one source, and runs it. Options before the source are upcrun's where it has them, and upcc's otherwise; words after it are the program's arguments. The program is kept, in furlong/run of XDG_CACHE_HOME or of .cache in HOME, and not compiled again until its source, its headers, the options or upcc change:

  furlong run -n 4 -O2 prog.upc 1000
",
    sections: &[
        (
            "FILES",
            "\
Programs look for a table in furlong/collectives.table of XDG_CONFIG_HOME, which is .config in HOME if it is not set; then in share/furlong/collectives.table where furlong is installed, for all users. On several hosts that of the first one counts. Its form is in share/doc/furlong/docs/collectives.md.
",
        ),
        (
            "EXIT STATUS",
            "\
0; 1 if the doctor finds a problem, or a measuring program fails; 2 for wrong usage; 111 if a file cannot be written; 127 if upcc or upcrun cannot run, or what GASNet's clients link is not installed. Both are those beside furlong.
",
        ),
        (
            "SEE ALSO",
            "upcc(1), upcrun(1), upc_collective(3), and share/doc/furlong/docs/doctor.md about each check\n",
        ),
    ],
};
