// SPDX-License-Identifier: BSD-3-Clause
// Loops that fetch in pieces what they read of other hosts, and store what they write there; and
// those that may not: they may end early, write some elements only, or read what they wrote.
//@ flags: -O2
#include <upc_relaxed.h>

struct body {
    double mass, x;
};

shared [] int table[100][50];

double sum(shared [] double *p, shared [] int *q, int n) {
    double s = 0;
    for (int i = 0; i < n; i++)
        s += p[i] * q[i - 1];
    return s;
}

double moment(shared [] struct body *all, int n) {
    double most = 0;
    for (int i = 0; i < n; i++)
        if (all[i].mass > most)
            most = all[i].x;
    return most;
}

void smooth(shared [] double *to, shared [] double *p, int n) {
    for (int i = 1; i < n; i++)
        to[i] = p[i - 1] + p[i] + p[i + 1];
}

void fill(int row) {
    for (int i = 0; i < 50; i++)
        table[row][i]++;
}

int until(shared [] int *p, int n) {
    int i;
    for (i = 0; i < n; i++) {
        if (p[i])
            break;
    }
    return i;
}

void clip(shared [] int *p, int n) {
    for (int i = 0; i < n; i++)
        if (p[i] < 0)
            p[i] = 0;
}

void increment(shared [] int *p, int n) {
    for (int i = 1; i < n; i++)
        p[i] = p[i - 1] + 1;
}

double last(shared [] double *p, int n) {
    double s = 0;
    for (int i = n - 1; i > 0; i--)
        s = s * 0.5 + p[i];
    return s;
}

struct vector {
    int n;
    shared [] double *at;
    double sum;
};

void add(shared struct vector *v) {
    for (int i = 0; i < v->n; i++) {
        if (v->at[i] < 0)
            continue;
        v->at[i]++;
    }
}

void add_up(shared struct vector *v) {
    for (int i = 0; i < v->n; i++)
        v->sum += v->at[i];
}
