/* SPDX-License-Identifier: BSD-3-Clause */
/* Shock hydrodynamics in small: elements and nodes in vectors, forces gathered through lists of
 * corners, time steps by minima of each thread, memory allocated in regions, errors as exceptions. */
#include "../inputs/check.h"

#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <vector>

namespace {

struct Domain {
    explicit Domain(int edge) : edge(edge), x(nodes()), velocity(nodes()), force(nodes()),
                                mass(nodes()), energy(elements()), volume(elements()),
                                pressure(elements()), corners(nodes()) {
#pragma omp parallel for
        for (int n = 0; n < nodes(); n++) {
            x[n] = n % (edge + 1) + 0.01 * (n % 7);
            mass[n] = 1;
        }
        for (int e = 0; e < elements(); e++) {
            energy[e] = e == 0 ? 10 : 0.1;
            for (int c = 0; c < 4; c++) {
                corners[node(e, c)].push_back(4 * e + c);
            }
        }
    }

    int nodes() const { return (edge + 1) * (edge + 1); }
    int elements() const { return edge * edge; }
    int node(int e, int c) const {
        return (e / edge + c / 2) * (edge + 1) + e % edge + c % 2;
    }

    int edge;
    std::vector<double> x, velocity, force, mass, energy, volume, pressure;
    std::vector<std::vector<int>> corners;
};

void forces(Domain &d) {
    std::unique_ptr<double[]> of_corner(new double[4 * d.elements()]);
#pragma omp parallel
    {
#pragma omp for schedule(guided)
        for (int e = 0; e < d.elements(); e++) {
            double width = d.x[d.node(e, 1)] - d.x[d.node(e, 0)];
            d.volume[e] = width;
            d.pressure[e] = 0.4 * d.energy[e] / width;
            for (int c = 0; c < 4; c++) {
                of_corner[4 * e + c] = (c % 2 ? 0.5 : -0.5) * d.pressure[e];
            }
        }
#pragma omp for
        for (int n = 0; n < d.nodes(); n++) {
            double sum = 0;
            for (int corner : d.corners[n]) {
                sum += of_corner[corner];
            }
            d.force[n] = sum;
        }
    }
}

/* The least of all threads, each in an element of its own. */
double time_step(const Domain &d) {
    std::vector<double> least(omp_get_max_threads(), std::numeric_limits<double>::max());
#pragma omp parallel
    {
        double &mine = least[omp_get_thread_num()];
#pragma omp for nowait
        for (int e = 0; e < d.elements(); e++) {
            mine = std::min(mine, 0.02 * d.volume[e] / std::sqrt(d.pressure[e] + 1));
        }
    }
    double step = least[0];
    for (double other : least) {
        step = std::min(step, other);
    }
    return step;
}

double advance(Domain &d, int steps) {
    double kinetic = 0, inner = 0;
    for (int i = 0; i < steps; i++) {
        forces(d);
        double dt = time_step(d);
        bool is_bad = false;
#pragma omp parallel for
        for (int n = 0; n < d.nodes(); n++) {
            d.velocity[n] += dt * d.force[n] / d.mass[n];
            d.x[n] += dt * d.velocity[n];
        }
#pragma omp parallel for reduction(|| : is_bad)
        for (int e = 0; e < d.elements(); e++) {
            try {
                double width = d.x[d.node(e, 1)] - d.x[d.node(e, 0)];
                if (width <= 0) {
                    throw std::runtime_error("turned inside out");
                }
                d.energy[e] -= d.pressure[e] * (width - d.volume[e]);
            } catch (const std::runtime_error &) {
                is_bad = true;
            }
        }
        if (is_bad) {
            return -1;
        }
    }
#pragma omp parallel for reduction(+ : kinetic)
    for (int n = 0; n < d.nodes(); n++) {
        kinetic += d.mass[n] * d.velocity[n] * d.velocity[n] / 2;
    }
#pragma omp parallel for reduction(+ : inner)
    for (int e = 0; e < d.elements(); e++) {
        inner += d.energy[e];
    }
    return kinetic + inner;
}

} // namespace

int main() {
    Domain all(16), alone(16);
    double energy = advance(all, 20);
    int threads = omp_get_max_threads();
    omp_set_num_threads(1);
    double expected = advance(alone, 20);
    omp_set_num_threads(threads);
    CHECK(expected > 0 && std::fabs(energy - expected) < 1e-9 * expected);
    CHECK(all.x == alone.x);
    return result();
}
