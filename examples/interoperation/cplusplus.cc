// SPDX-License-Identifier: BSD-3-Clause
// What cplusplus.upc has from C++: functions that C can call, and that let no exception out.
#include <algorithm>
#include <stdexcept>
#include <vector>

namespace {

double middle_of(std::vector<double> values)
{
    if (values.empty())
        throw std::invalid_argument("no values");
    auto middle = values.begin() + static_cast<long>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

} // namespace

// The median of n values; false if there is none.
extern "C" bool median(const double *values, int n, double *median_p)
{
    try {
        *median_p = middle_of(std::vector<double>(values, values + n));
        return true;
    } catch (const std::exception &) {
        return false;
    }
}
