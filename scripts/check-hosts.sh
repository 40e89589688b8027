#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every program over two and four hosts of this machine, by every fabric and transport. Hours; with
# TURN=K each program in one of the mappings only, another for each K. Each step runs even if one
# before it failed.
set -u
turn=${TURN:+--turn $TURN}
bad=0

over() { # over HOSTS MAPPINGS OPTION...
    hosts=$1
    mappings=$2
    shift 2
    for suite in run conform examples; do
        echo "== $suite over $hosts hosts: $mappings $*"
        cargo xtask "$suite" --jobs 1 --hosts "$hosts" --mappings "$mappings" $turn "$@" || bad=1
    done
}

for fabric in virtual netns; do
    over 2 '2x1 4x1 8x1 2x2 4x2' --fabric "$fabric"
    over 4 '4x1 8x1 16x1 4x2 8x2' --fabric "$fabric"
done
for transport in ofi openmpi mpich; do
    over 2 '2x1 4x1 2x2' --transport "$transport"
done
exit "$bad"
