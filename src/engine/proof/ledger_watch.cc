#include "engine/proof/ledger_watch.h"

#include "base/text/instant_text.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace belfry::engine {
namespace {

using Kind = LedgerPass::Kind;
using std::chrono::hours;
using std::chrono::minutes;

constexpr Duration kDay = hours(24);
// The janitor may drop this much more before the next step is written.
constexpr Duration kDropsAhead = minutes(5);
constexpr std::size_t kFewestJobs = 5;
constexpr std::size_t kMostCompiled = 100'000;  // schedules are forgotten, and compiled again
constexpr std::size_t kTalliesAtOnce = 1'000;
constexpr int kMostTallyPages = 100'000;

// The last instant of the day of UTC in which this one lies.
Instant end_of_day(Instant at) {
  const auto days = std::chrono::floor<std::chrono::days>(at.since_origin());
  return Instant(days) + kDay - Duration(1);
}

Instant start_of_day(Instant at) {
  return Instant(std::chrono::floor<std::chrono::days>(at.since_origin()));
}

}  // namespace

Result<Duration> LedgerWatch::run_once() {
  const BootInstant begin = world_.clock.boot_now();
  if (!leads()) {
    tallies_.reset();
    return config_.ask_every;
  }
  auto rest = step();
  const Duration took = world_.clock.boot_now() - begin;
  const std::chrono::duration<double, std::micro> idle(static_cast<double>(took.count()) *
                                                       (1 / config_.share - 1));
  const Duration earned = std::chrono::duration_cast<Duration>(idle);
  if (!rest) tallies_.reset();  // what the store has is not known
  // Somebody has moved it on, or a reply was lost: read where it stands.
  if (!rest && rest.error().code == Errc::kConflict) return earned;
  if (!rest) return fail(rest.error());
  return std::max(*rest, earned);
}

// Any node may; the lease only keeps all but one from doing so for nothing.
bool LedgerWatch::leads() {
  const BootInstant now = world_.clock.boot_now();
  if (asked_at_ != BootInstant::min() && now - asked_at_ < config_.ask_every) return leads_;
  asked_at_ = now;
  leads_ = world_.store.lead(world_.node, config_.lease).has_value();
  return leads_;
}

Result<Duration> LedgerWatch::step() {
  BELFRY_TRY(check, world_.store.ledger_check());
  BELFRY_TRY(now, world_.store.clock());
  if (check.version == 0) return begin(std::move(check), now);
  // What was dropped once stays dropped, however long history is kept from now on.
  check.kept_after = std::max(check.kept_after, now - config_.retention + kDropsAhead);
  auto pass = read_pass(check.pass);
  if (!pass) return begin_pass(std::move(check), now);
  switch (pass->kind) {
    case Kind::kCheck: return go_on(std::move(check), *std::move(pass));
    case Kind::kTally: return tally(std::move(check), *std::move(pass));
    case Kind::kSign: return sign(std::move(check), *pass);
  }
  return fail(Errc::kInternal, "a pass of an unknown kind");
}

// It starts with what comes: of what was before nobody knows what was dropped since.
Result<Duration> LedgerWatch::begin(Check check, Instant now) {
  check.checked_through = now - config_.settles;
  check.sealed_through = check.checked_through;
  check.kept_after = now - config_.retention + kDropsAhead;
  BELFRY_CHECK(keep({.check = std::move(check)}));
  return Duration::zero();
}

Result<Duration> LedgerWatch::begin_pass(Check check, Instant now) {
  if (check.checked_through >= end_of_day(check.sealed_through + Duration(1))) {
    return begin_day(std::move(check), now);
  }
  const Instant through = now - config_.settles;
  const Instant after = std::max(check.checked_through, check.kept_after);
  if (through - after < config_.pause) {
    return std::min(after + config_.pause - through, Duration(config_.ask_every));
  }
  if (after > check.checked_through) {
    world_.log.warn("ledger_unchecked", {{"from", format_instant(check.checked_through)},
                                         {"to", format_instant(after)},
                                         {"why", "its history may have been dropped"}});
  }
  return go_on(std::move(check), LedgerPass{.kind = Kind::kCheck,
                                            .window = {.after = after, .through = through},
                                            .reached = through,
                                            .as_of = now});
}

Result<Duration> LedgerWatch::begin_day(Check check, Instant now) {
  const Instant end = end_of_day(check.sealed_through + Duration(1));
  if (check.sealed_through < check.kept_after) {
    return give_up_day(std::move(check), "part of its history may have been dropped");
  }
  tallies_.emplace();
  const LedgerPass pass{.kind = Kind::kTally,
                        .window = {.after = check.sealed_through, .through = end},
                        .reached = end,
                        .as_of = now};
  check.pass = write_pass(pass);
  BELFRY_CHECK(keep({.check = std::move(check), .drop_tallies = true}));
  return Duration::zero();
}

// There will be no statement about this day.
Result<Duration> LedgerWatch::give_up_day(Check check, const char* why) {
  const Instant end = end_of_day(check.sealed_through + Duration(1));
  world_.log.warn("day_not_stated", {{"day", core::write_day(end)}, {"why", why}});
  check.sealed_through = end;
  check.pass = "";
  tallies_.reset();
  BELFRY_CHECK(keep({.check = std::move(check), .drop_tallies = true}));
  return Duration::zero();
}

Result<LedgerFound> LedgerWatch::look(const LedgerPass& pass, std::optional<Instant> lines_by) {
  if (!batch_ || compiled_ > kMostCompiled) {
    batch_.emplace(world_.store, world_.zones);
    compiled_ = 0;
  }
  const BootInstant begin = world_.clock.boot_now();
  BELFRY_TRY(found, batch_->run_once({.place = pass.place,
                                      .window = pass.window,
                                      .jobs = std::min(jobs_, config_.most_jobs),
                                      .rows_each = config_.rows_each,
                                      .lines_by = lines_by}));
  compiled_ += found.jobs;
  adapt(world_.clock.boot_now() - begin, found.jobs);
  return found;
}

void LedgerWatch::adapt(Duration took, std::size_t jobs) {
  if (took > config_.step) jobs_ = std::max(jobs_ / 2, kFewestJobs);
  if (took < config_.step / 2 && jobs >= jobs_) {
    jobs_ = std::min(jobs_ + jobs_ / 2, config_.most_jobs);
  }
}

// Writes a step, and tells what it found.
Status LedgerWatch::keep(const store::ProofStore::LedgerStep& step) {
  BELFRY_TRY(news, world_.store.advance_ledger_check(step));
  for (const store::LedgerViolation& each : news) world_.observer.violated(each);
  return {};
}

Result<Duration> LedgerWatch::go_on(Check check, LedgerPass pass) {
  pass.window.after = std::max(pass.window.after, check.kept_after);
  if (pass.window.after >= pass.window.through) {  // it took longer than history is kept
    check.pass = "";
    check.checked_through = std::max(check.checked_through, pass.window.through);
    BELFRY_CHECK(keep({.check = std::move(check)}));
    return Duration::zero();
  }
  BELFRY_TRY(found, look(pass, std::nullopt));
  // What is late is told by others. It is looked for again, and so is what came with it.
  if (found.undecided) {
    pass.reached = std::min(pass.reached, found.undecided->instant() - Duration(1));
  }
  if (found.next) {
    pass.place = *found.next;
    check.pass = write_pass(pass);
  } else {
    check.checked_through = std::max(check.checked_through, pass.reached);
    check.pass = "";
  }
  BELFRY_CHECK(keep({.check = std::move(check), .found = found.violations}));
  return Duration::zero();
}

Result<Duration> LedgerWatch::tally(Check check, LedgerPass pass) {
  if (check.kept_after > pass.window.after) {
    return give_up_day(std::move(check), "part of its history was dropped while it was read");
  }
  BELFRY_CHECK(know_tallies());
  BELFRY_TRY(found, look(pass, pass.as_of));
  if (found.undecided) {  // a standby that was promoted has lost some: check it all again
    check.checked_through = pass.window.after;
    check.pass = "";
    tallies_.reset();
    BELFRY_CHECK(keep({.check = std::move(check), .drop_tallies = true}));
    return Duration::zero();
  }
  std::vector<store::ProofTally> changed;
  for (const auto& [tenant, part] : found.tenants) {
    core::DayTally& tally = (*tallies_)[tenant];
    tally.jobs += part.jobs;
    tally.add(part.verdict);
    for (const std::string& line : part.lines) tally.add_line(line);
    changed.push_back({.tenant = tenant, .tally = core::write_tally(tally)});
  }
  if (found.next) {
    pass.place = *found.next;
  } else {
    pass.kind = Kind::kSign;
  }
  check.pass = write_pass(pass);
  BELFRY_CHECK(keep({.check = std::move(check), .found = found.violations, .tallies = changed}));
  return Duration::zero();
}

// After a change of leader, and after an error.
Status LedgerWatch::know_tallies() {
  if (tallies_) return {};
  std::map<TenantId, core::DayTally> known;
  TenantId after;
  for (int i = 0; i < kMostTallyPages; ++i) {
    BELFRY_TRY(page, world_.store.proof_tallies(after, kTalliesAtOnce));
    for (const store::ProofTally& each : page) {
      BELFRY_TRY(tally, core::read_tally(each.tally));
      known[each.tenant] = std::move(tally);
      after = each.tenant;
    }
    if (page.size() < kTalliesAtOnce) break;
  }
  tallies_ = std::move(known);
  return {};
}

Result<Duration> LedgerWatch::sign(Check check, const LedgerPass& pass) {
  tallies_.reset();
  BELFRY_TRY(page, world_.store.proof_tallies(TenantId(), config_.statements));
  std::vector<store::ProofRow> sealed;
  for (const store::ProofTally& each : page) {
    BELFRY_TRY(proof, state(pass, each));
    sealed.push_back(std::move(proof));
  }
  if (sealed.empty()) {
    check.sealed_through = pass.window.through;
    check.pass = "";
  }
  BELFRY_CHECK(keep({.check = std::move(check), .sealed = sealed}));
  return Duration::zero();
}

Result<store::ProofRow> LedgerWatch::state(const LedgerPass& pass, const store::ProofTally& tally) {
  BELFRY_TRY(counted, core::read_tally(tally.tally));
  BELFRY_TRY(tenant, world_.store.find_tenant(tally.tenant));
  const Instant day = start_of_day(pass.window.through);
  BELFRY_TRY(before, world_.store.proofs(tally.tenant, day, 1));
  store::ProofRow proof{.tenant = tally.tenant, .day = day};
  proof.statement = core::write_statement({.tenant = tenant.name,
                                           .day = day,
                                           .from = pass.window.after + Duration(1),
                                           .to = pass.window.through,
                                           .as_of = pass.as_of,
                                           .previous = before.empty() ? "" : before.front().digest},
                                          counted);
  proof.digest = core::hex_digest(proof.statement);
  BELFRY_TRY(signature, world_.sign(proof.statement));
  proof.public_key = std::move(signature.public_key);
  proof.signature = std::move(signature.signature);
  return proof;
}

}  // namespace belfry::engine
