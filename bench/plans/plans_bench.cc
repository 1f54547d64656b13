// The hot statements beside millions of jobs: whether they use their indexes, whatever the planner
// thinks of the live tables, and how long they take.
#include "bench/plans/measures.h"

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
  using namespace belfry::bench;
  if (argc != 5) {
    std::fprintf(stderr, "usage: plans_bench load.sql jobs history runs\n");
    return 2;
  }
  const World::Size size{.jobs = std::strtoull(argv[2], nullptr, 10),
                         .history = std::strtoull(argv[3], nullptr, 10)};
  World world(argv[1], size);
  std::printf("%llu jobs and %llu rows of history loaded\n",
              static_cast<unsigned long long>(size.jobs),
              static_cast<unsigned long long>(size.history));
  bool met = check_plans(world, "with nothing live");
  measure_statements(world);
  met = check_plans(world, "with live runs") && met;
  world.sql("vacuum analyze runs, skips, partitions, job_changes");
  met = check_plans(world, "analyzed again") && met;
  met = measure_old_snapshot(world, std::strtoull(argv[4], nullptr, 10)) && met;
  return met ? 0 : 1;
}
