#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Tries the sources on fresh machines, as a stranger would: check-machines.sh RELEASE... Each is a
# chroot with nothing but the base system and make, in namespaces of its own, and is removed
# afterwards; base systems are kept in build/machines. Root and debootstrap are needed.
#
# On each: a user who may not install anything is told what is missing; root installs what that user's
# output names as needed; the user builds without all that is optional, in a folder with an odd name;
# then root does it there, and `make` installs the rest.
set -u
folder=$PWD/build/machines
log=$folder/log
# The tools are tried and not measured; root finds the crates as the user has compiled them.
quickly="CARGO_PROFILE_RELEASE_OPT_LEVEL=0 CARGO_PROFILE_RELEASE_DEBUG=0 CARGO_HOME=/home/stranger/.cargo"

# Ends the tests, if they still run, and removes what they left.
end() {
    # When the first process of a PID namespace ends, all of them do, and their mounts with them.
    # shellcheck disable=SC2046
    kill -KILL $(cat "/proc/$tests/task/$tests/children" 2>/dev/null) 2>/dev/null
    wait "$tests"
    for machine in $machines; do
        rm -rf --one-file-system "${folder:?}/$machine" "$folder/$machine.tar.new"
    done
}

case ${1:-} in
--tests) shift ;; # of the machines that follow
--chroot)         # COMMAND in the folder that follows
    shift
    mount -t proc proc "$1/proc" && mount -t sysfs sys "$1/sys" && mount --rbind /dev "$1/dev" &&
        mount -t tmpfs -o mode=1777 shm "$1/dev/shm" &&
        exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root $quickly \
            ${https_proxy:+https_proxy="$https_proxy"} ${http_proxy:+http_proxy="$http_proxy"} \
            chroot "$1" /bin/sh -c "$2"
    exit
    ;;
*)
    for tool in debootstrap unshare; do
        command -v $tool >/dev/null || { echo "check-machines: $tool is missing" && exit 1; }
    done
    [ "$(id -u)" = 0 ] || { echo "check-machines: only root may make chroots" && exit 1; }
    mkdir -p "$log"
    machines=$*
    unshare -m -p -f --mount-proc sh "$0" --tests "$@" &
    tests=$!
    trap end EXIT
    trap 'exit 130' HUP INT TERM
    wait $tests
    exit
    ;;
esac
passed=0
failed=0

base() { # base RELEASE: makes its archive, and sets where
    archive=$folder/$1.tar
    [ ! -f "$archive" ] || return 0
    options=--include=make
    case $1 in
    noble | jammy)
        mirror=http://archive.ubuntu.com/ubuntu
        options="$options --components=main,universe"
        keys=/usr/share/keyrings/ubuntu-archive-keyring.gpg
        # Debian 12 knows neither Ubuntu's newer releases, which are made as the older are, nor its keys.
        [ -f $keys ] && options="$options --keyring=$keys" || options="$options --no-check-gpg"
        script=gutsy
        ;;
    *)
        mirror=http://deb.debian.org/debian
        script=sid
        ;;
    esac
    # shellcheck disable=SC2086
    sh scripts/progress.sh "$log/$1-base" "$1: debootstrap" \
        debootstrap --variant=minbase $options "$1" "$folder/$1" $mirror $script || return 1
    if [ $script = gutsy ]; then
        echo "deb $mirror $1-updates main universe" >>"$folder/$1/etc/apt/sources.list"
    fi
    tar -C "$folder/$1" -cf "$archive.new" . && mv "$archive.new" "$archive"
    rm -rf --one-file-system "${folder:?}/$1"
}

step() { # step NAME WANTED-CODE COMMAND: a test
    echo "== $machine: $1"
    sh scripts/progress.sh "$log/$machine-$1" "$machine: $1" \
        unshare -m -p -f --kill-child sh "$0" --chroot "$root" "$3"
    code=$?
    if [ "$code" -eq "$2" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$machine: $1 ended with $code and not $2; all of it: $log/$machine-$1"
        return 1
    fi
}

wants() { # wants NAME TEXT: a test: the step's output has it
    if grep -q "$2" "$log/$machine-$1"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$machine: the output of $1 does not have: $2"
    fi
}

as_user() { # as_user COMMAND: the words that run it
    echo "su stranger -c 'cd \"/home/stranger/Für long\" && $1'"
}

try() { # try RELEASE
    machine=$1
    root=$folder/$1
    base "$1" || { failed=$((failed + 1)) && return; }
    rm -rf --one-file-system "$root"
    mkdir -p "$root"
    tar -C "$root" -xf "$folder/$1.tar"
    cp /etc/resolv.conf "$root/etc/"
    # A network may have a certificate of its own, which this machine knows.
    mkdir -p "$root/usr/local/share/ca-certificates"
    cp /usr/local/share/ca-certificates/*.crt "$root/usr/local/share/ca-certificates/" 2>/dev/null
    sources="$root/home/stranger/Für long"
    mkdir -p "$sources"
    git ls-files -co --exclude-standard -z | tar --null --no-recursion -T - -c --ignore-failed-read 2>/dev/null |
        tar -C "$sources" -x
    step user 0 'useradd -M stranger && chown -R stranger: /home/stranger'
    step lists 0 'apt-get update' || return
    step user-bare 2 "$(as_user 'make build')"
    wants user-bare 'nothing can be built without cc'
    needed=$(sed -n 's/^bootstrap:     apt-get/apt-get/p' "$log/$machine-user-bare" | head -n 1)
    step install-needed 0 "$needed ca-certificates" || return
    step user-demo 0 "$(as_user 'make demo')"
    wants user-demo 'going on without UCX'
    wants user-demo 'skipped: upcrun -n 4 -virtual-hosts 2 ./heat: Furlong was built without UCX'
    wants user-demo 'Next: README.md'
    step root-demo 0 'cd /home/stranger/F* && make demo'
    wants root-demo 'Next: README.md'
    step root-install 0 'cd /home/stranger/F* && make install PREFIX=/opt/furlong'
    step user-installed 0 "$(as_user 'PATH=/opt/furlong/bin:$PATH && upcc -O2 examples/hello.upc -o ~/hello &&
        upcrun -q -n 6 -virtual-hosts 3 ~/hello')"
}

for machine; do
    try "$machine"
    rm -rf --one-file-system "${folder:?}/$machine"
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
