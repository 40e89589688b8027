// SPDX-License-Identifier: BSD-3-Clause
//! Headers of C that a UPC program relies on without including them: Berkeley UPC's <upc.h> brings
//! them along. Whether they are then included is the driver's business (furlong/missing.h).

use crate::diag::fix::Edit;
use crate::diag::{codes, Diagnostic};
use crate::syntax::ast::{Ast, Ident, Item};

/// A header that is used and not included.
#[derive(Clone, Debug)]
pub struct Missing {
    /// `stdlib.h`
    pub header: &'static str,
    /// The remark about it, at the first use of one of its names.
    pub remark: Diagnostic,
}

/// Headers, each with those of its names that programs use.
const HEADERS: &[(&str, &str)] = &[
    (
        "stdlib.h",
        "malloc calloc realloc free exit abort atexit atoi atol atoll atof strtol strtoul strtoll \
         strtoull strtod rand srand rand_r random srandom drand48 srand48 lrand48 erand48 qsort \
         bsearch getenv setenv system abs labs llabs posix_memalign EXIT_SUCCESS EXIT_FAILURE \
         RAND_MAX",
    ),
    ("assert.h", "assert"),
    (
        "inttypes.h",
        "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t \
         intmax_t uintmax_t INT8_MAX INT16_MAX INT32_MAX INT64_MAX INT32_MIN INT64_MIN UINT8_MAX \
         UINT16_MAX UINT32_MAX UINT64_MAX SIZE_MAX INT64_C UINT64_C PRId32 PRId64 PRIi64 PRIu32 \
         PRIu64 PRIx32 PRIx64 PRIX64 PRIdPTR PRIuPTR PRIxPTR SCNd32 SCNd64 SCNi64 SCNu32 SCNu64 \
         SCNx64",
    ),
    ("stddef.h", "size_t ptrdiff_t NULL offsetof"),
    (
        "limits.h",
        "CHAR_BIT CHAR_MIN CHAR_MAX SCHAR_MIN SCHAR_MAX UCHAR_MAX SHRT_MIN SHRT_MAX USHRT_MAX \
         INT_MIN INT_MAX UINT_MAX LONG_MIN LONG_MAX ULONG_MAX LLONG_MIN LLONG_MAX ULLONG_MAX \
         PATH_MAX",
    ),
    ("sys/param.h", "MIN MAX"),
    (
        "stdio.h",
        "FILE stdin stdout stderr EOF printf fprintf sprintf snprintf vprintf vfprintf scanf \
         fscanf sscanf puts fputs putchar fopen fclose fflush fgets fread fwrite perror",
    ),
    (
        "string.h",
        "memcpy memmove memset memcmp strlen strcpy strncpy strcat strncat strcmp strncmp strchr \
         strrchr strstr strtok strdup strerror",
    ),
];

/// Those that the unit lacks, if it includes <upc.h>; but no header that would meet names of the
/// program's own.
pub fn headers(ast: &Ast) -> Vec<Missing> {
    let includes_upc = ast.lines.files.iter().any(|f| f.is_system && f.name.ends_with("/upc.h"));
    if !includes_upc || ast.undeclared.is_empty() {
        return Vec::new();
    }
    let is_user = |ident: &&Ident| !ast.lines.file_at(ident.span.lo).is_system;
    let is_among = |names: &str, ident: &Ident| {
        let ident = ast.names.name(ident.name);
        names.split_whitespace().any(|name| name == ident)
    };
    let found = HEADERS.iter().filter_map(|(header, names)| {
        let used = ast.undeclared.iter().filter(is_user).find(|used| is_among(names, used))?;
        let mut own = file_scope(ast).filter(is_user);
        let is_clear = !own.any(|own| is_among(names, own));
        is_clear.then(|| Missing { header, remark: remark(ast, header, used) })
    });
    let mut found: Vec<Missing> = found.collect();
    found.sort_by_key(|missing| missing.remark.span.lo);
    found
}

/// The names of objects, functions and types at file scope.
fn file_scope(ast: &Ast) -> impl Iterator<Item = &Ident> {
    let declarators = ast.items.iter().flat_map(|item| match item {
        Item::Declaration(id) => {
            ast.decl(*id).declarators.iter().map(|init| &init.declarator).collect()
        }
        Item::Function(function) => vec![&function.declarator],
        Item::StaticAssert { .. } | Item::Verbatim(_) => vec![],
    });
    declarators.filter_map(|declarator| declarator.name.as_ref())
}

fn remark(ast: &Ast, header: &'static str, used: &Ident) -> Diagnostic {
    let name = ast.names.name(used.name);
    let title = format!("`{name}` is used, but <{header}> is not included");
    Diagnostic::warning(codes::W0107, used.span, title)
        .label(format!("a name of <{header}>"))
        .note("<upc.h> includes the header this time, for the sake of programs that rely on it")
        .help("or compile with -Wno-furlong-missing-include")
        .fix(format!("add `#include <{header}>`"), vec![Edit::Include(header)])
}

#[cfg(test)]
mod tests {
    use crate::{translate, Options};

    fn missing(program: &str) -> Vec<(&'static str, String)> {
        let text =
            format!("# 1 \"a.upc\"\n# 1 \"/upc.h\" 1 3\nint upc;\n# 2 \"a.upc\" 2\n{program}");
        let found = translate(&text, &Options::default()).missing;
        found.into_iter().map(|m| (m.header, m.remark.span.text(&text).to_string())).collect()
    }

    fn one(header: &'static str, name: &str) -> Vec<(&'static str, String)> {
        vec![(header, name.to_string())]
    }

    #[test]
    fn names_are_known_wherever_they_are_used() {
        for (program, header, name) in [
            ("int *f(void) { return malloc(4); }", "stdlib.h", "malloc"),
            ("shared uint64_t a[8];", "inttypes.h", "uint64_t"),
            ("int f(double d) { return (uint32_t)d; }", "inttypes.h", "uint32_t"),
            ("long n = sizeof(int64_t);", "inttypes.h", "int64_t"),
            ("void f(uint8_t);", "inttypes.h", "uint8_t"),
            (
                "int p(const char *, ...); int f(long n) { return p(\"%\" PRId64, n); }",
                "inttypes.h",
                "PRId64",
            ),
            ("int m = INT_MAX;", "limits.h", "INT_MAX"),
            ("int f(int a) { return MIN(a, 3); }", "sys/param.h", "MIN"),
            ("void f(int a) { assert(a == 1); }", "assert.h", "assert"),
            ("int f(void) { FILE *out = 0; return !out; }", "stdio.h", "FILE"),
        ] {
            assert_eq!(missing(program), one(header, name), "{program}");
        }
    }

    #[test]
    fn the_first_use_of_each_header_counts() {
        let found = missing("void f(void) { exit(INT_MAX); abort(); exit(INT_MIN); }");
        assert_eq!(found, [one("stdlib.h", "exit"), one("limits.h", "INT_MAX")].concat());
    }

    #[test]
    fn names_of_the_program_are_its_own() {
        for program in [
            "int f(void) { return exit(1); } int exit(int x) { return x; }",
            "struct s { int free, abs; }; int f(struct s *p) { return p->free + p->abs; }",
            "int f(int abs) { int MAX = abs; return MAX; }",
            "enum { INT_MAX = 3 }; int f(void) { return INT_MAX; }",
            "typedef long int64_t; int64_t x;",
            "int f(void) { goto abort; abort: return 0; }",
            "static int abs(int x) { return x; } int *f(void) { return malloc(abs(4)); }",
            "int undeclared(void) { return something_else(); }",
        ] {
            assert_eq!(missing(program), [], "{program}");
        }
    }

    #[test]
    fn units_without_upc_are_left_alone() {
        let found =
            translate("# 1 \"a.c\"\nint *f(void) { return malloc(4); }", &Options::default());
        assert!(found.missing.is_empty());
    }
}
