/* SPDX-License-Identifier: BSD-3-Clause */
/* EP (ep.h) with MPI. */
#include "ep.h"
#include "npb_mpi.h"

int main(int argc, char **argv) {
    static double numbers[2 * EP_PAIRS], tallies[EP_TALLIES], sums[EP_TALLIES];
    npb_mpi_start(&argc, &argv);
    double start = npb_mpi_begin();
    for (long block = rank; block < EP_BLOCKS; block += ranks) {
        ep_add_block(block, numbers, tallies);
    }
    MPI_Reduce(tallies, sums, EP_TALLIES, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    double seconds = bench_now() - start;
    return npb_mpi_end(rank == 0 ? ep_finish(sums, seconds) : 0);
}
