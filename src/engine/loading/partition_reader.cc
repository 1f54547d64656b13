#include "engine/loading/partition_reader.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace belfry::engine {
namespace {

// Definitions that are remembered from partition to partition.
constexpr std::size_t kMostKnown = 200'000;

LoadedPartition of(PartitionNo partition, const store::PartitionJobs& jobs, store::Era era) {
  LoadedPartition loaded;
  loaded.partition = partition;
  loaded.decided_through = jobs.decided_through;
  loaded.version = jobs.version;
  loaded.era = era;
  return loaded;
}

}  // namespace

Result<LoadedPartition> PartitionReader::read(PartitionNo partition) {
  BELFRY_TRY(brief, store_.load_brief(partition));
  BELFRY_TRY(complete, learn(brief.brief));
  if (!complete) {
    // A definition changed while it was read, or its terms were written by another version.
    BELFRY_TRY(all, store_.load_partition(partition));
    LoadedPartition loaded = of(partition, all, brief.era);
    loaded.whole = std::move(all.jobs);
    return loaded;
  }
  LoadedPartition loaded = sort(brief);
  loaded.partition = partition;
  loaded.whole = std::move(brief.whole);
  return loaded;
}

// Reads one job for each of the terms that are new. False if some are still unknown.
Result<bool> PartitionReader::learn(std::span<const store::BriefJob> jobs) {
  if (known_.size() > kMostKnown) known_.clear();
  std::vector<JobId> examples;
  for (const store::BriefJob& job : jobs) {
    if (core::once_at(job.terms)) continue;
    if (known_.try_emplace(job.terms).second) examples.push_back(job.id);
  }
  if (examples.empty()) return true;
  auto rows = store_.load_jobs(examples);
  std::size_t learnt = 0;
  if (rows) {
    for (const store::JobRow& row : *rows) {
      const auto terms = core::terms_of(row.definition);
      const auto known = terms ? known_.find(*terms) : known_.end();
      if (known == known_.end() || known->second.terms) continue;
      const auto schedule = schedules_.of(row.tenant, row.definition.name, row.definition.schedule);
      if (!schedule) continue;
      known->second.terms = std::make_shared<SharedTerms>(*schedule, row.definition.policies);
      ++learnt;
    }
  }
  if (learnt != examples.size()) {
    std::erase_if(known_, [](const auto& entry) { return !entry.second.terms; });
  }
  if (!rows) return fail(rows.error());
  return learnt == examples.size();
}

Result<std::vector<std::optional<LoadedPartition>>> PartitionReader::read_changes(
    std::span<const store::KnownJobs> known) {
  BELFRY_TRY(changes, store_.load_changes(known));
  std::vector<store::BriefJob> brief;
  for (const auto& changed : changes) {
    if (changed) brief.insert(brief.end(), changed->brief.begin(), changed->brief.end());
  }
  BELFRY_CHECK(learn(brief));
  std::vector<std::optional<LoadedPartition>> loaded(changes.size());
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (!changes[i]) continue;
    BELFRY_TRY(sorted, sort_changes(*std::move(changes[i])));
    loaded[i] = std::move(sorted);
    loaded[i]->partition = known[i].partition;
  }
  return loaded;
}

// Jobs whose terms could not be learnt are read whole.
Result<LoadedPartition> PartitionReader::sort_changes(store::BriefPartition changes) {
  std::vector<JobId> unknown;
  std::erase_if(changes.brief, [&](const store::BriefJob& job) {
    const bool is_known = core::once_at(job.terms) || known_.contains(job.terms);
    if (!is_known) unknown.push_back(job.id);
    return !is_known;
  });
  changes.decided_through = Instant::min();  // each begins on its own
  LoadedPartition loaded = sort(changes);
  loaded.whole = std::move(changes.whole);
  loaded.gone = std::move(changes.gone);
  if (unknown.empty()) return loaded;
  BELFRY_TRY(rows, store_.load_jobs(unknown));
  loaded.whole.insert(loaded.whole.end(), std::make_move_iterator(rows.begin()),
                      std::make_move_iterator(rows.end()));
  return loaded;
}

std::optional<Instant> PartitionReader::first_tick(Known& known, Instant after) {
  if (known.from <= after && known.next && after < *known.next) return known.next;
  const auto found = known.terms->schedule.next(after);
  known.from = after;
  known.next = found ? std::optional(found->tick.instant()) : std::nullopt;
  return known.next;
}

// By terms, in two passes: where each job belongs, then each to its place.
LoadedPartition PartitionReader::sort(const store::BriefPartition& brief) {
  LoadedPartition loaded;
  loaded.decided_through = brief.decided_through;
  loaded.version = brief.version;
  loaded.era = brief.era;
  ++reading_;
  constexpr std::uint32_t kElsewhere = ~std::uint32_t{0};
  std::vector<std::uint32_t> groups(brief.brief.size(), kElsewhere);
  for (std::size_t i = 0; i < brief.brief.size(); ++i) {
    const store::BriefJob& job = brief.brief[i];
    if (const auto at = core::once_at(job.terms)) {
      loaded.once.push_back({job.id, job.effective_from, *at});
      continue;
    }
    Known& known = known_.at(job.terms);
    if (job.effective_from > brief.decided_through) {
      loaded.newcomers.push_back({job.id, job.effective_from, known.terms});
      continue;
    }
    if (known.reading != reading_) {
      known.reading = reading_;
      known.group = static_cast<std::uint32_t>(loaded.groups.size());
      loaded.groups.push_back(
          {.terms = known.terms, .first = first_tick(known, brief.decided_through)});
    }
    groups[i] = known.group;
    ++loaded.groups[known.group].end;
  }
  std::uint32_t begin = 0;
  for (LoadedPartition::Group& group : loaded.groups) {
    const std::uint32_t size = group.end;
    group.begin = group.end = begin;
    begin += size;
  }
  loaded.ids.resize(begin);
  for (std::size_t i = 0; i < brief.brief.size(); ++i) {
    if (groups[i] != kElsewhere) loaded.ids[loaded.groups[groups[i]].end++] = brief.brief[i].id;
  }
  return loaded;
}

}  // namespace belfry::engine
