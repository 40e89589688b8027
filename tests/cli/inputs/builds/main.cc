// SPDX-License-Identifier: BSD-3-Clause
#include <iostream>

extern "C" long two();

int main() { std::cout << two() << std::endl; }
