/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dependences between the children of a task. OpenMP 5.1 §2.19.11.
 *
 * For each address the parent keeps the latest generation of children that named it: one writer, or
 * several children that may run at the same time. A new child becomes a successor of that
 * generation, or joins it and becomes a successor of the one before. Only the parent's thread
 * touches this table; other threads see nodes, each with a list of successors that is closed when
 * its task ends.
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
    FL_OMP_LATE /* ready: all its predecessors had already ended */
};

/* Prepares a new member's pools of nodes and links. */
void fl_omp_depends_begin(struct fl_omp_member *member);

/* Inserts the current task's child into the graph of its siblings. `depend` is gcc's: either
 *     n, n of out, addresses: out, in
 * or
 *     0, n, n of out, of mutexinoutset, of in, addresses in that order, then omp_depend_t objects.
 * A null address among those written stands for all memory. */
enum fl_omp_place fl_omp_node_begin(struct fl_omp_member *me, struct fl_omp_task *task, void **depend);

/* Whether all predecessors of a child with such dependences have ended. */
bool fl_omp_depends_ended(struct fl_omp_member *me, void **depend);

/* The node's task has ended. The member is null for threads that are not of the team. */
void fl_omp_node_end(struct fl_omp_member *me, struct fl_omp_node *node);

/* Waits until a task with such dependences could begin. */
void fl_omp_depend_wait(struct fl_omp_member *me, void **depend);

/* Frees the task's table: the task makes no more children, or all its children have ended. */
void fl_omp_depends_end(struct fl_omp_member *me, struct fl_omp_task *task);

#endif
