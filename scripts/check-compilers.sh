#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The runtime built by each C compiler that is found, and some programs of each kind compiled with it:
# check-compilers.sh BUILD [COMPILER]... `hardened` is the default compiler with the flags by which
# distributions build their packages.
set -u
build=$1
shift
# shellcheck disable=SC2046
[ $# -gt 0 ] || set -- hardened $(seq 9 30 | sed s/^/gcc-/) $(seq 14 30 | sed s/^/clang-/)
# Not run/access/operators: for its functions of a thousand accesses clang needs a minute.
some='run/access/a run/access/b run/access/c run/access/d run/access/i run/access/m run/access/s
    run/collective run/locks run/forall/ run/nb run/separate run/ends run/libc
    conform/upc_atomic conform/upc_collective/7.4.2.1 omp/sync omp/data omp/hosts/fortified
    omp/hosts/kernel omp/hosts/files omp/tasks/depend cli/compiler'
hardened='-O2 -D_FORTIFY_SOURCE=3 -fstack-protector-strong -fstack-clash-protection -Wformat
    -Werror=format-security -fcf-protection'
passed=0
failed=0

build_with() { # build_with COMPILER FOLDER
    compiler=$1
    if [ "$1" = hardened ]; then
        compiler=cc
        CFLAGS="$(echo $hardened) -flto=auto"
        LDFLAGS='-Wl,-z,relro -Wl,-z,now'
        export CFLAGS LDFLAGS
    fi
    CC=$compiler sh scripts/progress.sh "$2.log" "building the runtime by $1" \
        sh scripts/runtime.sh "$2" -DFURLONG_TESTS=OFF
}

# An installation with the tools of the build, and this runtime.
install_with() { # install_with FOLDER PREFIX
    sh scripts/install.sh "$build" "" "$2" >/dev/null
    cp "$1/libfurlong.a" "$1/libfurlong-check.a" "$2/lib/" && cp "$1"/libfurlong-*.so "$2/lib/furlong/" &&
        cp "$1/libgomp.so.1" "$2/lib/furlong/omp/"
}

for compiler; do
    command -v "$compiler" >/dev/null || [ "$compiler" = hardened ] || continue
    echo "== $compiler"
    folder=$build/compilers/$compiler
    flags=-cc=$compiler
    [ "$compiler" != hardened ] || flags="$(echo $hardened) -Wl,-z,relro -Wl,-z,now"
    log=$folder.programs
    mkdir -p "$build/compilers"
    : >"$log"
    # shellcheck disable=SC2086
    (build_with "$compiler" "$folder") && install_with "$folder" "$folder/prefix" &&
        cargo xtask check --installed "$folder/prefix" --flags "$flags" $some >"$log"
    [ $? -eq 0 ] || { failed=$((failed + 1)) && cat "$log"; }
    tail -n 1 "$log"
    passed=$((passed $(sed -n 's/^\([0-9]*\) passed.*/+ \1/p' "$log" | tail -n 1)))
done
echo "$passed passed, $failed compilers with failures"
[ $failed -eq 0 ]
