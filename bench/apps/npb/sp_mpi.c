/* SPDX-License-Identifier: BSD-3-Clause */
/* SP by MPI. */
#include "sp.h"

#include "cfd_mpi.h"

int main(int argc, char **argv) { return cfd_main(argc, argv); }
