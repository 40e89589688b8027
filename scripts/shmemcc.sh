#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The C compiler for OpenSHMEM programs; as shmemc++ the C++ compiler. $SHMEM_CC and $SHMEM_CXX choose
# others. All options are the compiler's; -show prints its command line. A shared library uses the
# functions of its program.
case $0 in
*++ | *cxx) compiler=${SHMEM_CXX:-c++} ;;
*) compiler=${SHMEM_CC:-cc} ;;
esac
# In bin, or in lib/furlong/bin where bin has another implementation's.
here=$(dirname "$(command -v -- "$0")") && prefix=$(cd "$here/.." && pwd) || exit 1
case $prefix in */lib/furlong) prefix=${prefix%/lib/furlong} ;; esac
run=
[ "${1:-}" != -show ] || { run=echo && shift; }
for option; do
    case $option in
    -c | -S | -E | -M | -MM | -fsyntax-only | -shared | -r) exec $run $compiler -I"$prefix/include" "$@" ;;
    esac
done
exec $run $compiler -I"$prefix/include" "$@" -L"$prefix/lib" -lfurlong -lpthread -lm -ldl
