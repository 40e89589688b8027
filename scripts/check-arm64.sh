#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The runtime for arm64, and programs for it, run by an emulator: check-arm64.sh BUILD CARGO_TARGET.
# The tools are this machine's. Programs over hosts are left out: the emulator gives the clock no
# frequency, without which UCX connects nothing. Nor does it show a processor's weak memory ordering:
# what it finds is everything else. FILTER in the environment chooses programs.
set -u
build=$1
target=$2
arm64=$PWD/$build/arm64
emulator="'$arm64/emulator/usr/bin/qemu-aarch64' -cpu neoverse-n1 -L '$arm64/root'"
passed=0
failed=0

sum() { # sum FILE REGEXP: the sum of the numbers that the parenthesis matches
    sed -n "s/$2/\1/p" "$1" | awk '{ n += $1 } END { print n + 0 }'
}

sh scripts/arm64.sh "$arm64" || exit 1
echo "== runtime for arm64"
cmake -S runtime -B "$arm64/runtime" -G Ninja -DCMAKE_BUILD_TYPE=Release -DFURLONG_ARM64="$arm64" \
    -DCMAKE_TOOLCHAIN_FILE="$PWD/scripts/arm64.cmake" >"$arm64/cmake.log" 2>&1 &&
    cmake --build "$arm64/runtime" -- --quiet &&
    sh scripts/stage.sh "$build/arm64" "$target" || exit 1

if [ -z "${FILTER:-}" ]; then
    echo "== unit tests (skipped: litmus, which does not depend on the machine; net_test, which needs UCX)"
    ctest --test-dir "$arm64/runtime" -E '^litmus_|^net_test$' --output-on-failure \
        -j "$(nproc)" | tee "$arm64/ctest.log"
    total=$(sum "$arm64/ctest.log" '^.* tests failed out of \([0-9]*\)$')
    failed=$(sum "$arm64/ctest.log" '^.*, \([0-9]*\) tests failed out of .*$')
    passed=$((total - failed))
    [ "$total" -gt 0 ] || failed=1
fi

export UPCC_FLAGS="-cc=aarch64-linux-gnu-gcc '--sysroot=$arm64/root'"
echo "== programs (skipped: those over hosts)"
# shellcheck disable=SC2086
{
    cargo xtask run --upcc "$arm64/bin/upcc" --upcrun "$arm64/bin/upcrun" --emulator "$emulator" ${FILTER:-} 2>&1
    echo $? >"$arm64/programs.code"
} | tee "$arm64/programs.log"
more=$(sum "$arm64/programs.log" '^\([0-9]*\) passed.*')
less=$(sum "$arm64/programs.log" '^.* \([0-9]*\) failed.*')
[ "$(cat "$arm64/programs.code")" -eq 0 ] || [ "$less" -gt 0 ] || less=1
echo "$((passed + more)) passed, $((failed + less)) failed"
[ $((failed + less)) -eq 0 ]
