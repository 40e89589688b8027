// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 1x4 4x1 2x2 1x7 3x1 5x1
/*
 * A distributed hash table: buckets are spread over the threads, and each bucket is a linked
 * list of nodes that may live with any thread.
 *
 * Shows `shared []` pointers: such a pointer may point into the memory of any thread, and costs
 * no more than a C pointer. A node is allocated by the thread that inserts it; the list then
 * runs from memory to memory. Each bucket has a lock.
 */
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>

#define BUCKETS 64 /* of each thread */
#define KEYS 3000  /* inserted by each thread */

typedef shared [] struct node *node_ptr;

struct node {
    int key;
    int count; /* how often the key was inserted */
    node_ptr next;
};

struct bucket {
    node_ptr first;
    upc_lock_t *lock;
};

/* Static shared objects begin as zeros: all lists are empty. */
shared struct bucket table[BUCKETS * THREADS];
shared int lost[THREADS];

static int bucket_of(int key) {
    return (int)((unsigned)key * 2654435761u % (unsigned)(BUCKETS * THREADS));
}

/* The node with `key`, or null. */
static node_ptr find(int key) {
    node_ptr node = table[bucket_of(key)].first;
    while (node && node->key != key) {
        node = node->next;
    }
    return node;
}

/* Counts one more occurrence of `key`. */
static void insert(int key) {
    shared struct bucket *bucket = &table[bucket_of(key)];
    upc_lock(bucket->lock);
    node_ptr node = find(key);
    if (node) {
        node->count++;
    } else {
        node = upc_alloc(sizeof(struct node));
        node->key = key;
        node->count = 1;
        node->next = bucket->first;
        bucket->first = node;
    }
    upc_unlock(bucket->lock);
}

/* Keys of two threads overlap by a half, so that every list is worked on from several sides. */
static int key_of(int thread, int i) {
    return thread * (KEYS / 2) + i;
}

static int expected_count(int key) {
    int n = 0;
    for (int t = 0; t < THREADS; t++) {
        n += key >= key_of(t, 0) && key < key_of(t, KEYS);
    }
    return n;
}

static void free_list(node_ptr node) {
    while (node) {
        node_ptr next = node->next;
        upc_free(node);
        node = next;
    }
}

int main(void) {
    int i;
    upc_forall (i = 0; i < BUCKETS * THREADS; i++; &table[i]) {
        table[i].lock = upc_global_lock_alloc();
    }
    upc_barrier;

    for (i = 0; i < KEYS; i++) {
        insert(key_of(MYTHREAD, i));
    }
    upc_barrier;

    /* Each thread looks up the keys of its neighbour, and a few that nobody inserted. */
    int neighbour = (MYTHREAD + 1) % THREADS;
    for (i = 0; i < KEYS; i++) {
        int key = key_of(neighbour, i);
        node_ptr node = find(key);
        lost[MYTHREAD] += !node || node->count != expected_count(key);
        lost[MYTHREAD] += find(-1 - i) != NULL;
    }
    upc_barrier;

    upc_forall (i = 0; i < BUCKETS * THREADS; i++; &table[i]) {
        free_list(table[i].first);
        upc_lock_free(table[i].lock);
    }
    if (MYTHREAD == 0) {
        int all = 0;
        for (i = 0; i < THREADS; i++) {
            all += lost[i];
        }
        printf("%d inserts by %d threads into %d buckets: %d wrong answers\n", KEYS * THREADS,
               THREADS, BUCKETS * THREADS, all);
        if (all) {
            return 1;
        }
        printf("ok\n");
    }
    return 0;
}
