#pragma once

#include "store/postgres/job_writes.h"
#include "store/postgres/once.h"

#include <map>
#include <optional>
#include <span>
#include <vector>

namespace belfry::store::postgres {

// Requests on their way through one transaction; no two of them name the same job or key.
class Registering {
 public:
  Registering(std::vector<const Registration*> requests, std::optional<Instant> now,
              const JobStore::Settle& settle)
      : requests_(std::move(requests)), now_(now), settle_(settle), work_(requests_.size()) {}

  // All that is to be done in the transaction; may be called again.
  Status run(Transaction& transaction);
  // Whether run failed only because it has to be called again: it has learned of something.
  bool again() const { return again_; }

  // After the commit.
  std::vector<JobRow> announced() const;                  // the jobs whose owners should look
  JobStore::Registered take_answer(std::size_t request);  // at last
  bool changed_anything() const { return changed_anything_; }

 private:
  // A job of a request.
  struct Item {
    const Registration* request = nullptr;
    std::size_t request_number = 0;
    const NewJob* wanted = nullptr;
    JobRow job;
    RegisteredJob::Outcome outcome{};
    bool exists = false;
    bool announce = false;
    bool begins = false;  // with a schedule it did not have before
  };
  struct Work {
    std::vector<Item> items;
    std::optional<Error> refused;
    bool is_open() const { return !refused; }
  };

  void begin();
  Status take_keys(Transaction& transaction);
  Status match(Transaction& transaction, const std::vector<Item*>& items);
  Status check_quotas(Transaction& transaction);
  Status create(Transaction& transaction);
  Status prepare(Transaction& transaction, const std::vector<Item*>& items);
  Status take_calendars(Transaction& transaction, const std::vector<Item*>& items);
  Status insert(Transaction& transaction, const std::vector<Item*>& items);
  void refuse(const Item& item, Error error);
  Status replace(Transaction& transaction);
  Status edit(Transaction& transaction, const std::vector<Item*>& items);
  Status announce(Transaction& transaction);
  Status keep_keys(Transaction& transaction);
  Status try_again(std::string why);

  // Of the requests that are still open.
  template <typename Which>
  std::vector<Item*> items_where(const Which& which);

  const std::vector<const Registration*> requests_;
  const std::optional<Instant> now_;
  const JobStore::Settle& settle_;
  std::vector<Work> work_;
  bool again_ = false;
  bool changed_anything_ = false;
};

}  // namespace belfry::store::postgres
