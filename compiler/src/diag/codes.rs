// SPDX-License-Identifier: BSD-3-Clause
//! The one list of diagnostic codes. `E01` syntax, `E03` declarations, `E04` expressions, `E05`
//! statements, `E09` limits and internal; `W` are warnings. Each has a page `docs/errors/<code>.md`.

macro_rules! codes {
    ($($code:ident $summary:literal)*) => {
        $(#[doc = $summary] pub const $code: &str = stringify!($code);)*
        /// Every code with its summary, ascending.
        pub const ALL: &[(&str, &str)] = &[$((stringify!($code), $summary)),*];
        /// The pages in the order of [`ALL`].
        const PAGES: &[&str] = &[$(include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"), "/../docs/errors/", stringify!($code), ".md"
        ))),*];
    };
}

/// The page about `code` (in either case), as `upcc --explain` prints it.
pub fn explain(code: &str) -> Option<&'static str> {
    let idx = ALL.iter().position(|(known, _)| known.eq_ignore_ascii_case(code))?;
    PAGES.get(idx).copied()
}

codes! {
    E0101 "a character or literal that C does not have, or that does not end"
    E0102 "something else was expected here"
    E0103 "nested too deeply"
    E0104 "a bracket is never closed"
    W0105 "a `#pragma upc` that is malformed or stands where it has no effect"
    E0106 "a statement of UPC before 1.1: `barrier`, `notify`, `wait`, `fence`, `forall`"
    W0107 "a name of the C library whose header is not included"
    W0108 "a macro named THREADS or MYTHREAD"
    W0109 "an `#if` that takes THREADS or MYTHREAD for 0"
    E0301 "both `strict` and `relaxed`"
    E0302 "`strict` or `relaxed` without `shared`"
    E0303 "two different block sizes"
    E0304 "a block size that is not an integer constant expression"
    E0305 "a block size that is negative or too large"
    E0306 "`[*]` in a pointer's declaration"
    E0307 "`[*]` in a typedef"
    E0308 "`[*]` without a complete array to divide"
    E0309 "a block size on `shared void`"
    E0310 "a shared object with automatic storage"
    E0311 "a shared member of a structure or union"
    E0312 "a shared parameter"
    E0313 "a function that is shared or returns a shared object"
    E0314 "a shared array of variable length"
    E0315 "a shared array whose dimensions must name THREADS exactly once"
    E0316 "THREADS in an array of indefinite block size"
    E0317 "`shared` where it cannot stand"
    E0318 "two declarations of one object or function whose shared types differ"
    E0320 "a shared array that is larger than any memory"
    E0321 "a shared object whose type is never completed"
    E0322 "a member of incomplete type"
    E0323 "a name that is declared twice, once for something shared"
    E0324 "a shared array of negative length"
    E0325 "an initialiser whose place in a shared array is not constant"
    E0326 "a private array of static storage whose length names THREADS"
    E0327 "THREADS or MYTHREAD where C wants a constant"
    W0326 "an initialiser that reads shared memory, or calls a function, before the program starts"
    W0319 "a dimension that is a multiple of THREADS, but not written as one"
    E0401 "a UPC size operator on something that is not shared"
    E0402 "a size operator on void, a function, an incomplete type or a bit-field"
    E0403 "arithmetic on `shared void *` or another incomplete type"
    E0404 "a pointer-to-shared and a pointer-to-local in one operator"
    E0405 "an order relation or difference of incomplete pointers-to-shared"
    E0406 "a comparison or difference of pointers-to-shared of different layout"
    E0407 "a private pointer or an integer becomes a pointer-to-shared"
    E0408 "a pointer-to-shared becomes a private pointer without a cast"
    E0409 "a pointer-to-shared changes its type or block size without a cast"
    E0410 "the address of a shared bit-field"
    E0411 "THREADS or MYTHREAD used as an object"
    E0412 "a cast to a shared type that is not a pointer"
    E0413 "an operator that pointers-to-shared do not have"
    E0414 "shared data as an operand of `asm`"
    E0415 "the size of an array parameter is in shared memory"
    E0416 "an atomic operation on a type that has none in shared memory"
    E0417 "a constant shared object is assigned to"
    E0418 "a shared structure or union has no such member"
    E0419 "a name of the UPC library whose header is not included"
    E0420 "a name that is not declared, but resembles one of UPC's"
    E0421 "the value of something of incomplete type"
    W0422 "a pointer-to-shared for `printf` or its like"
    W0423 "flags of a collective function that exclude each other"
    W0424 "the result of `upc_lock_attempt` is not used"
    W0425 "a constant index past the end of a shared array"
    W0426 "a function that is not declared, but resembles one of the UPC library"
    W0427 "memory of one thread behind a pointer that goes over the threads"
    W0428 "a copy of more bytes than one thread has of an array"
    W0429 "a number of bytes that is the number of elements"
    W0430 "shared memory that C's `free` is given"
    W0431 "a reduction by another type or block size than the array's"
    W0432 "the size of a pointer as a number of bytes"
    W0433 "an order or difference of pointers into two arrays"
    W0434 "an atomic operation that does not fit its domain"
    E0435 "a `_Generic` of shared types in which no type matches, or two are the same"
    E0501 "a barrier value that is not assignable to int"
    E0502 "a upc_forall affinity that is neither an integer nor a pointer-to-shared"
    E0503 "a upc_forall that OpenMP is to divide"
    E0504 "a shared object in a pragma of OpenMP's"
    E0505 "a machine that is not supported"
    W0506 "a barrier or a collective operation in a `upc_forall`"
    W0507 "a jump out of a `upc_forall`, or into one"
    W0508 "a collective operation that one thread alone reaches"
    W0509 "an affinity that is a value which the loop stores"
    W0510 "a statement that is taken as the value of the barrier on the line before"
    W0511 "a collective operation between `upc_notify` and `upc_wait`, or a `upc_wait` alone"
    W0512 "a private array that threads fill as if it were shared"
    W0513 "a private variable that one thread alone gives a value"
    W0514 "a collective operation while the thread holds a lock"
    W0515 "a lock or array of each thread's own that is used as one for all"
    W0516 "a loop that waits for another thread by relaxed reads"
    W0517 "a `upc_forall` without affinity that stores into shared memory"
    W0518 "a private pointer of another thread"
    W0519 "a `upc_forall` with an empty body"
    E0901 "an internal error of upcc"
}
