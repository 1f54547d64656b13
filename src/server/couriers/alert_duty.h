#pragma once

#include "base/condition.h"
#include "base/log/log.h"
#include "base/mutex.h"
#include "config/serve_options.h"
#include "deliver/webhook/webhooks.h"
#include "engine/chores/note_keeper.h"
#include "server/couriers/alert_source.h"
#include "server/couriers/courier_line.h"
#include "service/alerts/alert_watch.h"
#include "store/store.h"

#include <memory>
#include <thread>
#include <vector>

namespace belfry::server {

// What a node does about alerts: it says how it stands; while it leads, it looks at what the rules
// watch; and it takes messages to their receivers, whoever decided them.
class AlertDuty {
 public:
  struct World {
    store::Store& store;
    store::OwnershipStore::Node node;
    const Clock& clock;
    std::function<Instant()> now;  // the database's time
    Logger& log;
    core::ZoneCatalog& zones;
    deliver::OpenTarget open;  // puts the secrets into a target
    std::function<store::NodeNote()> note;
  };
  static Result<std::unique_ptr<AlertDuty>> start(const config::ServeOptions& options, World world);
  ~AlertDuty();
  AlertDuty(const AlertDuty&) = delete;
  AlertDuty& operator=(const AlertDuty&) = delete;

  void stop();  // safe to call twice

 private:
  AlertDuty(World world, Duration retention);
  struct Pace {
    std::size_t most_at_once = 64;
    Duration longest = std::chrono::seconds(15);  // of one, from its claim on
  };
  void add_line(std::string queue, std::unique_ptr<deliver::Carrier> carrier, const Pace& pace);
  void loop();
  void tell();
  bool leads();
  void look();

  const World world_;
  const Duration retention_;
  service::AlertWatch watch_;
  std::vector<std::unique_ptr<CourierLine>> lines_;
  std::vector<AlertSource*> sources_;  // of the lines, which own them
  // The thread's own:
  engine::NoteKeeper notes_;
  bool leads_ = false;
  BootInstant asked_at_ = BootInstant::min();  // whether it leads
  BootInstant pruned_at_ = BootInstant::min();
  Mutex mutex_;
  Condition bell_;
  bool stopping_ BELFRY_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace belfry::server
