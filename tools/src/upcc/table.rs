// SPDX-License-Identifier: BSD-3-Clause
//! upcc's own options, and the words of its manual.

use super::command::Level;
use crate::options::{row, Opt, Value};
use crate::options_doc::Manual;
use furlong_compiler::emit::Inst;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Id {
    Threads,
    Network,
    Heap,
    Pthreads,
    Trans,
    SaveTemps,
    Output,
    CompileOnly,
    AssemblyOnly,
    PreprocessOnly,
    SyntaxOnly,
    ToCompiler,
    ToPreprocessor,
    ToLinker,
    BackEnd,
    Opt,
    Verbose,
    Version,
    Help,
    Man,
    Explain,
    Color,
    Format,
    Fix,
    NoColor,
    MissingInclude(Level),
    Silence,
    Remarks,
    /// Listed for the reader; the C compiler's own option does the work.
    Passed,
    NoPthreads,
    Inst(Inst),
    Check,
    LinkWith,
    IncludeDir,
    Features,
    Quiet,
    /// Accepted for the sake of old makefiles, for there is nothing to be done.
    Ignored,
    /// Accepted for the sake of old makefiles, with a remark that it does nothing.
    NoEffect,
}

pub const TABLE: &[Opt<Id>] = &[
    row(
        &["-T"],
        Value::Number("N"),
        "compile for N threads (static THREADS); without it the number is chosen when the \
         program is run",
        Id::Threads,
    ),
    row(&["-fupc-threads-"], Value::Rest("N"), "the same as -T=N", Id::Threads),
    row(&["-fupc-threads", "-qupc=threads"], Value::Equals("N"), "", Id::Threads),
    row(&["-X", "-fthreads"], Value::Number("N"), "", Id::Threads),
    row(&["-c"], Value::None, "compile to an object file, do not link", Id::CompileOnly),
    row(&["-o"], Value::Any("FILE"), "the name of the result", Id::Output),
    row(&["-S"], Value::None, "compile to assembly", Id::AssemblyOnly),
    row(&["-E"], Value::None, "preprocess only", Id::PreprocessOnly),
    row(&["-trans"], Value::None, "translate to C only: leaves x.trans.c", Id::Trans),
    row(&["-fsyntax-only"], Value::None, "check, and leave no file", Id::SyntaxOnly),
    row(
        &["-save-temps"],
        Value::None,
        "keep the preprocessed text (x.i) and the emitted C (x.trans.c)",
        Id::SaveTemps,
    ),
    row(
        &["-save-temps"],
        Value::Equals("WHERE"),
        "obj: in the folder of the result; cwd: in the current one, as without it",
        Id::SaveTemps,
    ),
    row(
        &["-network"],
        Value::Word("NET"),
        "smp: code for one host alone; any other: for one or several, the default",
        Id::Network,
    ),
    row(
        &["-shared-heap"],
        Value::Word("SIZE"),
        "the most shared memory per thread when the program is run without upcrun's option of \
         this name; for example 512MB or 4GB",
        Id::Heap,
    ),
    row(&["-shared-heap-max"], Value::Word("SIZE"), "", Id::Heap),
    row(
        &["-pthreads"],
        Value::MayEqual("N"),
        "make N pthreads in each process the default of upcrun -p; any program runs in any \
         mapping, but for those of -nopthreads",
        Id::Pthreads,
    ),
    row(
        &["-nopthreads"],
        Value::None,
        "one UPC thread in each process: threads that the program makes itself see its MYTHREAD and \
         private variables, and may use shared memory. Implied by -fopenmp, -fopenacc, \
         -ftree-parallelize-loops=N and, without -pthreads, by -pthread",
        Id::NoPthreads,
    ),
    row(
        &["-g"],
        Value::None,
        "compile for debuggers: gdb shows shared objects and pointers-to-shared (upcrun -gdb), and \
         the runtime looks for misuse of the library",
        Id::Passed,
    ),
    row(
        &["-O", "-D", "-U", "-I", "-L", "-l"],
        Value::None,
        "as the C compiler knows them; so is every option that is not listed here",
        Id::Passed,
    ),
    row(
        &["-inst"],
        Value::None,
        "let performance tools hear (GASP, man furlong_gasp) of accesses to other threads' memory, \
         barriers, and functions of the library",
        Id::Inst(Inst::Remote),
    ),
    row(
        &["-inst-local"],
        Value::None,
        "the same, and accesses to the thread's own shared memory",
        Id::Inst(Inst::All),
    ),
    row(
        &["-check"],
        Value::None,
        "find mistakes as the program runs: data races between threads, accesses outside shared \
         objects and to freed ones, locks and transfers used carelessly (docs/checking.md). On one \
         host, and several times slower",
        Id::Check,
    ),
    row(&["-opt"], Value::None, "optimise shared accesses even without -O", Id::Opt),
    row(
        &["-Wc,"],
        Value::Rest("FLAGS"),
        "hand FLAGS, which commas or blanks part, to the C compiler that reads emitted C",
        Id::ToCompiler,
    ),
    row(&["-Wp,"], Value::Rest("FLAGS"), "hand FLAGS to the preprocessor", Id::ToPreprocessor),
    row(&["-Wl,"], Value::Rest("FLAGS"), "hand FLAGS to the linker", Id::ToLinker),
    row(
        &["-cc"],
        Value::Equals("COMMAND"),
        "the C compiler behind upcc: gcc, clang or another that speaks GNU C (default: $UPCC_CC, \
         else gcc)",
        Id::BackEnd,
    ),
    row(
        &["-Wno-furlong-missing-include"],
        Value::None,
        "do not warn of names of the C library whose header only <upc.h> brings along; \
         -Werror=furlong-missing-include makes them errors",
        Id::MissingInclude(Level::Off),
    ),
    row(
        &["-Wfurlong-missing-include", "-Wno-error=furlong-missing-include"],
        Value::None,
        "",
        Id::MissingInclude(Level::Warning),
    ),
    row(
        &["-Werror=furlong-missing-include"],
        Value::None,
        "",
        Id::MissingInclude(Level::Error),
    ),
    row(
        &["-Wno-furlong-"],
        Value::Rest("CODE"),
        "do not give the warning with this code, such as W0508",
        Id::Silence,
    ),
    row(
        &["-Rfurlong"],
        Value::None,
        "say of each innermost loop over shared memory what is done about accesses to other hosts, and \
         why not more",
        Id::Remarks,
    ),
    row(
        &["-fdiagnostics-color"],
        Value::MayEqual("WHEN"),
        "colour messages: auto, always or never; NO_COLOR turns auto off",
        Id::Color,
    ),
    row(
        &["-fdiagnostics-format"],
        Value::Equals("FORM"),
        "the form of messages: text; json, as gcc writes it; sarif-stderr, SARIF 2.1.0; or \
         sarif-file, which leaves x.upc.sarif",
        Id::Format,
    ),
    row(
        &["-fix"],
        Value::None,
        "change the sources as diagnostics suggest where the change is certain, and say what was \
         changed; headers of the system and what macros make stay as they are",
        Id::Fix,
    ),
    row(&["-fno-diagnostics-color"], Value::None, "", Id::NoColor),
    row(
        &["-link-with"],
        Value::Equals("COMMAND"),
        "link with COMMAND instead of the C compiler, for example g++ or mpicc",
        Id::LinkWith,
    ),
    row(&["-quiet"], Value::None, "do not remark on options that have no effect", Id::Quiet),
    row(&["-v", "-verbose", "-vv"], Value::None, "print the commands that upcc runs", Id::Verbose),
    row(
        &["-version"],
        Value::None,
        "print the versions of upcc and of the C compiler, and what upcc supports",
        Id::Version,
    ),
    row(
        &["-print-features"],
        Value::None,
        "print version, ABI, C compiler and predefined macros, a NAME=VALUE in each line",
        Id::Features,
    ),
    row(
        &["-print-include-dir"],
        Value::None,
        "print the folder of the library's headers",
        Id::IncludeDir,
    ),
    row(
        &["-explain"],
        Value::Any("WHAT"),
        "explain a diagnostic, for example E0310, or a declaration, for example 'shared [4] int \
         *p': what is private or shared, how large, and (with -T=N, for N threads) on which \
         thread; - reads declarations from the standard input",
        Id::Explain,
    ),
    row(&["-help", "-h"], Value::None, "print this", Id::Help),
    row(&["-man"], Value::None, "", Id::Man),
    row(
        &["-norc", "-lines", "-nolines", "-bupc", "-uses-threads", "-extern-main", "-allow-warn"],
        Value::None,
        "",
        Id::Ignored,
    ),
    row(
        &["-uses-mpi", "-trace", "-stats"],
        Value::None,
        "",
        Id::NoEffect,
    ),
    row(
        &["-tv", "-compress", "-size-warn", "-nosize-warn", "-smart-output", "-nolink-cache"],
        Value::None,
        "",
        Id::NoEffect,
    ),
    row(&["-gupc", "-cupc", "-cupc2c"], Value::None, "", Id::NoEffect),
    row(&["-heap-offset", "-conf", "-translator"], Value::Equals("VALUE"), "", Id::NoEffect),
    row(&["-Wu,", "-Ww,"], Value::Rest("FLAG"), "", Id::NoEffect),
    row(&["-fupc-pthreads-per-process-"], Value::Rest("N"), "", Id::Pthreads),
    row(&["-fupc-", "-fno-upc-", "-dwarf-2-upc"], Value::Rest("WHAT"), "", Id::NoEffect),
    row(&["-hupc", "-qupc"], Value::None, "", Id::Ignored),
];

pub const MANUAL: Manual = Manual {
    name: "upcc",
    title: "compile Unified Parallel C (UPC 1.3), and C, for Furlong",
    synopsis: &["[options] FILE..."],
    description: "\
upcc compiles UPC programs. It takes the command line of a C compiler, and sources in UPC or C (.upc, .c), preprocessed sources (.i), assembly, objects and libraries; C++ sources go to the C++ compiler. Since UPC is a superset of C,

  make CC=upcc

builds an ordinary C project.

A program is run with upcrun(1), or by itself:

  upcc prog.upc -o prog
  upcrun -n 4 ./prog
",
    sections: &[
        (
            "ENVIRONMENT",
            "\
UPCC_FLAGS: options that stand before those of the command line, which so win over them. Blanks part them; quotes and backslashes keep them together, as in a shell. -v shows them.

UPCC_CC: the C compiler behind upcc.

NO_COLOR: messages without colour.
",
        ),
        (
            "EXIT STATUS",
            "\
0 if all is well, 1 if the program has errors, 2 for wrong usage, 101 for an internal error, 111 if a system call failed.
",
        ),
        ("SEE ALSO", "upcrun(1), gcc(1)"),
    ],
};
