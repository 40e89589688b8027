/* SPDX-License-Identifier: BSD-3-Clause */
/* LU by MPI. */
#include "lu.h"

#include "cfd_mpi.h"

int main(int argc, char **argv) { return cfd_main(argc, argv); }
