#pragma once

#include "service/access/key_watch.h"
#include "service/services.h"

#include <functional>

namespace belfry::api {

using service::Services;

class EventHub;

// What handlers work with: the services, and what only an HTTP server has.
struct Context {
  const Services& services;
  EventHub& events;
  service::KeyWatch& keys;  // of what stays open
  // Runs work that may wait on a thread of the server; false: none is free.
  std::function<bool(std::function<void()>)> later;
};

}  // namespace belfry::api
