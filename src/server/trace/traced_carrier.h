#pragma once

#include "deliver/carrier.h"
#include "trace/exporter.h"

#include <functional>
#include <memory>

namespace belfry::server {

// A carrier whose deliveries are spans, of the trace that their receivers are told of.
class TracedCarrier final : public deliver::Carrier {
 public:
  // What it works with must outlive it. `now`: the database's time.
  TracedCarrier(std::unique_ptr<deliver::Carrier> carrier, trace::Kind kind,
                trace::Exporter& exporter, std::function<Instant()> now)
      : carrier_(std::move(carrier)), kind_(kind), exporter_(exporter), now_(std::move(now)) {}

  bool ready() const override { return carrier_->ready(); }
  void start(deliver::Delivery delivery, deliver::Done done) override;
  void drop(const deliver::RunGrant& grant) override { carrier_->drop(grant); }

 private:
  const std::unique_ptr<deliver::Carrier> carrier_;
  const trace::Kind kind_;
  trace::Exporter& exporter_;
  const std::function<Instant()> now_;
};

}  // namespace belfry::server
