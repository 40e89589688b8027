/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Molecular dynamics of water: flexible molecules of an oxygen and two hydrogen atoms, in a
 * periodic box. Within a molecule bonds and the angle are springs; between molecules oxygen atoms
 * repel and attract each other and all atoms have charges, up to half the box's side. Each pair of
 * molecules counts once. Parameters: Y. Wu, H. L. Tepper, G. A. Voth: Flexible simple point-charge
 * water model (2006); units are nm, ps, u, so energies are kJ/mol. Steps predict and correct: C. W.
 * Gear's method with five derivatives.
 */
#ifndef OPENMP_WATER_H
#define OPENMP_WATER_H

#include "program.h"
#include <math.h>

enum { WATER_ATOMS = 3, WATER_NUMBERS = 9, WATER_ORDER = 5 };

/* Three coordinates of oxygen, hydrogen, hydrogen. */
struct atoms {
    double at[WATER_NUMBERS];
};

/* What only the owner of a molecule needs: derivatives of its position, the k-th of them times
 * dt^k / k!, from the first on. */
struct motion {
    struct atoms derivative[WATER_ORDER];
};

static const double water_mass[WATER_ATOMS] = {15.9994, 1.00794, 1.00794};
static const double water_charge[WATER_ATOMS] = {-0.82, 0.41, 0.41};
static const double water_dt = 0.0005;

struct water {
    long n;
    double side;
};

/* Molecules of a lattice, with the density of water. */
static inline struct water water_setup(long n) {
    return (struct water){n, cbrt((double)n / 33.4)};
}

static inline void water_place(const struct water *water, struct atoms *position, long number) {
    long edge = (long)ceil(cbrt((double)water->n) - 1e-9);
    double step = water->side / (double)edge, turn = 6.28 * random_at((uint64_t)(2 * number));
    double lift = random_at((uint64_t)(2 * number + 1)) - 0.5, half_angle = 0.988, bond = 0.1012;
    long cell[3] = {number / edge / edge, number / edge % edge, number % edge};
    for (int k = 0; k < 3; k++) {
        double centre = ((double)cell[k] + 0.5) * step;
        for (int atom = 0; atom < WATER_ATOMS; atom++) {
            position->at[3 * atom + k] = centre;
        }
    }
    for (int atom = 1; atom <= 2; atom++) {
        double side = (atom == 1 ? 1 : -1) * bond * sin(half_angle), along = bond * cos(half_angle);
        double across = along * sqrt(1 - lift * lift);
        position->at[3 * atom] += side * cos(turn) - across * sin(turn);
        position->at[3 * atom + 1] += side * sin(turn) + across * cos(turn);
        position->at[3 * atom + 2] += along * lift;
    }
}

static inline void water_predict(struct atoms *position, struct motion *motion) {
    struct atoms *order[WATER_ORDER + 1] = {position};
    for (int k = 1; k <= WATER_ORDER; k++) {
        order[k] = &motion->derivative[k - 1];
    }
    for (int low = 0; low < WATER_ORDER; low++) {
        for (int k = WATER_ORDER - 1; k >= low; k--) {
            for (int i = 0; i < WATER_NUMBERS; i++) {
                order[k]->at[i] += order[k + 1]->at[i];
            }
        }
    }
}

/* Returns twice the kinetic energy. */
static inline double water_correct(struct atoms *position, struct motion *motion,
                                   const struct atoms *force) {
    static const double factor[WATER_ORDER + 1] = {3.0 / 16,  251.0 / 360, 1,
                                                   11.0 / 18, 1.0 / 6,     1.0 / 60};
    double energy = 0;
    for (int i = 0; i < WATER_NUMBERS; i++) {
        double mass = water_mass[i / 3];
        double half_square = force->at[i] / mass * water_dt * water_dt / 2;
        double error = half_square - motion->derivative[1].at[i];
        position->at[i] += factor[0] * error;
        for (int k = 1; k <= WATER_ORDER; k++) {
            motion->derivative[k - 1].at[i] += factor[k] * error;
        }
        double velocity = motion->derivative[0].at[i] / water_dt;
        energy += mass * velocity * velocity;
    }
    return energy;
}

/* Forces within a molecule, in place of what `force` was; the energy. */
static inline double water_inside(const struct atoms *position, struct atoms *force) {
    const double bond_force = 443153.3, bond = 0.1012, angle_force = 317.5656, angle = 1.976410;
    double away[2][3], length[2], energy = 0, product = 0;
    memset(force, 0, sizeof *force);
    for (int h = 0; h < 2; h++) {
        double square = 0;
        for (int k = 0; k < 3; k++) {
            away[h][k] = position->at[3 * (h + 1) + k] - position->at[k];
            square += away[h][k] * away[h][k];
        }
        length[h] = sqrt(square);
        double stretch = length[h] - bond;
        energy += 0.5 * bond_force * stretch * stretch;
        for (int k = 0; k < 3; k++) {
            double f = -bond_force * stretch * away[h][k] / length[h];
            force->at[3 * (h + 1) + k] += f;
            force->at[k] -= f;
        }
    }
    for (int k = 0; k < 3; k++) {
        product += away[0][k] * away[1][k];
    }
    double cosine = product / (length[0] * length[1]), bend = acos(cosine) - angle;
    double slope = angle_force * bend / sqrt(1 - cosine * cosine);
    for (int h = 0; h < 2; h++) {
        for (int k = 0; k < 3; k++) {
            double other = away[1 - h][k] / length[1 - h], own = away[h][k] / length[h];
            double f = slope * (other - cosine * own) / length[h];
            force->at[3 * (h + 1) + k] += f;
            force->at[k] -= f;
        }
    }
    return energy + 0.5 * angle_force * bend * bend;
}

/* Forces of a pair of molecules are added to both; the energy. */
static inline double water_between(const struct water *water, const struct atoms *a,
                                   const struct atoms *b, struct atoms *force_a,
                                   struct atoms *force_b) {
    const double coulomb = 138.935458, sigma2 = 0.3165492 * 0.3165492, depth = 0.650299;
    double shift[3], square = 0, energy = 0;
    for (int k = 0; k < 3; k++) {
        double away = a->at[k] - b->at[k];
        shift[k] = -water->side * rint(away / water->side);
        square += (away + shift[k]) * (away + shift[k]);
    }
    if (square > water->side * water->side / 4) {
        return 0;
    }
    for (int i = 0; i < WATER_ATOMS; i++) {
        for (int j = 0; j < WATER_ATOMS; j++) {
            double x = a->at[3 * i] - b->at[3 * j] + shift[0];
            double y = a->at[3 * i + 1] - b->at[3 * j + 1] + shift[1];
            double z = a->at[3 * i + 2] - b->at[3 * j + 2] + shift[2];
            double inverse2 = 1 / (x * x + y * y + z * z);
            double potential = coulomb * water_charge[i] * water_charge[j] * sqrt(inverse2);
            double factor = potential * inverse2;
            if (i == 0 && j == 0) {
                double sixth = sigma2 * inverse2 * sigma2 * inverse2 * sigma2 * inverse2;
                potential += 4 * depth * sixth * (sixth - 1);
                factor += 24 * depth * sixth * (2 * sixth - 1) * inverse2;
            }
            energy += potential;
            force_a->at[3 * i] += factor * x;
            force_a->at[3 * i + 1] += factor * y;
            force_a->at[3 * i + 2] += factor * z;
            force_b->at[3 * j] -= factor * x;
            force_b->at[3 * j + 1] -= factor * y;
            force_b->at[3 * j + 2] -= factor * z;
        }
    }
    return energy;
}

/* With how many of those that follow it (around the end) a molecule makes a pair. */
static inline long water_partners(const struct water *water, long number) {
    return (water->n - 1) / 2 + (water->n % 2 == 0 && number < water->n / 2);
}

/* Whether a molecule of part `to` is in a pair that one of part `of` makes. */
static inline int water_reaches(const struct water *water, long parts, long of, long to) {
    long begin = part_begin(water->n, parts, of), end = part_begin(water->n, parts, of + 1);
    long first = part_begin(water->n, parts, to);
    return (first - begin + water->n) % water->n < end - begin + water->n / 2;
}

/* The forces of all pairs that molecules from `begin` to before `end` make, added to `forces`. */
static inline double water_pairs(const struct water *water, const struct atoms *positions,
                                 struct atoms *forces, long begin, long end) {
    double energy = 0;
    for (long i = begin; i < end; i++) {
        long partners = water_partners(water, i);
        for (long next = 1; next <= partners; next++) {
            long j = (i + next) % water->n;
            energy += water_between(water, &positions[i], &positions[j], &forces[i], &forces[j]);
        }
    }
    return energy;
}

static inline void water_add(struct atoms *to, const struct atoms *what) {
    for (int i = 0; i < WATER_NUMBERS; i++) {
        to->at[i] += what->at[i];
    }
}

#endif
