#include "store/common/outbox.h"
#include "store/postgres/implementation.h"
#include "store/postgres/sql.h"

#include <limits>

namespace belfry::store::postgres {
namespace {

Event read_event(Row row) {
  Event event;
  event.id.transaction = to_unsigned(row.number());
  event.id.number = to_unsigned(row.number());
  event.at = row.instant();
  event.tenant = TenantId(to_unsigned(row.number()));
  const auto kind = static_cast<EventKind>(row.number());
  event.count = static_cast<std::size_t>(row.number());
  read_event_items(kind, row.text(), event);
  return event;
}

}  // namespace

Result<std::vector<Event>> PostgresStore::events_after(const EventId& after, std::size_t most) {
  BELFRY_TRY(reply, database_.read(kEventsAfter, Params()
                                                     .bigint(to_bigint(after.transaction))
                                                     .bigint(to_bigint(after.number))
                                                     .bigint(to_bigint(most))));
  return read_all(reply, read_event);
}

Result<EventId> PostgresStore::last_event() {
  BELFRY_TRY(reply, database_.read(kLastEvent));
  return EventId{.transaction = to_unsigned(reply.row(0).number()),
                 .number = std::numeric_limits<std::int64_t>::max()};
}

}  // namespace belfry::store::postgres
