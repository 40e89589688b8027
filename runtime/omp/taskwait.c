/* SPDX-License-Identifier: BSD-3-Clause */
/* taskwait and taskyield. OpenMP 5.1 §2.19.5, §2.12.5. */
#include "omp/depend.h"
#include "omp/team.h"

void GOMP_task(void (*body)(void *), void *data, void (*copy)(void *, void *), long size, long align,
               bool deferred, unsigned flags, void **depend, int priority, void *event);

static bool no_children(void *context) {
    struct fl_omp_task *task = context;
    /* [N3] pairs [N2]: what the children wrote is seen. */
    return task->children.here +
               atomic_load_explicit(&task->children.elsewhere, memory_order_seq_cst) ==
           0;
}

FL_OMP_API void GOMP_taskwait(void) {
    struct fl_omp_member *me = fl_omp_self();
    struct fl_omp_task *task = me->task;
    if (!no_children(task)) {
        fl_omp_task_wait(me, no_children, task);
    }
    if (FL_UNLIKELY(task->depends != NULL)) {
        fl_omp_depends_end(me, task); /* later children depend on later ones only */
    }
}

FL_OMP_API void GOMP_taskwait_depend(void **depend) {
    fl_omp_depend_wait(fl_omp_self(), depend);
}

static void nothing(void *data) {
    (void)data;
}

/* taskwait nowait: a task that has dependences, and nothing else. */
FL_OMP_API void GOMP_taskwait_depend_nowait(void **depend) {
    GOMP_task(nothing, NULL, NULL, 0, 1, true, FL_OMP_TASK_DEPEND, depend, 0, NULL);
}

FL_OMP_API void GOMP_taskyield(void) {
    enum { IN_VAIN = 256 }; /* the program may wait so; but on a busy machine yields take long */
    struct fl_omp_member *me = fl_omp_self();
    if (fl_omp_tasks_used(&me->team->tasks) && !fl_omp_task_run_below(me) &&
        ++me->tasks.yields % IN_VAIN == 0) {
        fl_wait_yield();
    }
}
