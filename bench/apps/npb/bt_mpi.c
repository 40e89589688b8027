/* SPDX-License-Identifier: BSD-3-Clause */
/* BT by MPI. */
#include "bt.h"

#include "cfd_mpi.h"

int main(int argc, char **argv) { return cfd_main(argc, argv); }
