#pragma once

#include "deliver/delivery.h"

#include <string>

namespace belfry::deliver {

inline constexpr std::string_view kCloudEventType = "application/cloudevents+json";

// A due run as a CloudEvents 1.0 event in JSON (structured mode). Its id is the run's, the same for
// all attempts: receivers may drop what they have seen.
std::string cloud_event_of(const Delivery& delivery);

}  // namespace belfry::deliver
