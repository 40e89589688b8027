// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x4 2x2 4x1
// Streams of strings that host 0 has made are everybody's; the library begins its locale on each host.
#include "../inputs/check.h"
#include <sstream>
#include <vector>

int main() {
    std::vector<std::ostringstream> streams(12);
    std::istringstream numbers("1 2 3 4 5 6 7 8 9 10 11 12");
    long sum = 0;
#pragma omp parallel for
    for (int i = 0; i < 12; i++) {
        streams[i] << i << ' ' << i + 0.5;
#pragma omp critical
        {
            int number;
            numbers >> number;
            sum += number;
        }
    }
    CHECK(sum == 78);
    CHECK(streams[11].str() == "11 11.5" && streams[0].str() == "0 0.5");
    return result();
}
