#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# An RPM of this tree: rpm.sh BUILD leaves it in BUILD/rpm/RPMS. Where rpm's data base does not know
# of the compilers, as on Debian, what the build requires is not checked.
set -eu
build=$(realpath "$1")
command -v rpmbuild >/dev/null || { echo "rpm: there is no rpmbuild; install the package rpm-build or rpm" >&2; exit 1; }
unchecked=
rpm -q gcc >/dev/null 2>&1 || unchecked=--nodeps

# In the tree itself, so that what has been compiled before is used again.
rm -rf "$build/rpm" && mkdir -p "$build/rpm"
rpmbuild -bb --quiet $unchecked --define "_topdir $build/rpm" --define "_builddir $PWD" \
    --define "in_place 1" packaging/furlong.spec >"$build/rpm.log" 2>&1 ||
    { tail -n 30 "$build/rpm.log" >&2; echo "rpm: failed; the whole log is in $build/rpm.log" >&2; exit 1; }
ls "$build"/rpm/RPMS/*/*.rpm
