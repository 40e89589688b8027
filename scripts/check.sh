#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every test there is: check.sh BUILD. Each step runs even if one before it failed; the last lines
# name the tests that failed and count them all.
set -u
build=$1
log=$build/check
mkdir -p "$log"
passed=0
failed=0
failed_steps=

count() { # count PASSED FAILED
    passed=$((passed + ${1:-0}))
    failed=$((failed + ${2:-0}))
}

step() { # step NAME COMMAND...: shows the output, keeps it, remembers the exit code
    name=$1
    shift
    echo "== $name"
    { "$@" 2>&1; echo $? >"$log/$name.code"; } | tee "$log/$name.log"
    code=$(cat "$log/$name.code")
}

sum() { # sum NAME REGEXP: the sum of the numbers that the parenthesis matches
    sed -n "s/$2/\1/p" "$log/$1.log" | awk '{ n += $1 } END { print n + 0 }'
}

judge() { # judge PASSED FAILED: a step that failed without naming a test is one failure
    [ "$code" -eq 0 ] || [ "$2" -gt 0 ] || set -- "$1" 1
    [ "$2" -eq 0 ] || failed_steps="$failed_steps $name"
    count "$1" "$2"
}

failures() { # failures NAME: a line for a test, as cargo, ctest and xtask name those that failed
    sed -n -e '/(Skipped)$/d' -e 's/^---- \(.*\) stdout ----$/    \1/p' \
        -e 's/^[[:space:]]*[0-9]* - \(.* (.*)\)$/    \1/p' \
        -e 's/^FAIL \(.*\)/    \1/p' "$log/$1.log"
}

lint() { # lint NAME CARGO-COMMAND...: Debian's own Rust has no clippy, and rustfmt apart
    if cargo "$2" --version >/dev/null 2>&1; then
        name=$1
        shift
        step "$name" cargo "$@"
        judge $((code == 0)) 0
    else
        echo "== $1: skipped, there is no cargo $2"
    fi
}

lint format fmt --all --check
lint clippy clippy --quiet --workspace --all-targets -- -D warnings
step cargo-test cargo test --quiet --workspace --no-fail-fast
judge "$(sum cargo-test '^test result: .* \([0-9]*\) passed; .*')" \
    "$(sum cargo-test '^test result: .* \([0-9]*\) failed; .*')"

ctests() { # ctests NAME FOLDER
    step "$1" ctest --test-dir "$2" --output-on-failure --timeout 300
    total=$(sum "$1" '^.* tests failed out of \([0-9]*\)$')
    bad=$(sum "$1" '^.*, \([0-9]*\) tests failed out of .*$')
    judge $((total - bad)) "$bad"
}

sanitized() { # sanitized FOLDER SANITIZERS: builds the runtime and its tests once more
    sh scripts/progress.sh "$log/build-$2.log" "building the runtime with sanitizers" \
        sh scripts/runtime.sh "$1" -DFURLONG_SANITIZE="$2"
    ctests "runtime-test-$2" "$1"
}

ctests runtime-test "$build/runtime"
sanitized "$build/runtime-asan" address,undefined
sanitized "$build/runtime-tsan" thread
step programs cargo xtask check
judge "$(sum programs '^\([0-9]*\) passed.*')" "$(sum programs '^.* \([0-9]*\) failed.*')"

for name in $failed_steps; do
    echo "failed: $name, whose output is in $log/$name.log"
    failures "$name"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
