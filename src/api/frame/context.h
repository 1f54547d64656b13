#pragma once

#include "service/services.h"

#include <functional>

namespace belfry::api {

using service::Services;

class EventHub;

// What handlers work with: the services, and what only a server of HTTP has.
struct Context {
  const Services& services;
  EventHub& events;
  // Work that may wait, on a thread of the server's; false: none is free.
  std::function<bool(std::function<void()>)> later;
};

}  // namespace belfry::api
