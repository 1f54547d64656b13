#pragma once

#include "cli/frame/session.h"
#include "core/schedule/zone_catalog.h"
#include "rehearse/comparison.h"
#include "rehearse/diary.h"
#include "rehearse/plan.h"
#include "rehearse/summary.h"

#include <string>

// A rehearsal for people. Times are those of the job's zone, which is named with them.
namespace belfry::cli {

class RehearsalText {
 public:
  // All must outlive it. `zone` is that of times which belong to no job.
  RehearsalText(const rehearse::Plan& plan, core::ZoneCatalog& zones, const Session& session,
                std::string zone)
      : plan_(plan), zones_(zones), session_(session), zone_(std::move(zone)) {}

  // "Sun 29 Mar 03:00 Europe/Berlin"
  std::string moment_of(Instant at, const std::string& zone) const;

  void print(const rehearse::Event& event) const;
  void print(const rehearse::Summary& summary) const;
  void print(const std::vector<rehearse::JobChange>& changes, const rehearse::Summary& before,
             const rehearse::Summary& after) const;

 private:
  std::string wall_clock(Instant at, const std::string& zone, Instant reference) const;
  std::string time_in(const rehearse::Event& event, Tick tick) const;
  std::string detail_of(const rehearse::Event& event) const;
  std::string names(const std::vector<std::size_t>& jobs) const;
  const std::string& name_of(std::size_t job) const { return plan_.jobs[job].definition.name; }
  const std::string& zone_of(std::size_t job) const {
    return plan_.jobs[job].definition.schedule.timezone;
  }
  std::string header() const;
  std::string peak_of(const rehearse::Summary& summary) const;
  // The first of them, below a title.
  template <typename Item, typename Print>
  void print_part(const char* title, const std::vector<Item>& items, const Print& print_item) const;
  void print_totals(const rehearse::Tally& all) const;
  void print_overlap(const rehearse::Overlap& overlap) const;
  void print_jobs(const rehearse::Summary& summary) const;
  void print_change(const rehearse::JobChange& change) const;

  const rehearse::Plan& plan_;
  core::ZoneCatalog& zones_;
  const Session& session_;
  const std::string zone_;
};

}  // namespace belfry::cli
