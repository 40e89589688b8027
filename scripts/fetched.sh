#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Packages that only tests need and Debian does not have: `fetched.sh pypi|npm NAME PACKAGE...` puts
# them into build/fetched/NAME, where they stay, and prints the folder of their commands.
# `fetched.sh reaches pypi|npm` fails where the registry cannot be reached.
set -eu
kind=$1
name=$2
shift 2
export PIP_DISABLE_PIP_VERSION_CHECK=1

if [ "$kind" = reaches ]; then
    case $name in
    pypi) python3 -c 'import ensurepip' && timeout 50 python3 -m pip index --retries 1 --timeout 10 versions pip ;;
    npm) timeout 50 npm view --fetch-retries=1 --fetch-timeout=10000 npm version ;;
    esac >/dev/null 2>&1
    exit
fi

fetched=$(realpath "$(dirname "$0")/..")/build/fetched
folder=$fetched/$name
mkdir -p "$fetched"
exec 9>"$folder.lock" # tests run at the same time
flock 9
if [ "$*" != "$(cat "$folder/complete" 2>/dev/null)" ]; then
    rm -rf "$folder"
    case $kind in
    pypi)
        python3 -m venv "$folder"
        "$folder/bin/pip" install --quiet "$@" ;;
    npm) npm install --silent --ignore-scripts --no-audit --no-fund --prefix "$folder" "$@" ;;
    esac >&2
    echo "$*" >"$folder/complete"
fi
case $kind in
pypi) echo "$folder/bin" ;;
npm) echo "$folder/node_modules/.bin" ;;
esac
