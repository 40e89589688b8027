/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dependences between the children of a task. OpenMP 5.1 §2.19.11.
 *
 * For each address the parent keeps the latest generation of children that named it: one that writes,
 * or several that may do what they do at the same time. A new child is a successor of those, or it
 * joins them and is a successor of those before. Only the parent's thread touches that; what others
 * see are nodes, each with a list of successors that is closed when its task ends.
 *
 * Tasks that exclude each other (mutexinoutset) are executed in the order in which they were made.
 */
#ifndef FL_OMP_DEPEND_H
#define FL_OMP_DEPEND_H

#include <stdbool.h>

struct fl_omp_member;
struct fl_omp_task;
struct fl_omp_node;

enum fl_omp_place {
    FL_OMP_WAITS, /* fl_omp_task_ready will be called */
    FL_OMP_READY,
    FL_OMP_LATE /* ready: all that it would have followed have ended */
};

/* A new member's memory for this. */
void fl_omp_depends_begin(struct fl_omp_member *member);

/* The current task's child gets its place among its siblings. `depend` is gcc's: either
 *     n, n of out, addresses: out, in
 * or
 *     0, n, n of out, of mutexinoutset, of in, addresses in that order, then omp_depend_t objects.
 * A null address that is written means all memory. */
enum fl_omp_place fl_omp_node_begin(struct fl_omp_member *me, struct fl_omp_task *task, void **depend);

/* Whether all siblings have ended that a child with such dependences would follow. */
bool fl_omp_depends_ended(struct fl_omp_member *me, void **depend);

/* The node's task has ended. The member is null for threads that are not of the team. */
void fl_omp_node_end(struct fl_omp_member *me, struct fl_omp_node *node);

/* Waits as a task with such dependences would. */
void fl_omp_depend_wait(struct fl_omp_member *me, void **depend);

/* The task makes no more children, or all that it has made have ended. */
void fl_omp_depends_end(struct fl_omp_member *me, struct fl_omp_task *task);

#endif
