#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Packages of PyPI and npm that tests of editors, notebooks and traces need, in build/fetched/NAME:
# `fetched.sh get NAME` puts them there; `fetched.sh NAME` prints the folder of their commands, or
# fails where they are not. No other test depends on a registry.
set -eu
root=$(realpath "$(dirname "$0")/..")

commands() {
    case $1 in
    jupyter | perfetto) echo "$root/build/fetched/$1/bin" ;;
    *) echo "$root/build/fetched/$1/node_modules/.bin" ;;
    esac
}

# The development dependencies of the extension, as npm wants them.
of_extension() {
    sed -n '/"devDependencies"/,/}/s/^    "\(.*\)": "\(.*\)".*/\1@\2/p' "$root/editors/vscode/package.json"
}

from_npm() {
    folder=$1
    shift
    npm install --silent --ignore-scripts --no-audit --no-fund --prefix "$folder" "$@"
}

get() {
    folder=$root/build/fetched/$1
    rm -rf "$folder"
    mkdir -p "$folder"
    case $1 in
    jupyter)
        python3 -m venv "$folder"
        "$folder/bin/pip" install --quiet --disable-pip-version-check jupyter ipykernel nbclient ;;
    perfetto)
        python3 -m venv "$folder"
        "$folder/bin/pip" install --quiet --disable-pip-version-check perfetto ;;
    vscode) from_npm "$folder" $(of_extension) ;;
    tree-sitter-c) from_npm "$folder" tree-sitter-c@0.24 ;;
    esac
    touch "$folder/complete"
}

if [ "$1" = get ]; then
    get "$2"
else
    [ -e "$root/build/fetched/$1/complete" ] && commands "$1"
fi
