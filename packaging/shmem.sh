#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Moves the commands of OpenSHMEM out of PREFIX/bin, where distributions have Open MPI's of the same
# names: shmem.sh PREFIX.
set -eu
cd "$1"
mkdir -p lib/furlong/bin
mv bin/shmemcc bin/shmemc++ lib/furlong/bin/
rm bin/shmemrun
ln -s ../../../bin/upcrun lib/furlong/bin/shmemrun
