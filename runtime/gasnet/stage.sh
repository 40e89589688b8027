#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Installs the interface of GASNet-EX as a prefix of its own, in the layout that its clients expect:
# stage.sh BUILD FOLDER ndebug|debug. The libraries and the conduits' headers are in BUILD/runtime.
set -eu
build=$1
prefix=$2
debug=$3
here=$(dirname "$0")

optimise=-O2
[ "$debug" = ndebug ] || optimise=-g
fill() { # fill FILE TO [NAME=VALUE...]: a template
    file=$1
    to=$2
    shift 2
    script="s|@OPTIMISE@|$optimise|g;s|@PREFIX@|$prefix|g"
    for pair; do script="$script;s|@${pair%%=*}@|${pair#*=}|g"; done
    mkdir -p "$(dirname "$to")"
    sed "$script" "$file" >"$to.new"
    if cmp -s "$to.new" "$to"; then rm "$to.new"; else mv -f "$to.new" "$to"; fi
}
upper() { echo "$1" | tr a-z A-Z; }

mkdir -p "$prefix/include" "$prefix/lib/pkgconfig" "$prefix/bin"
prefix=$(cd "$prefix" && pwd)
cp "$here"/include/*.h "$prefix/include"
if [ "$debug" = debug ]; then
    sed 's/define GASNET_NDEBUG 1/define GASNET_DEBUG 1/' "$here/include/gasnet_config.h" \
        >"$prefix/include/gasnet_config.h"
fi
cp "$build"/runtime/libgasnet-*.a "$build"/runtime/libgasnet_tools-*.a "$prefix/lib"
for conduit in smp ucx mpi; do
    headers=$prefix/include/$conduit-conduit
    mkdir -p "$headers"
    cp "$build/runtime/gasnet/$conduit-conduit"/*.h "$headers"
    case $conduit in
    smp) how="SPAWNER=fork FORK=1 SSH=0 MPI=0" options="-transport smp" ;;
    ucx) how="SPAWNER=ssh FORK=0 SSH=1 MPI=1" options="-transport ucx" ;;
    mpi) how="SPAWNER=mpi FORK=0 SSH=1 MPI=1" options="-transport mpi" ;;
    esac
    for mode in seq parsync par; do
        names="CONDUIT=$conduit MODE=$mode UPPERMODE=$(upper $mode) $how"
        fill "$here/conduit/conduit-mode.mak" "$headers/$conduit-$mode.mak" $names
        fill "$here/conduit/conduit-mode.pc" "$prefix/lib/pkgconfig/gasnet-$conduit-$mode.pc" $names
    done
    fill "$here/conduit/gasnetrun" "$prefix/bin/gasnetrun_$conduit" CONDUIT=$conduit \
        "OPTIONS=$options"
    chmod 755 "$prefix/bin/gasnetrun_$conduit"
done
for mode in seq par; do
    threads=GASNETT_THREAD_SAFE
    [ $mode = par ] || threads=GASNETT_THREAD_SINGLE
    fill "$here/conduit/tools-mode.mak" "$prefix/include/gasnet_tools-$mode.mak" MODE=$mode \
        THREADS=$threads
    fill "$here/conduit/tools-mode.pc" "$prefix/lib/pkgconfig/gasnet_tools-$mode.pc" MODE=$mode \
        THREADS=$threads
done
