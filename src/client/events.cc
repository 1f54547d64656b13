#include "client/events.h"

namespace belfry::client {

std::optional<StreamEvent> EventReader::line(std::string_view text) {
  if (text.ends_with('\r')) text.remove_suffix(1);
  if (text.empty()) {
    std::optional<StreamEvent> event;
    if (has_data_) event = StreamEvent{last_id_, name_.empty() ? "message" : name_, data_};
    restart();
    return event;
  }
  const std::size_t colon = text.find(':');
  const std::string_view field = text.substr(0, colon);
  std::string_view value = colon == std::string_view::npos ? "" : text.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  if (field == "id" && value.find('\0') == std::string_view::npos) last_id_ = value;
  if (field == "event") name_ = value;
  if (field == "data") {
    if (has_data_) data_ += '\n';
    data_ += value;
    has_data_ = true;
  }
  return {};
}

void EventReader::restart() {
  name_.clear();
  data_.clear();
  has_data_ = false;
}

}  // namespace belfry::client
