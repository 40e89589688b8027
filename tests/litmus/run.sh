#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Explores a model exhaustively: run.sh MODEL. If the model has a line "Rules without which it must
# fail: A B", it is also explored with A defined, and with B. Exit code 77 (skipped) without spin.
set -eu
model=$(realpath "$1")
command -v spin >/dev/null || { echo "1..0 # SKIP spin is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# explore NAME: leaves log
explore() {
    spin -D"$1" -a "$model" >/dev/null
    cc -O2 -w -DSAFETY -DCOLLAPSE -o pan pan.c # no warnings of what spin writes
    ./pan -m1000000 >log
}

fail() {
    cat log
    echo "not ok 1 - $(basename "$model"): $1"
    exit 1
}

explore ALL_RULES
grep -q 'errors: 0' log || fail "with all rules"
grep -q 'max search depth too small' log && fail "too deep"
states=$(grep 'states, stored' log | sed 's/^ *//')
for rule in $(sed -n 's/.*Rules without which it must fail: //p' "$model"); do
    explore "$rule"
    grep -q 'errors: 0' log && fail "passes with $rule"
done
echo "ok 1 - $(basename "$model"): $states"
