#pragma once

#include "store/access.h"
#include "store/alerts.h"
#include "store/audit.h"
#include "store/bulk.h"
#include "store/calendars.h"
#include "store/checkins.h"
#include "store/chores.h"
#include "store/decisions.h"
#include "store/events.h"
#include "store/hints.h"
#include "store/history_days.h"
#include "store/job_types.h"
#include "store/jobs.h"
#include "store/ledger.h"
#include "store/listing.h"
#include "store/overview.h"
#include "store/ownership.h"
#include "store/proof.h"
#include "store/run_logs.h"
#include "store/runs.h"
#include "store/secrets.h"
#include "store/tenants.h"

// The named transactions: every state change of the system is one of these functions. Each is
// atomic. Errors, besides what a function says itself:
//   kUnavailable      nothing was changed; try again later
//   kUnknownOutcome   the reply was lost: all of it happened, or nothing. Each function says what
//                     a second call does
// Times are the store's own ("now" is the database clock); callers give durations.
//
// An implementation may be called from several threads at once. docs/internals/protocol.md argues
// why these functions together lose no tick and double none.
namespace belfry::store {

class Store : public OwnershipStore,
              public DecisionStore,
              public JobStore,
              public RunStore,
              public RunLogStore,
              public CheckInStore,
              public ChoreStore,
              public HistoryStore,
              public LedgerStore,
              public ProofStore,
              public ListingStore,
              public OverviewStore,
              public NodeNoteStore,
              public TenantStore,
              public AccessStore,
              public AuditStore,
              public SecretStore,
              public AlertStore,
              public BulkStore,
              public CalendarStore,
              public JobTypeStore,
              public EventStore,
              public HintStore {};

}  // namespace belfry::store
