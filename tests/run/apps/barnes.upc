// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x4 2x2
//@ flags: -lm
/* Barnes-Hut in the plane: a quadtree of shared cells linked by pointers-to-shared, built by all
 * threads under locks, its centres of mass computed bottom-up, forces found by walking it; they
 * must be near those of the direct sum, and the tree's mass the total mass. */
#include <upc_relaxed.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#define BODIES 64 /* of each thread */
#define N (BODIES * THREADS)
#define THETA 0.2
#define EPS 0.05
#define LOCKS 16

typedef struct { double x, y; } vec;
typedef struct body_s {
    vec pos, force;
    double mass;
    unsigned done : 1;
    unsigned id : 20;
} body_t;

typedef shared [] body_t *body_ptr;
typedef shared struct cell_s *cell_ptr;
struct cell_s {
    vec low;
    double size;
    double mass;
    vec centre;
    int n; /* bodies below */
    body_ptr body; /* the one body of a leaf */
    cell_ptr child[4];
};

shared [BODIES] body_t bodies[BODIES * THREADS];
shared cell_ptr root;
upc_lock_t *locks[LOCKS]; /* private copies of the same shared locks */

static cell_ptr new_cell(vec low, double size)
{
    cell_ptr c = (cell_ptr)upc_alloc(sizeof(struct cell_s));
    int i;
    c->low = low;
    c->size = size;
    c->mass = 0.0;
    c->n = 0;
    c->body = NULL;
    for (i = 0; i < 4; i++)
        c->child[i] = 0;
    return c;
}

static int quadrant(cell_ptr c, vec p)
{
    return (p.x >= c->low.x + c->size / 2) + 2 * (p.y >= c->low.y + c->size / 2);
}

static cell_ptr child_for(cell_ptr c, vec p)
{
    int q = quadrant(c, p);
    if (!c->child[q]) {
        vec low = c->low;
        if (q & 1)
            low.x += c->size / 2;
        if (q & 2)
            low.y += c->size / 2;
        c->child[q] = new_cell(low, c->size / 2);
    }
    return c->child[q];
}

/* called with the lock of the top-level quadrant held */
static void insert(cell_ptr c, body_ptr b)
{
    vec p = b->pos;
    for (;;) {
        if (c->n++ == 0) {
            c->body = b;
            return;
        }
        if (c->body) {
            body_ptr other = c->body;
            cell_ptr down = child_for(c, other->pos);
            c->body = NULL;
            down->n++;
            down->body = other;
        }
        c = child_for(c, p);
    }
}

static void summarise(cell_ptr c)
{
    double m = 0, x = 0, y = 0;
    if (c->body) {
        c->mass = c->body->mass;
        c->centre = c->body->pos;
        return;
    }
    for (int i = 0; i < 4; i++) {
        cell_ptr k = c->child[i];
        if (!k || !k->n)
            continue;
        summarise(k);
        m += k->mass;
        x += k->mass * k->centre.x;
        y += k->mass * k->centre.y;
    }
    c->mass = m;
    c->centre.x = x / m;
    c->centre.y = y / m;
}

static void attract(vec *f, vec at, vec from, double mass)
{
    double dx = from.x - at.x, dy = from.y - at.y, d2 = dx * dx + dy * dy + EPS * EPS;
    double s = mass / (d2 * sqrt(d2));
    f->x += s * dx;
    f->y += s * dy;
}

static void walk(cell_ptr c, body_ptr b, vec *f)
{
    vec p = b->pos, centre = c->centre;
    double dx = centre.x - p.x, dy = centre.y - p.y;
    if (c->body == b)
        return;
    if (c->body || c->size * c->size < THETA * THETA * (dx * dx + dy * dy)) {
        attract(f, p, centre, c->mass);
        return;
    }
    for (int i = 0; i < 4; i++)
        if (c->child[i] && c->child[i]->n)
            walk(c->child[i], b, f);
}

int main(void)
{
    int i, j;
    double mass = 0, worst = 0;
    for (i = 0; i < LOCKS; i++)
        locks[i] = upc_all_lock_alloc();
    if (MYTHREAD == 0) {
        root = new_cell((vec){0, 0}, 1.0);
        for (i = 0; i < 4; i++) { /* all four quadrants exist from the beginning */
            vec p = {i & 1 ? 0.75 : 0.25, i & 2 ? 0.75 : 0.25};
            child_for(root, p);
        }
    }
    srand(17 + MYTHREAD);
    upc_forall (i = 0; i < N; i++; &bodies[i]) {
        body_ptr b = (body_ptr)&bodies[i];
        b->pos = (vec){(rand() % 100000 + 0.5) / 100000, (rand() % 100000 + 0.5) / 100000};
        b->mass = 1.0 + i % 5;
        b->id = i;
        b->done = 0;
    }
    upc_barrier;
    upc_forall (i = 0; i < N; i++; &bodies[i]) {
        vec p = bodies[i].pos;
        int q = quadrant(root, p);
        upc_lock(locks[q]);
        insert(root->child[q], (body_ptr)&bodies[i]);
        upc_unlock(locks[q]);
    }
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        summarise(root);
    upc_barrier;

    upc_forall (i = 0; i < N; i++; &bodies[i]) {
        vec f = {0, 0};
        walk(root, (body_ptr)&bodies[i], &f);
        bodies[i].force = f;
        bodies[i].done = 1;
    }
    upc_barrier;

    for (i = MYTHREAD; i < N; i += THREADS) {
        vec direct = {0, 0}, p = bodies[i].pos, f = bodies[i].force;
        for (j = 0; j < N; j++)
            if (j != i)
                attract(&direct, p, bodies[j].pos, bodies[j].mass);
        double e = hypot(direct.x - f.x, direct.y - f.y) / (1 + hypot(direct.x, direct.y));
        worst = e > worst ? e : worst;
        if (!bodies[i].done || bodies[i].id != i) {
            printf("body %d was lost\n", i);
            upc_global_exit(1);
        }
    }
    for (i = 0; i < N; i++)
        mass += bodies[i].mass;
    if (!(worst < 0.1) || fabs(root->mass - mass) > 1e-9 * mass) {
        printf("thread %d: error %g, mass %g of %g\n", MYTHREAD, worst, root->mass, mass);
        upc_global_exit(1);
    }
    upc_barrier;
    if (MYTHREAD == 0)
        printf("ok\n");
    return 0;
}
