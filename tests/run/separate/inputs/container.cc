// SPDX-License-Identifier: BSD-3-Clause
// A C++ library: one container per process, shared by its threads.
#include <mutex>
#include <vector>

static std::vector<int> values;
static std::mutex guard;

extern "C" void container_add(int value)
{
    std::lock_guard<std::mutex> hold(guard);
    values.push_back(value);
}

extern "C" int container_sum()
{
    std::lock_guard<std::mutex> hold(guard);
    int sum = 0;
    for (int value : values)
        sum += value;
    return sum;
}
