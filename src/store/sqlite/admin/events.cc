#include "store/sqlite/admin/events.h"

#include "store/sqlite/sql.h"

namespace belfry::store::sqlite {

Status write_events(const Session& session) {
  for (const auto& [of, event] : session.news.events()) {
    BELFRY_CHECK(session.db.run(kAddEvent, session.now, event.tenant, of.second, event.count,
                                write_event_items(event)));
  }
  return {};
}

Result<std::vector<Event>> events_after(const Session& session, const EventId& after,
                                        std::size_t most) {
  std::vector<Event> events;
  const auto add = [&](Row& row) {
    Event& event = events.emplace_back();
    EventKind kind{};
    std::string news;
    row.read(event.id.number, event.at, event.tenant, kind, event.count, news);
    read_event_items(kind, news, event);
  };
  BELFRY_CHECK(session.db.each(kEventsAfter, add, after.number, most));
  return events;
}

Result<EventId> last_event(const Session& session) {
  BELFRY_TRY(number, session.db.value<std::uint64_t>(kLastEvent));
  return EventId{.number = number};
}

}  // namespace belfry::store::sqlite
