#include "store/sqlite/admin/events.h"

#include "store/sqlite/implementation.h"
#include "store/sqlite/sql.h"

namespace belfry::store::sqlite {

Status write_events(const Session& session) {
  for (const auto& [of, event] : session.events.events()) {
    BELFRY_CHECK(session.db.run(kAddEvent, session.now, event.tenant, of.second, event.count,
                                write_event_items(event)));
  }
  return {};
}

Result<std::vector<Event>> SqliteStore::events_after(const EventId& after, std::size_t most) {
  return read([&](const Session& session) -> Result<std::vector<Event>> {
    std::vector<Event> events;
    const auto add = [&](Row& row) {
      Event& event = events.emplace_back();
      EventKind kind{};
      std::string items;
      row.read(event.id.number, event.at, event.tenant, kind, event.count, items);
      read_event_items(kind, items, event);
    };
    BELFRY_CHECK(session.db.each(kEventsAfter, add, after.number, most));
    return events;
  });
}

Result<EventId> SqliteStore::last_event() {
  return read([&](const Session& session) -> Result<EventId> {
    BELFRY_TRY(number, session.db.value<std::uint64_t>(kLastEvent));
    return EventId{.number = number};
  });
}

}  // namespace belfry::store::sqlite
