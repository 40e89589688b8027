// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 2:2x1
//@ flags: -fopenmp
//@ exit: 1
//@ stderr: error[R0311]: upc_all_alloc is called in a thread that is not a UPC thread
//@ stderr: only UPC threads themselves may call it
#include <omp.h>
#include <upc.h>

int main(void)
{
    #pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 1)
            upc_all_alloc(1, 4);
        #pragma omp barrier
    }
    return 0;
}
/* stdout:
*/
