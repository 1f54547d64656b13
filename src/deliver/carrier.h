#pragma once

#include "deliver/delivery.h"

namespace belfry::deliver {

// Takes runs to targets of one kind. Thread-safe; no call blocks.
class Carrier {
 public:
  virtual ~Carrier() = default;

  // Whether to fetch runs at all: not while there is nobody to take them to.
  virtual bool ready() const = 0;

  // Begins a delivery. `done` is called once, unless the delivery is dropped before.
  virtual void start(Delivery delivery, Done done) = 0;

  // Ends it at once, as far as possible. `done` may still come if it was on its way.
  virtual void drop(const RunGrant& grant) = 0;
};

}  // namespace belfry::deliver
