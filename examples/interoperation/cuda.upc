// SPDX-License-Identifier: BSD-3-Clause
// Heat in a rod of which each thread has a part on a GPU. The edges of the parts go from device to
// device by signalling puts: a thread waits for its neighbours only.
//
//     nvcc -O2 -c cuda_step.cu
//     upcc -O2 cuda.upc cuda_step.o -link-with=nvcc -o cuda
//     upcrun -n 4 ./cuda
#include <math.h>
#include <stdio.h>
#include <upc.h>
#include <upcx_device.h>

enum { N = 100000, STEPS = 200 }; // cells of a thread

// cuda_step.cu: arrays of N + 2 cells on the device, the first and last of which are the neighbours'.
double *rod_new(int n, double first, double rest);
void rod_step(double *to, const double *from, int n);
double rod_sum(const double *rod, int n);

enum { LEFT, RIGHT };
shared [4] double halo[4 * THREADS]; // from the left and from the right, of even and odd steps
bupc_sem_t *shared arrived[THREADS][2];
shared double sums[THREADS];

static void send_edges(const double *rod, int step)
{
    if (MYTHREAD > 0)
        upcx_device_memput_signal(&halo[4 * (MYTHREAD - 1) + 2 * (step % 2) + RIGHT], &rod[1],
                                  sizeof *rod, arrived[MYTHREAD - 1][RIGHT], 1);
    if (MYTHREAD < THREADS - 1)
        upcx_device_memput_signal(&halo[4 * (MYTHREAD + 1) + 2 * (step % 2) + LEFT], &rod[N],
                                  sizeof *rod, arrived[MYTHREAD + 1][LEFT], 1);
}

static void receive_edges(double *rod, int step)
{
    if (MYTHREAD > 0) {
        bupc_sem_wait(arrived[MYTHREAD][LEFT]);
        upcx_device_memget(&rod[0], &halo[4 * MYTHREAD + 2 * (step % 2) + LEFT], sizeof *rod);
    }
    if (MYTHREAD < THREADS - 1) {
        bupc_sem_wait(arrived[MYTHREAD][RIGHT]);
        upcx_device_memget(&rod[N + 1], &halo[4 * MYTHREAD + 2 * (step % 2) + RIGHT], sizeof *rod);
    }
}

int main(void)
{
    if (upcx_device_count() == 0) {
        printf("thread %d: no GPU\n", MYTHREAD);
        return 1;
    }
    upcx_device_use(MYTHREAD % upcx_device_count());
    upcx_device_register(&halo[4 * MYTHREAD], 4 * sizeof(double));
    for (int side = LEFT; side <= RIGHT; side++)
        arrived[MYTHREAD][side] = bupc_sem_alloc(BUPC_SEM_SPRODUCER | BUPC_SEM_SCONSUMER);

    // The left end is kept hot, the right end cold.
    double *old = rod_new(N, MYTHREAD == 0 ? 1.0 : 0.0, 0.0);
    double *new = rod_new(N, MYTHREAD == 0 ? 1.0 : 0.0, 0.0);
    upc_barrier;
    for (int step = 0; step < STEPS; step++) {
        send_edges(old, step);
        receive_edges(old, step);
        rod_step(new, old, N);
        double *other = old;
        old = new;
        new = other;
    }
    sums[MYTHREAD] = rod_sum(old, N);
    upc_barrier;
    if (MYTHREAD == 0) {
        double sum = 0;
        for (int i = 0; i < THREADS; i++)
            sum += sums[i];
        printf("after %d steps there is %.6f of heat in the rod\n", STEPS, sum);
    }
    upc_barrier;
    upcx_device_unregister(&halo[4 * MYTHREAD]);
    return 0;
}
