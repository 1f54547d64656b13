#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace belfry::client {

// One event of a stream (server-sent events, as the HTML standard has them).
struct StreamEvent {
  std::string id;    // of the last event that had one
  std::string name;  // "message" when none was given
  std::string data;
};

// Puts events together from the lines of a stream.
class EventReader {
 public:
  // The event that this line completes, if any. Comments and unknown fields are ignored.
  std::optional<StreamEvent> line(std::string_view text);

  // What to send as Last-Event-ID to continue after the events seen so far.
  const std::string& last_id() const { return last_id_; }

  // A new connection: half an event of the old one is worth nothing.
  void restart();

 private:
  std::string last_id_;
  std::string name_;
  std::string data_;
  bool has_data_ = false;
};

}  // namespace belfry::client
