/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * SP of the NAS Parallel Benchmarks: the equations of cfd.h, whose implicit part is made diagonal
 * (Pulliam and Chaussee): along a line the five components are independent in the variables that
 * belong to the flux's eigenvalues, which are the velocity, three times, and the velocity plus and
 * minus that of sound. So lines are three systems of five diagonals, with five right sides.
 *
 * Before each direction r is transformed into its variables, as it is read.
 */
#ifndef SP_H
#define SP_H

#include "npb.h"

enum { CFD_RESULTS = 10, CFD_LAG = 2, CFD_WORK = 11 };

#if CLASS == 'S'
enum { CFD_N = 12, CFD_STEPS = 100 };
static const double cfd_dt = 0.015;
static const double cfd_official[CFD_RESULTS] = {
    2.7470315451339479e-02, 1.0360746705285417e-02, 1.6235745065095532e-02, 1.5840557224455615e-02,
    3.4849040609362460e-02, 2.7289258557377227e-05, 1.0364446640837285e-05, 1.6154798287166471e-05,
    1.5750704994480102e-05, 3.4177666183390531e-05};
#elif CLASS == 'W'
enum { CFD_N = 36, CFD_STEPS = 400 };
static const double cfd_dt = 0.0015;
static const double cfd_official[CFD_RESULTS] = {
    0.1893253733584e-02, 0.1717075447775e-03, 0.2778153350936e-03, 0.2887475409984e-03,
    0.3143611161242e-02, 0.7542088599534e-04, 0.6512852253086e-05, 0.1049092285688e-04,
    0.1128838671535e-04, 0.1212845639773e-03};
#elif CLASS == 'A'
enum { CFD_N = 64, CFD_STEPS = 400 };
static const double cfd_dt = 0.0015;
static const double cfd_official[CFD_RESULTS] = {
    2.4799822399300195e+00, 1.1276337964368832e+00, 1.5028977888770491e+00, 1.4217816211695179e+00,
    2.1292113035138280e+00, 1.0900140297820550e-04, 3.7343951769282091e-05, 5.0092785406541633e-05,
    4.7671093939528255e-05, 1.3621613399213001e-04};
#else
enum { CFD_N = 102, CFD_STEPS = 400 };
static const double cfd_dt = 0.001;
static const double cfd_official[CFD_RESULTS] = {
    0.6903293579998e+02, 0.3095134488084e+02, 0.4103336647017e+02, 0.3864769009604e+02,
    0.5643482272596e+02, 0.9810006190188e-02, 0.1022827905670e-02, 0.1720597911692e-02,
    0.1694479428231e-02, 0.1847456263981e-01};
#endif

static const char *const cfd_name = "sp";
static const double cfd_operations =
    881.174 * CFD_N * CFD_N * CFD_N - 4683.91 * CFD_N * CFD_N + 11484.5 * CFD_N - 19272.4;

#include "adi.h"

#define SP_ROOT 0.70710678118654752440 /* of 1/2 */

/* What a system has of a place: the velocity along the line, that of sound, and the viscosity. */
struct sp_place {
    double velocity[CFD_BUNDLE], sound[CFD_BUNDLE], viscosity[CFD_BUNDLE];
};

/* The square of the velocity of sound. */
CFD_INLINE double sp_sound2(double density, double energy, double inverse, double dynamic) {
    return cfd_c1 * cfd_c2 * inverse * (energy - dynamic * density);
}

CFD_INLINE void sp_look(int n, const struct cfd *c, const struct adi_lines *l, long place,
                        struct sp_place *s) {
    for (long line = 0; line < l->n; line++) {
        const long point = adi_point(l, place, line);
        const CFD_REAL *u = c->u + 5 * point;
        const double inverse = c->inverse[point];
        s->velocity[line] = u[n] * inverse;
        s->sound[line] = sqrt(sp_sound2(u[0], u[4], inverse, c->dynamic[point]));
        s->viscosity[line] = cfd_second[n] + cfd_c1345 * inverse;
    }
}

/* What r is before direction n, in that direction's variables. The right side is not yet multiplied by
 * the time that a step takes; u is needed of momenta alone. */
CFD_INLINE void sp_load(int n, const struct cfd *c, long point, const double r[5], const double u[4],
                        double sound, double x[5]) {
    if (n == 1) {
        const double inverse = c->inverse[point], mass = cfd_dt * r[0];
        double drift[4], work = c->dynamic[point] * mass + cfd_dt * r[4];
        for (int m = 1; m < 4; m++) {
            double velocity = u[m] * inverse;
            drift[m] = inverse * (velocity * mass - cfd_dt * r[m]);
            work -= velocity * cfd_dt * r[m];
        }
        double pressure = cfd_c2 / (sound * sound) * work, along = SP_ROOT * drift[1];
        double wave = SP_ROOT * inverse * sound * pressure;
        x[0] = mass - pressure;
        x[1] = -drift[3];
        x[2] = drift[2];
        x[3] = wave - along;
        x[4] = wave + along;
        return;
    }
    double sum = 0.5 * (r[3] + r[4]), difference = SP_ROOT * (r[3] - r[4]);
    double half = SP_ROOT * r[n == 2 ? 2 : 0];
    x[0] = n == 2 ? -r[1] : difference;
    x[1] = n == 2 ? r[0] : -r[2];
    x[2] = n == 2 ? difference : r[1];
    x[3] = sum - half;
    x[4] = sum + half;
}

/* The system of each component. */
static const int sp_system[5] = {0, 0, 0, 1, 2};

/* One place of a line, whose three diagonals inside are b, d, f without sound; what is kept is what
 * stands behind the diagonal, for each system, and the right sides. */
CFD_INLINE void sp_place(double *work, long before, const double weight[5], const double inside[3],
                         const double wave[2], const double x[5]) {
    const double *near = work - before, *far = near - before;
    double factor[3][2];
    for (int s = 0; s < 3; s++) {
        const double sign = s == 0 ? 0 : s == 1 ? 1 : -1;
        double b = inside[0] - sign * wave[0], d = inside[2] + sign * wave[1];
        b -= weight[0] * far[2 * s];
        double middle = inside[1] - weight[0] * far[2 * s + 1] - b * near[2 * s];
        double over = 1 / middle;
        work[2 * s] = over * (d - b * near[2 * s + 1]);
        work[2 * s + 1] = over * weight[4];
        factor[s][0] = b;
        factor[s][1] = over;
    }
    for (int m = 0; m < 5; m++) {
        const double *of = factor[sp_system[m]];
        work[6 + m] = of[1] * (x[m] - weight[0] * far[6 + m] - of[0] * near[6 + m]);
    }
}

CFD_INLINE void sp_eliminate(int n, const struct cfd *c, const struct adi_lines *l) {
    const double flow = cfd_dt * cfd_t2, smooth = cfd_dt * cfd_t1;
    struct sp_place places[3], *last = places, *here = places + 1, *next = places + 2;
    sp_look(n, c, l, l->begin - 1, last);
    sp_look(n, c, l, l->begin, here);
    for (long place = l->begin; place < l->end; place++) {
        const struct cfd_stencil s = cfd_stencil(place, 0);
        double weight[5];
        for (int i = 0; i < 5; i++) {
            weight[i] = cfd_dt * cfd_fourth * s.weight[i];
        }
        sp_look(n, c, l, place + 1, next);
        for (long line = 0; line < l->n; line++) {
            const long point = adi_point(l, place, line);
            const CFD_REAL *r = c->r + 5 * point, *u = c->u + 5 * point;
            const double right[5] = {r[0], r[1], r[2], r[3], r[4]}, flux[4] = {0, u[1], u[2], u[3]};
            double x[5];
            const double inside[3] = {
                weight[1] - flow * last->velocity[line] - smooth * last->viscosity[line],
                weight[2] + 1 + 2 * smooth * here->viscosity[line],
                weight[3] + flow * next->velocity[line] - smooth * next->viscosity[line]};
            const double wave[2] = {flow * last->sound[line], flow * next->sound[line]};
            sp_load(n, c, point, right, flux, here->sound[line], x);
            sp_place(adi_work(l, place, line), adi_before(l), weight, inside, wave, x);
        }
        struct sp_place *spare = last;
        last = here;
        here = next;
        next = spare;
    }
}

static NPB_KERNEL void sp_eliminate_x(const struct cfd *c, const struct adi_lines *l) {
    sp_eliminate(1, c, l);
}
static NPB_KERNEL void sp_eliminate_y(const struct cfd *c, const struct adi_lines *l) {
    sp_eliminate(2, c, l);
}
static NPB_KERNEL void sp_eliminate_z(const struct cfd *c, const struct adi_lines *l) {
    sp_eliminate(3, c, l);
}

static void adi_eliminate(int n, const struct cfd *c, const struct adi_lines *l) {
    (n == 1 ? sp_eliminate_x : n == 2 ? sp_eliminate_y : sp_eliminate_z)(c, l);
}

static NPB_KERNEL void sp_substitute(const struct cfd *c, const struct adi_lines *l) {
    for (long place = l->end - 1; place >= l->begin; place--) {
        /* Behind a line's last place but one nothing stands: its last is 0, and serves for it. */
        const long near = 5 * l->step, far = place + 2 < CFD_N ? 2 * near : near;
        for (long line = 0; line < l->n; line++) {
            const double *work = adi_work(l, place, line);
            CFD_REAL *r = c->r + 5 * adi_point(l, place, line);
            for (int m = 0; m < 5; m++) {
                const double *behind = work + 2 * sp_system[m];
                r[m] = work[6 + m] - behind[0] * r[near + m] - behind[1] * r[far + m];
            }
        }
    }
}

static void adi_substitute(int n, const struct cfd *c, const struct adi_lines *l) {
    (void)n;
    sp_substitute(c, l);
}

/* From the variables of z back to those of u, which r corrects. */
static NPB_KERNEL void sp_correct_row(const struct cfd *c, long row) {
    for (long point = row + 1; point < row + CFD_N - 1; point++) {
        CFD_REAL *u = c->u + 5 * point;
        const CFD_REAL *r = c->r + 5 * point;
        const double density = u[0], inverse = c->inverse[point], dynamic = c->dynamic[point];
        const double velocity[4] = {0, u[1] * inverse, u[2] * inverse, u[3] * inverse};
        const double sound2 = sp_sound2(density, u[4], inverse, dynamic), slow = SP_ROOT * density;
        const double wave = slow / sqrt(sound2) * (r[3] + r[4]), mass = r[2] + wave;
        const double drift = slow * (r[3] - r[4]);
        const double across = density * r[1], over = density * r[0];
        u[0] += mass;
        u[1] += velocity[1] * mass - across;
        u[2] += velocity[2] * mass + over;
        u[3] += velocity[3] * mass + drift;
        u[4] += velocity[2] * over - velocity[1] * across + dynamic * mass + sound2 / cfd_c2 * wave +
                velocity[3] * drift;
    }
}

static void cfd_correct(const struct cfd *c) {
    for (long k = 1; k < CFD_N - 1; k++) {
        for (long j = cfd_inner_begin(c); j < cfd_inner_end(c); j++) {
            sp_correct_row(c, cfd_point(c, k, j));
        }
    }
}

static void cfd_results(const struct cfd *c, double result[CFD_RESULTS]) { cfd_norms(c, result); }

#endif
