#include "store/common/change_rules.h"
#include "store/postgres/implementation.h"
#include "store/postgres/jobs/registering.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace belfry::store::postgres {
namespace {

// Splits requests into rounds, a transaction each, so that no two of a round name the same job or
// key: the later one has to see what the earlier one did.
std::vector<std::vector<std::size_t>> rounds_of(std::span<const Registration> requests) {
  if (requests.size() == 1) return {{0}};
  using Name = std::tuple<TenantId, bool, std::string_view>;
  std::vector<std::vector<std::size_t>> rounds;
  std::vector<std::size_t> waiting(requests.size());
  std::iota(waiting.begin(), waiting.end(), std::size_t{0});
  while (!waiting.empty()) {
    std::set<Name> named;
    std::vector<std::size_t> round;
    std::vector<std::size_t> later;
    for (const std::size_t i : waiting) {
      std::vector<Name> names;
      for (const NewJob& job : requests[i].jobs) {
        names.emplace_back(job.tenant, false, job.definition.name);
      }
      if (const auto& idempotency = requests[i].idempotency)
        names.emplace_back(idempotency->tenant, true, idempotency->key);
      const auto is_named = [&](const Name& name) { return named.contains(name); };
      (std::ranges::any_of(names, is_named) ? later : round).push_back(i);
      // What a waiting request names counts, too: others have to wait behind it.
      named.insert(names.begin(), names.end());
    }
    rounds.push_back(std::move(round));
    waiting = std::move(later);
  }
  return rounds;
}

}  // namespace

Result<std::vector<JobStore::Registered>> PostgresStore::register_all(
    std::span<const Registration> requests) {
  std::vector<Registered> answers(requests.size());
  bool first = true;
  for (const std::vector<std::size_t>& round : rounds_of(requests)) {
    std::vector<const Registration*> of_round;
    std::vector<std::size_t> places;
    for (const std::size_t i : round) {
      if (auto checked = check(requests[i]); !checked) {
        answers[i] = fail(checked.error());
      } else if (!requests[i].jobs.empty()) {
        of_round.push_back(&requests[i]);
        places.push_back(i);
      }
    }
    if (places.empty()) continue;
    Registering registering(of_round, now(), zones_, stock_);
    Status done = registering.run(database_);
    for (std::size_t i = 0; i < places.size() + kTries && !done && registering.again(); ++i) {
      done = registering.run(database_);
    }
    if (!done && first) return fail(done.error());
    first = false;
    if (done) {
      hints_.box().add_changed(registering.announced());
      if (registering.changed_anything()) hints_.box().add_events();
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
      answers[places[i]] = done ? registering.take_answer(i) : Registered(fail(done.error()));
      if (!answers[places[i]]) continue;
      for (const RegisteredJob& job : *answers[places[i]]) {
        hints_.box().add_touched(job.job.id, keys_of_runs(job.settled.fates));
      }
    }
  }
  return answers;
}

}  // namespace belfry::store::postgres
