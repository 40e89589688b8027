#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Builds the runtime and its tests: runtime.sh FOLDER [CMAKE-OPTION]... By Ninja, or by make where
# there is none; a folder stays with what it was made for.
set -eu
folder=$1
shift
if [ -f "$folder/build.ninja" ] || { [ ! -f "$folder/Makefile" ] && command -v ninja >/dev/null; }; then
    generator=Ninja
else
    generator='Unix Makefiles'
fi
cmake -S runtime -B "$folder" -G "$generator" "$@"
cmake --build "$folder" --parallel "$(nproc)"
