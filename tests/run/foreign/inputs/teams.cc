// SPDX-License-Identifier: BSD-3-Clause
#include <thread>
#include <vector>

extern "C" int add(int n);
extern "C" int run_threads(int n);

// UPC code that runs before main does so in the first thread.
static int early = add(0);

int run_threads(int n)
{
    std::vector<std::thread> threads;
    for (int i = 0; i < n; i++)
        threads.emplace_back([] { add(1); });
    for (auto &thread : threads)
        thread.join();
    return early;
}
