// SPDX-License-Identifier: BSD-3-Clause
#include <numeric>
#include <vector>

extern "C" long two() {
    std::vector<long> v(4);
#pragma omp parallel for
    for (int i = 0; i < 4; i++) v[i] = i + 1;
    return std::accumulate(v.begin(), v.end(), 0L);
}
