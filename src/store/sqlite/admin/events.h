#pragma once

#include "base/result.h"
#include "store/sqlite/wire/session.h"

#include <cstddef>
#include <vector>

// What changed, for whoever watches. One transaction writes at a time, so numbers are in order.
namespace belfry::store::sqlite {

// The session's news, one row for each tenant.
Status write_events(const Session& session);

Result<std::vector<Event>> events_after(const Session& session, const EventId& after,
                                        std::size_t most);
Result<EventId> last_event(const Session& session);

}  // namespace belfry::store::sqlite
