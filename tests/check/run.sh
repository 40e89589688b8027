#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every case of a program of this folder, by 3, 5 and 7 threads, as processes and as pthreads; says
# which do not behave: run.sh NAME EXIT [N]. What a case is to say it prints itself.
cd "$(dirname "$0")" && dir=$PWD && cd - >/dev/null || exit 2
upcc -O1 -check "$dir/$1.upc" -o "$1" || exit 2
n=$(upcrun -q -n 1 "./$1")
failed=0
for case in ${3:-$(seq 1 "$n")}; do
    for mapping in "3 -p 3" "3 -p 1" "5 -p 1" "5 -p 5" "7 -p 7" "7 -p 4"; do
        timeout 60 upcrun -q -n $mapping "./$1" "$case" >out 2>err
        code=$?
        says=$(head -n 1 out)
        if [ $code != "$2" ] || { [ "$2" = 0 ] && [ -s err ]; } ||
            { [ -n "$says" ] && ! grep -qF -e "$says" err; }; then
            echo "$1 $case with -n $mapping: exit code $code, expected: $says"
            cat err
            failed=1
        fi
    done
done
[ $failed = 0 ] && echo "$n cases"
