#include "tests/support/handing_out.h"

#include "core/book/run_book.h"

#include <algorithm>
#include <set>

namespace belfry::test {
namespace {

constexpr int kRegions = 4;  // more than any test has

Result<std::vector<core::LiveRun>> read_all_live(store::Store& store) {
  std::vector<PartitionNo> all;
  for (int i = 0; i < kRegions * kPartitionCount; ++i) {
    all.emplace_back(static_cast<std::uint16_t>(i));
  }
  return store.read_live(all);
}

}  // namespace

Result<std::vector<store::ClaimedRun>> claim(store::Store& store, const ClaimRequest& request) {
  BELFRY_TRY(runs, read_all_live(store));
  BELFRY_TRY(tenants, store.unusual_tenants());
  BELFRY_TRY(types, store.limited_types());
  BELFRY_TRY(now, store.clock());
  core::RunBook book;
  std::vector<core::RunBook::TypeLimit> limits;
  for (const auto& type : types) limits.push_back({type.tenant, type.name, type.limits});
  book.set_limits(limits);
  for (const core::LiveRun& run : runs) {
    book.open(partition_of(run.run.job));
    book.put(run);
  }
  std::set<TenantId> limited;
  for (const store::TenantShare& share : tenants) {
    book.set_weight(share.tenant, share.weight);
    if (share.max_in_flight > 0) limited.insert(share.tenant);
  }
  std::vector<store::ClaimedRun> all;
  std::vector<std::size_t> left;
  for (const Wanted& taker : request.takers) left.push_back(taker.max_runs);
  for (;;) {
    store::GrantRequest grant;
    for (std::size_t i = 0; i < request.takers.size(); ++i) {
      grant.takers.push_back({.worker = request.takers[i].worker,
                              .lease = request.takers[i].lease,
                              .region = request.region});
      for (const auto& run : book.pick({.queues = request.job_types,
                                        .tenant = request.tenant,
                                        .region = request.region,
                                        .most = left[i]},
                                       now)) {
        grant.runs.push_back({.run = run.run, .tenant = run.tenant, .taker = i});
      }
    }
    if (grant.runs.empty()) break;
    BELFRY_TRY(granted, store.grant(grant));
    for (const auto& wanted : grant.runs) {
      const auto found = std::ranges::find(granted, wanted.run, &store::ClaimedRun::run);
      if (found != granted.end()) {
        book.hold(wanted.run, {.fence = found->fence, .until = found->lease_until});
        --left[wanted.taker];
        all.push_back(*found);
      } else {
        book.remove(wanted.run);
        const auto& type = std::ranges::find(runs, wanted.run, &core::LiveRun::run)->type;
        if (book.wait_for_room(wanted.tenant, type)) {
          book.put_aside(wanted.tenant, type, Instant::max());
        } else if (limited.contains(wanted.tenant)) {
          book.put_aside(wanted.tenant);
        }
      }
    }
  }
  std::ranges::stable_sort(all, {}, &store::ClaimedRun::taker);
  return all;
}

Result<std::vector<store::AttemptFacts>> find_expired(store::Store& store, std::size_t most) {
  BELFRY_TRY(runs, read_all_live(store));
  BELFRY_TRY(now, store.clock());
  std::erase_if(runs, [&](const core::LiveRun& run) { return !run.held || run.held->until > now; });
  std::ranges::sort(runs, {}, [](const core::LiveRun& run) { return run.held->until; });
  std::vector<store::RunGrant> grants;
  for (const core::LiveRun& run : runs) {
    if (grants.size() < most) grants.push_back({run.run, run.held->fence});
  }
  return store.facts_of(grants);
}

Result<std::optional<Instant>> next_due(store::Store& store) {
  BELFRY_TRY(runs, read_all_live(store));
  BELFRY_TRY(now, store.clock());
  std::optional<Instant> next;
  for (const core::LiveRun& run : runs) {
    if (!run.held && run.due > now) next = std::min(next.value_or(run.due), run.due);
  }
  return next;
}

}  // namespace belfry::test
