#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Finds out by trying what this machine lacks of packages.txt: bootstrap.sh build|test. The package
# manager installs it where the user may do that; elsewhere the user is told. It fails only if nothing
# can be built. With BOOTSTRAP=check it installs nothing. Quick, and silent, when nothing is missing.
set -eu
sets="needed optional"
[ "${1:-build}" != test ] || sets="$sets test"
here=$(dirname "$0")
log=build/log/bootstrap

say() { printf 'bootstrap: %s\n' "$1"; }

any() { # any FUNCTION A,B: whether it succeeds for one of them
    for name in $(echo "$2" | tr , ' '); do
        "$1" "$name" && return
    done
    return 1
}

has_command() { command -v "$1" >/dev/null; }

compiles() { echo "#include <$1>" | ${CC:-cc} ${2:-} -fsyntax-only -x c - 2>/dev/null; }

has_file() { [ -e "$1" ]; }

has_library() {
    PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null | grep -q "$1" || ls /usr/lib/"$1" >/dev/null 2>&1
}

has_module() { # has_module NAME:HEADER
    flags=$(pkg-config --cflags "${1%%:*}" 2>/dev/null) && compiles "${1#*:}" "$flags"
}

is_here() { # is_here CHECK
    case $1 in
    command:*) any has_command "${1#*:}" ;;
    file:*) any has_file "${1#*:}" ;;
    header:*) any compiles "${1#*:}" ;;
    library:*) has_library "${1#*:}" ;;
    module:*) has_module "${1#*:}" ;;
    rust:*) sh "$here/rust_path.sh" >/dev/null ;;
    *) say "packages.txt has a check that is not known: $1" && exit 1 ;;
    esac
}

# The rows of things that are missing: SET WHAT APT DNF ZYPPER PACMAN WITHOUT.
find_missing() {
    while read -r set what check packages; do
        case " $sets " in
        *" $set "*) is_here "$check" || echo "$set $what $packages" ;;
        esac
    done <"$here/packages.txt"
}

find_manager() {
    for manager in apt-get dnf zypper pacman; do
        if has_command $manager; then
            echo $manager
            return
        fi
    done
    echo none
}

exists() { # exists PACKAGE: whether the distribution has it
    case $manager in
    apt-get) apt-cache policy "$1" 2>/dev/null | grep -q 'Candidate: [0-9]' ;;
    *) true ;;
    esac
}

first_of() { # first_of A+B,C: the packages of the first alternative that the distribution has
    for alternative in $(echo "$1" | tr , ' '); do
        if exists "${alternative%%+*}"; then
            echo "$alternative" | tr + ' '
            return
        fi
    done
    echo "${1%%,*}" | tr + ' '
}

packages_of() { # packages_of SET: what has the missing things of it
    echo "$missing" | while read -r set what apt dnf zypper pacman without; do
        [ "$set" = "$1" ] || continue
        case $manager in
        dnf) names=$dnf ;;
        zypper) names=$zypper ;;
        pacman) names=$pacman ;;
        *) names=$apt ;;
        esac
        [ "$names" = - ] || first_of "$names"
    done | tr '\n' ' '
}

install_command() {
    case $manager in
    apt-get) echo "apt-get install -y --no-install-recommends" ;;
    dnf) echo "dnf install -y" ;;
    zypper) echo "zypper --non-interactive install --no-recommends" ;;
    pacman) echo "pacman -S --noconfirm --needed" ;;
    esac
}

# shellcheck disable=SC2086
with_progress() { # with_progress COMMAND...
    sh "$here/progress.sh" "$log" "bootstrap: $manager" $sudo env DEBIAN_FRONTEND=noninteractive "$@"
}

may_install() {
    sudo=
    [ "${BOOTSTRAP:-}" != check ] && [ "$manager" != none ] || return 1
    [ "$(id -u)" != 0 ] || return 0
    sudo=sudo
    has_command sudo && { sudo -n true 2>/dev/null || [ -t 0 ]; }
}

# shellcheck disable=SC2086,SC2046
install_missing() {
    # A fresh image has no lists, and old lists name what is gone.
    case $manager in
    apt-get) with_progress apt-get update -q ;;
    pacman) with_progress pacman -Sy --noconfirm ;;
    esac || say "going on with the old lists of packages; is this machine offline?"
    for set in $sets; do
        packages=$(packages_of "$set")
        [ -n "${packages% }" ] || continue
        say "installing ${packages% }"
        with_progress $(install_command) $packages && continue
        # One that cannot be had must not keep the others away.
        for package in $packages; do
            with_progress $(install_command) $package || true
        done
    done
}

say_how_to_install() {
    case $manager in
    none) say "Debian's names of what is missing, as this machine has none of apt-get, dnf, zypper, pacman:" ;;
    *) say "to install what is missing:" ;;
    esac
    for set in $sets; do
        packages=$(packages_of "$set")
        [ -z "${packages% }" ] || say "    $(install_command) ${packages% }"
    done
}

# Ends with an error if something is missing that is needed.
report_missing() {
    needed=$(echo "$missing" | sed -n 's/^needed \([^ ]*\).*/\1/p' | tr '\n' ' ')
    if [ -n "$needed" ]; then
        { say "nothing can be built without ${needed% }" && say_how_to_install; } >&2
        exit 1
    fi
    echo "$missing" | while read -r set what apt dnf zypper pacman without; do
        case $set in
        optional) say "going on without $what: $without" ;;
        test) say "going on without $what: tests of it are skipped, or fail" ;;
        esac
    done
    say_how_to_install
}

case $PWD in
*[\"\\\;\|]*)
    say "CMake builds nothing in a folder with one of \" \\ ; | in its name; please rename $PWD" >&2
    exit 1
    ;;
esac
missing=$(find_missing)
[ -n "$missing" ] || exit 0
manager=$(find_manager)
if may_install; then
    install_missing
    missing=$(find_missing)
    [ -n "$missing" ] || exit 0
fi
report_missing
