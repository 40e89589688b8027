/* SPDX-License-Identifier: BSD-3-Clause */
/* Breadth-first search, shortest ways and components of a graph in containers of the C++ library:
 * frontiers that threads fill and join, reductions of a class of the program, loops over iterators. */
#include "../inputs/check.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <vector>

namespace {

using Graph = std::vector<std::vector<int>>;

Graph make(int n) {
    Graph graph(n);
    for (int i = 0; i < n; i++) {
        for (int k = 1; k <= 3; k++) {
            int j = (i * 17 + k * k * 31) % n;
            if (i % 5 != 0 && j % 5 != 0) {
                graph[i].push_back(j);
                graph[j].push_back(i);
            }
        }
    }
    return graph;
}

std::vector<int> alone(const Graph &graph, int from) {
    std::vector<int> distance(graph.size(), -1), queue{from};
    distance[from] = 0;
    for (size_t at = 0; at < queue.size(); at++) {
        for (int next : graph[queue[at]]) {
            if (distance[next] < 0) {
                distance[next] = distance[queue[at]] + 1;
                queue.push_back(next);
            }
        }
    }
    return distance;
}

#pragma omp declare reduction(join : std::vector<int> : omp_out.insert(omp_out.end(),              \
                                                                      omp_in.begin(),              \
                                                                      omp_in.end()))

std::vector<int> by_frontiers(const Graph &graph, int from) {
    std::vector<int> distance(graph.size(), -1), frontier{from};
    distance[from] = 0;
    for (int depth = 1; !frontier.empty(); depth++) {
        std::vector<int> next;
#pragma omp parallel for schedule(dynamic, 4) reduction(join : next)
        for (size_t i = 0; i < frontier.size(); i++) {
            for (int to : graph[frontier[i]]) {
                int before, &place = distance[to];
#pragma omp atomic compare capture
                {
                    before = place;
                    if (place == -1) {
                        place = depth;
                    }
                }
                if (before < 0) {
                    next.push_back(to);
                }
            }
        }
        frontier = next;
    }
    return distance;
}

struct Largest {
    int key = -1;
    std::string name;
    void take(const Largest &other) {
        if (other.key > key) {
            *this = other;
        }
    }
};
#pragma omp declare reduction(largest : Largest : omp_out.take(omp_in))

} // namespace

int main() {
    Graph graph = make(600);
    CHECK(by_frontiers(graph, 1) == alone(graph, 1));

    Largest best;
#pragma omp parallel for reduction(largest : best)
    for (auto it = graph.begin(); it < graph.end(); ++it) {
        Largest mine;
        mine.key = int(it->size()) * 1000 + int(it - graph.begin());
        mine.name = "a vertex whose name is too long for small strings: " + std::to_string(mine.key);
        best.take(mine);
    }
    int most = 0;
    for (size_t i = 0; i < graph.size(); i++) {
        most = std::max(most, int(graph[i].size()) * 1000 + int(i));
    }
    CHECK(best.key == most && best.name.find(std::to_string(most)) != std::string::npos);

    std::map<int, std::vector<int>> by_degree;
#pragma omp parallel
    {
        std::map<int, std::vector<int>> mine;
#pragma omp for nowait
        for (size_t i = 0; i < graph.size(); i++) {
            mine[int(graph[i].size())].push_back(int(i));
        }
#pragma omp critical
        for (const auto &entry : mine) {
            auto &list = by_degree[entry.first];
            list.insert(list.end(), entry.second.begin(), entry.second.end());
        }
    }
    size_t vertices = 0;
    for (auto &entry : by_degree) {
        vertices += entry.second.size();
        for (int vertex : entry.second) {
            CHECK(int(graph[vertex].size()) == entry.first);
        }
    }
    CHECK(vertices == graph.size());
    return result();
}
