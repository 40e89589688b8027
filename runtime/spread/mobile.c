/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether a program can tell on which host a thread is. A thread with the same number may be on
 * another host in the next region (omp/profit.h) if the program has no objects for each thread, and
 * calls nothing that keeps a state for a thread or a host: descriptors that only their host can
 * use, mappings of files, rounding modes, masks of signals, names of hosts. What is not known to be
 * without such a state counts as having one; but for some functions that programs call in main,
 * what counts is where they are called (state.c).
 */
#include "spread/inside.h"
#include "spread/objects.h"

#include <dlfcn.h>
#include <string.h>

/* Names, or what they begin with. Those of libm, and of functions that have an `f` or `l` for other
 * types, stand for these too. */
static const char *const stateless[] = {
    /* the OpenMP runtime and compilers */
    "GOMP_*", "__kmpc_*", "omp_*", "fl_omp_*", "__atomic_*", "__tsan_*", "__libc_start_main",
    "__cxa_finalize", "__cxa_atexit", "__gmon_start__", "_ITM_*", "__stack_chk_fail", "_Unwind_*",
    "__gxx_personality_v0", "__gcc_personality_v0", "__assert_fail", "__errno_location",
    /* memory and text */
    "malloc", "calloc", "realloc", "free", "posix_memalign", "aligned_alloc", "memalign", "mem*",
    "str*", "stpcpy", "stpncpy", "bcopy", "bzero", "ato*", "qsort", "bsearch", "abs", "labs", "div", "ldiv", "is*",
    "to*", "__ctype_*", "getenv", "exit", "abort", "rand", "srand", "random", "srandom", "rand_r",
    "drand48", "srand48", "erand48", "nrand48", "basename", "__xpg_basename", "dirname", "reg*",
    "optarg", "optind", "opterr", "optopt",
    /* time */
    "time", "clock", "clock_gettime", "gettimeofday", "times", "difftime", "usleep", "sleep",
    "nanosleep", "sched_yield", "localtime_r", "gmtime_r", "ctime_r", "asctime_r", "mktime",
    /* files, which are everybody's */
    "*printf", "*scanf", "*puts", "*gets", "*putc", "*getc", "fputc", "fgetc", "*putchar",
    "*getchar", "fopen*", "fclose", "fread", "fwrite", "fseek*", "ftell*", "fflush", "rewind",
    "feof", "ferror", "ungetc", "perror", "getline", "stdin", "stdout", "stderr", "popen", "pclose",
    "system", "remove", "rename", "unlink", "access", "stat*", "mkdir", "rmdir", "mktemp", "sysconf",
    "getcwd", "chdir", "fchdir", "umask", "setlocale",
    /* the libraries of C++ and Fortran */
    "_Z*", "__cxa_*", "__dynamic_cast", "_gfortran_*",
    /* libm */
    "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh",
    "atanh", "sincos", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "pow", "sqrt",
    "cbrt", "hypot", "fabs", "floor", "ceil", "round", "trunc", "rint", "nearbyint", "lrint",
    "lround", "llrint", "llround", "fmod", "remainder", "fmin", "fmax", "fma", "fdim", "modf",
    "frexp", "ldexp", "scalbn", "copysign", "erf", "erfc", "tgamma", "lgamma", "j0", "j1", "y0",
    "y1", "cabs", "cexp", "csqrt", "cpow", "clog", "carg", "conj", "creal", "cimag",
};

/* Exceptions from these: names that begin so. */
static const char *const stateful[] = {
    "__kmpc_threadprivate",    "omp_get_place", "omp_get_partition", "omp_display_affinity",
    "omp_capture_affinity",    "omp_set_affinity", "__cxa_thread",   "_ZNSt6thread",
    "_ZNSt6locale",            "_ZNKSt6locale", "_ZNSt10filesystem", "_ZNSt13random_device",
    "_gfortran_st_set_nml_var", "memfd",
};

/* And from those: copies of the global std::locale, as each stream has one. */
static const char *const of_streams[] = {
    "_ZNSt6localeC1Ev",    "_ZNSt6localeC2Ev",    "_ZNSt6localeD1Ev",    "_ZNSt6localeD2Ev",
    "_ZNSt6localeC1ERKS_", "_ZNSt6localeC2ERKS_", "_ZNSt6localeaSERKS_", "_ZNKSt6locale2id5_M_idEv",
};

/* In a pattern, `*` stands for anything, at one end. */
static bool matches(const char *name, const char *pattern) {
    size_t n = strlen(name), m = strlen(pattern);
    if (pattern[0] == '*') {
        return n >= m - 1 && strcmp(name + n - (m - 1), pattern + 1) == 0;
    }
    if (pattern[m - 1] == '*') {
        return strncmp(name, pattern, m - 1) == 0;
    }
    return strncmp(name, pattern, m) == 0 &&
           (n == m || (n == m + 1 && (name[m] == 'f' || name[m] == 'l')));
}

static bool is_stateless(const char *name) {
    for (size_t i = 0; i < sizeof of_streams / sizeof *of_streams; i++) {
        if (strcmp(name, of_streams[i]) == 0) {
            return true;
        }
    }
    for (size_t i = 0; i < sizeof stateful / sizeof *stateful; i++) {
        if (strncmp(name, stateful[i], strlen(stateful[i])) == 0) {
            return false;
        }
    }
    for (size_t i = 0; i < sizeof stateless / sizeof *stateless; i++) {
        if (matches(name, stateless[i])) {
            return true;
        }
    }
    return false;
}

/* Fortified programs call __memcpy_chk for memcpy. */
static bool is_checked_stateless(const char *name) {
    char plain[64];
    size_t n = strlen(name);
    if (n < 7 || n >= sizeof plain || strncmp(name, "__", 2) != 0 ||
        strcmp(name + n - 4, "_chk") != 0) {
        return false;
    }
    memcpy(plain, name + 2, n - 6);
    plain[n - 6] = 0;
    return is_stateless(plain);
}

static bool may_have_state(const char *name, const void *unused) {
    (void)unused;
    if (name[0] == 0 || fl_state_has(name) || is_stateless(name) || is_checked_stateless(name)) {
        return false;
    }
    const void *address = dlsym(RTLD_DEFAULT, name);
    return !address || fl_object_of(address) != FL_OBJECT_PROGRAM;
}

bool fl_omp_far_mobile(void) {
    return !fl_objects_have_tls() && !fl_objects_import_any(may_have_state, NULL);
}
