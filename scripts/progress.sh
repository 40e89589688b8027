#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs a long command quietly: progress.sh LOG WHAT COMMAND... Its output goes to LOG; a line says
# from time to time how far it is. Warnings, and all of a failure, are shown at the end.
set -u
log=$1
what=$2
shift 2
mkdir -p "$(dirname "$log")"

# Leaves nothing behind when it is ended.
tick() {
    set +u # there is no $! at first
    trap 'kill $! 2>/dev/null; wait; exit' TERM
    seconds=0
    pause=3
    while :; do
        sleep $pause >/dev/null 2>&1 &
        wait $!
        seconds=$((seconds + pause))
        pause=20
        echo "$what: $seconds s: $(tail -n 1 "$log" | tr -d '\r' | cut -c 1-100)"
    done
}

: >"$log"
tick &
ticker=$!
trap 'kill $ticker 2>/dev/null; wait $ticker 2>/dev/null' EXIT
trap 'exit 130' INT TERM
"$@" >"$log" 2>&1
code=$?
if [ $code -ne 0 ]; then
    cat "$log"
    echo "$what: failed (exit code $code); the output above is also in $log"
elif grep -q 'warning:' "$log"; then
    cat "$log"
fi
exit $code
