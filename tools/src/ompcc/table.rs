// SPDX-License-Identifier: BSD-3-Clause
//! ompcc's own options, and the words of its manual.

use crate::options::{row, Opt, Value};
use crate::options_doc::Manual;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Id {
    Lang,
    OneHost,
    Compiler,
    /// Listed for the reader; the compiler's own option does the work.
    Passed,
    Verbose,
    Version,
    Help,
    Man,
}

pub const TABLE: &[Opt<Id>] = &[
    row(
        &["-lang"],
        Value::Word("LANGUAGE"),
        "c, c++ or fortran: whose compiler to use (default: by the suffixes of the sources; C if \
         there are none)",
        Id::Lang,
    ),
    row(
        &["-one-host"],
        Value::None,
        "leave atomic operations and fences to the processor: faster, but the program cannot run \
         over several hosts",
        Id::OneHost,
    ),
    row(
        &["-cc"],
        Value::Equals("COMMAND"),
        "the compiler behind ompcc: some version of gcc, g++, gfortran or clang, which is told by its \
         name (default: $OMPCC_CC, $OMPCC_CXX or $OMPCC_FC, by the language)",
        Id::Compiler,
    ),
    row(
        &["-o", "-c", "-O", "-g", "-D", "-I", "-L", "-l"],
        Value::None,
        "as the compiler knows them; so is every option that is not listed here",
        Id::Passed,
    ),
    row(&["-v"], Value::None, "print the commands that are run", Id::Verbose),
    row(&["-version"], Value::None, "print the versions of ompcc and of the compiler", Id::Version),
    row(&["-help", "-h"], Value::None, "print this", Id::Help),
    row(&["-man"], Value::None, "", Id::Man),
];

pub const MANUAL: Manual = Manual {
    name: "ompcc",
    title: "compile OpenMP programs in C, C++ and Fortran for one host or several",
    synopsis: &["[options] FILE..."],
    description: "\
ompcc is gcc, g++ or gfortran, as the sources need, or clang, with -fopenmp and Furlong's runtime:

  ompcc -O3 prog.c -o prog
  omprun -t 8 ./prog           8 threads here
  omprun -N 4 -t 8 -hosts a,b,c,d ./prog

It takes the compiler's command line. In build systems it stands for all three, and links the libraries of C++ and Fortran to what needs them:

  make CC=ompcc CXX=ompcc FC=ompcc

Build systems that ask what compiler it is (CMake and Meson for Fortran, say) are told the language:

  cmake -B build -DCMAKE_C_COMPILER=ompcc '-DCMAKE_CXX_COMPILER=ompcc;--lang=c++' '-DCMAKE_Fortran_COMPILER=ompcc;--lang=fortran'
  CC=ompcc CXX='ompcc --lang=c++' FC='ompcc --lang=fortran' meson setup build

Atomic operations of a program over several hosts must not be instructions that only one host's processors know of. So they become calls of the runtime, in C and C++ also __sync_ functions, and so do flushes and fences. Instructions in asm statements, and libraries that ompcc has not compiled, are left as they are; omprun finds them, and says in which function they are. On other machines than x86-64 programs run on one host only, and ompcc compiles as with -one-host.
",
    sections: &[
        (
            "ENVIRONMENT",
            "\
OMPCC_FLAGS: options that stand before those of the command line.

OMPCC_CC, OMPCC_CXX, OMPCC_FC: the compilers behind ompcc, with options perhaps (default: gcc, g++, gfortran).
",
        ),
        (
            "EXIT STATUS",
            "\
The compiler's; 2 for wrong usage, 111 if the compiler cannot run or a part of Furlong is missing.
",
        ),
        ("SEE ALSO", "omprun(1), gcc(1), gfortran(1), and share/doc/furlong/docs/openmp-hosts.md\n"),
    ],
};
