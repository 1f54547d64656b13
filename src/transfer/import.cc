#include "transfer/import.h"

#include "api/admin/type_codec.h"
#include "api/jobs/job_codec.h"
#include "core/alerts/rule.h"
#include "core/backfill.h"
#include "core/job_fields.h"
#include "core/schedule/schedule_cache.h"
#include "core/target_secrets.h"
#include "transfer/reading.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace belfry::transfer {
namespace {

constexpr std::size_t kJobsAtOnce = 500;

const store::Author& author() {
  static const store::Author kAuthor{.actor = "import", .request_id = ""};
  return kAuthor;
}

// A tenant in the export's store, and in ours.
struct Numbers {
  TenantId theirs;
  TenantId ours;
};

// A job on its way into the store.
struct Arrival {
  store::NewJob job;
  Instant decided_through;
  bool is_paused = false;
  std::optional<Instant> until = {};
  std::string note = {};
};

// Reads an export twice: first only to see that all of it can be put into the store.
class Import {
 public:
  Import(const ImportWorld& world, core::MissedTicks missed)
      : world_(world), store_(world.store), missed_(missed), schedules_(world.zones) {}

  Result<Imported> run(std::istream& in) {
    for (const bool writes : {false, true}) {
      writes_ = writes;
      in.clear();
      in.seekg(0);
      BELFRY_CHECK(read_export(in, [this](const Entry& entry) { return take(entry); }));
    }
    BELFRY_CHECK(flush());
    return std::move(report_);
  }

 private:
  Status take(const Entry& entry) {
    if (entry.kind == "tenant") return take_tenant(entry);
    BELFRY_TRY(tenant, entry.text("tenant"));
    const auto numbers = tenants_.find(tenant);
    if (numbers == tenants_.end()) return fail(entry.wrong("names a tenant that did not come"));
    if (entry.kind == "secret") return take_secret(entry, numbers->second);
    if (entry.kind == "calendar") return take_calendar(entry, numbers->second);
    if (entry.kind == "job_type") return take_type(entry, numbers->second);
    if (entry.kind == "alert_rule") return take_rule(entry, numbers->second);
    if (entry.kind == "job") return take_job(entry, numbers->second);
    return fail(entry.wrong("is of a kind that this version does not know: " + entry.kind));
  }

  // Whether something is to be made, by what looking for it said.
  template <typename T>
  Result<bool> is_new(const Entry& entry, const Result<T>& found) {
    if (!found && found.error().code != Errc::kNotFound) return fail(found.error());
    ++(found ? report_.there : report_.made)[entry.kind];
    return !found.has_value();
  }

  Status take_tenant(const Entry& entry) {
    BELFRY_TRY(name, entry.text("name"));
    const auto number = [&](const char* field) {
      return static_cast<std::int32_t>(entry.number(field));
    };
    const TenantId theirs(static_cast<std::uint64_t>(entry.number("number")));
    tenants_[name].theirs = theirs;
    if (!writes_) return {};
    const store::Tenant wanted{.name = name,
                               .weight = std::max(number("weight"), 1),
                               .max_in_flight = number("max_in_flight"),
                               .max_jobs = number("max_jobs"),
                               .max_requests = number("max_requests")};
    const auto found = store_.find_tenant(name);
    BELFRY_TRY(is_missing, is_new(entry, found));
    if (is_missing) {
      BELFRY_TRY(ours, store_.put_tenant(wanted, author()));
      tenants_[name].ours = ours;
    } else {
      tenants_[name].ours = found->id;
      note_limits(*found, wanted);
    }
    if (tenants_[name].ours != theirs) {
      report_.notes.push_back("tenant " + name +
                              " has another number here: jobs of it with `H` or jitter tick at "
                              "other moments than before");
    }
    return {};
  }

  void note_limits(const store::Tenant& found, const store::Tenant& wanted) {
    const bool same =
        found.weight == wanted.weight && found.max_in_flight == wanted.max_in_flight &&
        found.max_jobs == wanted.max_jobs && found.max_requests == wanted.max_requests;
    if (!same) report_.notes.push_back("tenant " + found.name + " keeps the limits it has here");
  }

  // A secret sealed for us; only opened while nothing is written yet.
  Result<std::string> sealed_anew(const Numbers& tenant, const std::string& place,
                                  const std::string& sealed) {
    BELFRY_TRY(plain, world_.secrets.open(tenant.theirs, place, sealed));
    if (writes_) return world_.secrets.seal(tenant.ours, place, plain);
    BELFRY_TRY(key, world_.secrets.newest_key());
    return key;
  }

  Result<std::string> target_anew(const Numbers& tenant, const std::string& text) {
    auto target = parse_json(text);
    if (!target || core::secrets_in(*target).empty()) return text;
    Status status;
    core::visit_secrets(*target, [&](const std::string& place, std::string& value) {
      auto sealed = sealed_anew(tenant, place, value);
      if (sealed) {
        value = *std::move(sealed);
      } else {
        status = fail(sealed.error());
      }
    });
    if (!status) return fail(status.error());
    return write_json(*target);
  }

  Status take_secret(const Entry& entry, const Numbers& tenant) {
    BELFRY_TRY(name, entry.text("name"));
    BELFRY_TRY(theirs, entry.text("sealed"));
    BELFRY_TRY(sealed, sealed_anew(tenant, "named/" + name, theirs));
    if (!writes_) return {};
    BELFRY_TRY(is_missing, is_new(entry, store_.find_secret(tenant.ours, name)));
    if (is_missing) BELFRY_CHECK(store_.put_secret(tenant.ours, name, sealed, author()));
    return {};
  }

  Status take_calendar(const Entry& entry, const Numbers& tenant) {
    BELFRY_TRY(name, entry.text("name"));
    BELFRY_TRY(given, entry.texts("rules"));
    if (!writes_) return {};
    BELFRY_TRY(is_missing, is_new(entry, store_.find_calendar(tenant.ours, name)));
    if (is_missing) BELFRY_CHECK(store_.put_calendar(tenant.ours, name, given, author()));
    return {};
  }

  Status take_type(const Entry& entry, const Numbers& tenant) {
    BELFRY_TRY(definition, entry.object("definition"));
    BELFRY_TRY(name, entry.text("name"));
    store::JobType type{.tenant = tenant.ours, .name = name};
    std::vector<api::Complaint> complaints;
    api::read_type(definition, type, complaints);
    BELFRY_CHECK(check(entry, complaints));
    if (!writes_) return {};
    BELFRY_TRY(is_missing, is_new(entry, store_.find_type(tenant.ours, type.name)));
    if (is_missing) BELFRY_CHECK(store_.put_type(type, author()));
    return {};
  }

  Status take_rule(const Entry& entry, const Numbers& tenant) {
    BELFRY_TRY(name, entry.text("name"));
    BELFRY_TRY(definition, entry.text("definition"));
    BELFRY_TRY(rule, core::read_alert_rule(name, definition));
    for (std::string& receiver : rule.receivers) {
      BELFRY_TRY(anew, target_anew(tenant, receiver));
      receiver = std::move(anew);
    }
    if (!writes_) return {};
    BELFRY_TRY(is_missing, is_new(entry, store_.find_alert_rule(tenant.ours, name)));
    if (!is_missing) return {};
    BELFRY_CHECK(store_.put_alert_rule(tenant.ours, name, core::write_alert_rule(rule), author()));
    return {};
  }

  static Status check(const Entry& entry, const std::vector<api::Complaint>& complaints) {
    if (complaints.empty()) return {};
    const api::Complaint& first = complaints.front();
    return fail(entry.wrong("is not as it should be: " + first.pointer + " " + first.message));
  }

  // ---- Jobs, many at once

  Status take_job(const Entry& entry, const Numbers& tenant) {
    BELFRY_TRY(json, entry.object("definition"));
    BELFRY_TRY(target, entry.text("target"));
    BELFRY_TRY(payload, entry.text("payload"));
    std::vector<api::Complaint> complaints;
    api::JobDraft draft = api::read_job(json, "", {.now = Instant()}, complaints);
    BELFRY_CHECK(check(entry, complaints));
    if (!parse_json(target) || !parse_json(payload)) {
      return fail(entry.wrong("has a target or a payload that is no JSON"));
    }
    BELFRY_TRY(anew, target_anew(tenant, target));
    if (!writes_) return {};
    draft.definition.target = std::move(anew);
    draft.definition.payload = payload;
    BELFRY_TRY(is_missing, is_new(entry, store_.find_job(tenant.ours, draft.definition.name)));
    if (!is_missing) return {};
    if (entry.flag("has_token")) {
      report_.notes.push_back("job " + draft.definition.name +
                              " needs a new check-in token: belfry checkins");
    }
    BELFRY_TRY(region, region_in(entry));
    BELFRY_TRY(decided_through, entry.instant("decided_through"));
    Arrival arrival{
        .job = {.tenant = tenant.ours, .region = region, .definition = std::move(draft.definition)},
        .decided_through = decided_through};
    BELFRY_CHECK(read_pause(entry, arrival));
    arriving_.push_back(std::move(arrival));
    return arriving_.size() < kJobsAtOnce ? Status() : flush();
  }

  static Status read_pause(const Entry& entry, Arrival& arrival) {
    if (!entry.body.contains("pause_note")) return {};
    arrival.is_paused = true;
    BELFRY_TRY(note, entry.text("pause_note"));
    arrival.note = std::move(note);
    if (!entry.body.contains("paused_until")) return {};
    BELFRY_TRY(until, entry.instant("paused_until"));
    arrival.until = until;
    return {};
  }

  Result<RegionNo> region_in(const Entry& entry) {
    BELFRY_TRY(name, entry.text("region"));
    return store_.put_region(name);
  }

  Status flush() {
    const auto paused = std::ranges::stable_partition(
        arriving_, [](const Arrival& arrival) { return !arrival.is_paused; });
    const auto active = static_cast<std::size_t>(paused.begin() - arriving_.begin());
    BELFRY_CHECK(make(std::span(arriving_).first(active), false));
    BELFRY_CHECK(make(std::span(arriving_).subspan(active), true));
    arriving_.clear();
    return {};
  }

  Status make(std::span<const Arrival> arrivals, bool paused) {
    if (arrivals.empty()) return {};
    std::vector<store::NewJob> jobs;
    for (const Arrival& arrival : arrivals) jobs.push_back(arrival.job);
    BELFRY_TRY(made, store_.register_jobs({.jobs = jobs, .paused = paused, .author = author()}));
    for (std::size_t i = 0; i < made.size(); ++i) {
      if (paused) {
        BELFRY_CHECK(store_.change_job({.job = made[i].job.id,
                                        .status = core::JobStatus::kPaused,
                                        .paused_until = arrivals[i].until,
                                        .pause_note = arrivals[i].note,
                                        .author = author()}));
      } else {
        BELFRY_CHECK(run_missed(made[i].job.id, arrivals[i].decided_through));
      }
    }
    return {};
  }

  Status run_missed(JobId id, Instant decided_through) {
    if (missed_ == core::MissedTicks::kSkip) return {};
    BELFRY_TRY(job, store_.find_job(id));
    BELFRY_TRY(schedule, schedules_.of(job.tenant, job.definition.name, job.definition.schedule));
    const auto plan =
        core::plan_backfill(schedule, decided_through + Duration(1), job.effective_from);
    if (!plan) {
      report_.notes.push_back("job " + job.definition.name +
                              ": its missed ticks are left out: " + plan.error().message);
      return {};
    }
    const std::size_t wanted =
        missed_ == core::MissedTicks::kLatest
            ? 1
            : static_cast<std::size_t>(job.definition.policies.max_missed_firings);
    const std::size_t count = std::min(plan->ticks.size(), wanted);
    if (count == 0) return {};
    BELFRY_TRY(fates,
               store_.backfill({.job = job.id,
                                .ticks = {plan->ticks.end() - static_cast<std::ptrdiff_t>(count),
                                          plan->ticks.end()},
                                .author = author()}));
    report_.runs += std::ranges::count(fates, store::BackfillFate::kCreated);
    return {};
  }

  const ImportWorld world_;
  store::Store& store_;
  const core::MissedTicks missed_;
  core::ScheduleCache schedules_;
  Imported report_;
  bool writes_ = false;
  std::map<std::string, Numbers> tenants_;
  std::vector<Arrival> arriving_;
};

}  // namespace

Result<Imported> import_all(const ImportWorld& world, std::istream& in, core::MissedTicks missed) {
  return Import(world, missed).run(in);
}

}  // namespace belfry::transfer
