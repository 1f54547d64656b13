#pragma once

#include "store/postgres/jobs/idempotency.h"
#include "store/postgres/jobs/job_writes.h"
#include "store/postgres/jobs/new_jobs.h"
#include "store/postgres/jobs/registration_stock.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace belfry::store::postgres {

// Requests on their way into the database, in one transaction. No two name the same job or key.
class Registering {
 public:
  Registering(std::vector<const Registration*> requests, std::optional<Instant> now,
              core::ZoneCatalog& zones, RegistrationStock& stock)
      : requests_(std::move(requests)),
        now_(now),
        settler_(zones),
        stock_(stock),
        work_(requests_.size()) {}

  // Runs the whole transaction; may be called again.
  Status run(Database& database);
  // Whether run() failed only because it learned something new and has to be called again.
  bool again() const { return again_; }

  // After the commit.
  std::vector<JobId> announced() const;                   // the jobs whose owners should look
  JobStore::Registered take_answer(std::size_t request);  // call it last
  bool changed_anything() const { return changed_anything_; }

 private:
  // A job of a request.
  struct Item {
    const Registration* request = nullptr;
    std::size_t request_number = 0;
    const NewJob* wanted = nullptr;
    JobRow job;
    RegisteredJob::Outcome outcome{};
    Settled settled = {};
    bool exists = false;
    bool announce = false;
    bool begins = false;  // with a schedule it did not have before
  };
  struct Work {
    std::vector<Item> items;
    std::optional<Error> refused;
    bool is_open() const { return !refused; }
  };

  // Any statement, inside the transaction or before it.
  using Ask = std::function<Result<Reply>(std::string_view, const Params&)>;

  static bool is_new(const Item& item) {
    return !item.exists && item.outcome != RegisteredJob::Outcome::kRepeated;
  }

  void begin();
  bool is_plain() const;
  bool may_exec() const;
  std::size_t count_jobs() const;
  Status run_plain(Database& database);
  Result<bool> run_at_once(Database& database, const RegistrationStock::Drawn& drawn);
  Status run_in_flight(Database& database);
  Result<bool> write_new(Database& database, const std::vector<NewJobRow>& rows, LetIn let_in);
  Status run_step_by_step(Transaction& transaction);
  Status take_keys(Transaction& transaction);
  Status read_existing(Transaction& transaction);
  Status match(Transaction& transaction, const std::vector<Item*>& items);
  Status create(Transaction& transaction);
  Status prepare(const Ask& ask, const std::vector<Item*>& items);
  void check_quota(TenantId tenant, std::int64_t existing, std::int64_t most);
  Status take_calendars(Transaction& transaction, const std::vector<Item*>& items);
  std::vector<NewJobRow> new_rows();
  Status written(Status status);
  void refuse(const Item& item, Error error);
  Status replace(Transaction& transaction);
  Status edit(Transaction& transaction, const std::vector<Item*>& items);
  Status announce(Transaction& transaction);
  Status keep_keys(Transaction& transaction);
  Status try_again(std::string why);
  std::vector<JobRow*> announced_jobs();
  std::unordered_set<JobId> fresh_jobs();

  // Items of the requests that are still open.
  template <typename Which>
  std::vector<Item*> items_where(const Which& which) {
    std::vector<Item*> found;
    for (Work& work : work_) {
      if (!work.is_open()) continue;
      for (Item& item : work.items) {
        if (which(item)) found.push_back(&item);
      }
    }
    return found;
  }

  const std::vector<const Registration*> requests_;
  const std::optional<Instant> now_;
  Settler settler_;
  RegistrationStock& stock_;
  std::vector<Work> work_;
  RowTypes types_;
  bool again_ = false;
  bool changed_anything_ = false;
};

}  // namespace belfry::store::postgres
