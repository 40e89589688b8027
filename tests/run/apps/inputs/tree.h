/* SPDX-License-Identifier: BSD-3-Clause */
/* An unbalanced tree that a hash makes up: a node's state gives the number of its children, and
 * with a child's number the child's state. Nobody knows the size of a subtree but who counts it. */
#ifndef TREE_H
#define TREE_H

#include <stdint.h>

#define TREE_ROOT_CHILDREN 150

typedef struct {
    uint64_t state;
    int height;
    int n_children;
} Node;

/* The finaliser of splitmix64. */
static inline uint64_t tree_mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static inline Node tree_child(const Node *parent, int i)
{
    Node n;
    n.state = tree_mix(parent->state + (uint64_t)i);
    n.height = parent->height + 1;
    n.n_children = n.state % 1000 < 242 ? 4 : 0; /* a little less than one on average */
    return n;
}

static inline Node tree_root(int seed)
{
    Node n = {tree_mix((uint64_t)seed), 0, TREE_ROOT_CHILDREN};
    return n;
}

static inline long tree_count(Node n)
{
    long sum = 1;
    for (int i = 0; i < n.n_children; i++)
        sum += tree_count(tree_child(&n, i));
    return sum;
}

#endif
