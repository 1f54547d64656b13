#pragma once

#include "cli/frame/program.h"

// The families of verbs, each in a file of its own. All but the first speak to a server.
namespace belfry::cli {

void add_serve_verb(const Program& program, const Serve& serve);  // serve
void add_config_verbs(const Program& program);                    // config check|show

void add_add_verb(const Program& program);                  // add
void add_job_verbs(const Program& program);                 // jobs list|get|edit|rm, ls, get, rm
void add_state_verbs(const Program& program);               // pause, resume, cancel
void add_bulk_verbs(const Program& program);                // bulk ls|show|stop, label
void add_revision_verbs(const Program& program);            // revisions
void add_run_verbs(const Program& program);                 // runs list|get|log|cancel|retry, dlq …
void add_log_verbs(const Program& program, Command& runs);  // runs log, logs
void add_trigger_verb(const Program& program);              // run
void add_schedule_verbs(const Program& program);            // next, explain, backfill
void add_tail_verb(const Program& program);                 // tail
void add_top_verb(const Program& program);                  // top
void add_file_verbs(const Program& program, const Upkeep& upkeep);   // apply, diff, export
void add_import_verb(const Program& program, const Upkeep& upkeep);  // import crontab|…|all
void add_cluster_verbs(const Program& program);                      // cluster, forecast
void add_worker_list_verb(const Program& program);                   // workers
void add_admin_verbs(const Program& program, const Upkeep& upkeep);  // keys, tenants
void add_alert_verbs(const Program& program);                        // alerts
void add_calendar_verbs(const Program& program);                     // calendars
void add_type_verbs(const Program& program);                         // types
void add_checkin_verbs(const Program& program);                      // checkin
void add_wrap_verb(const Program& program);                          // wrap
void add_secret_verbs(const Program& program);                       // secrets
void add_context_verbs(const Program& program);                      // context
void add_audit_verbs(const Program& program);                        // audit
void add_doctor_verb(const Program& program);                        // doctor
void add_api_verb(const Program& program);                           // api
void add_completion_verb(const Program& program);                    // completion

void add_upkeep_verbs(const Program& program, const Upkeep& upkeep);  // migrate, backup, recover
void add_whole_import(Command& import, const Upkeep& upkeep);         // import all

void add_cron_verbs(const Program& program);  // cron next|explain|resolve

void add_worker_verb(const Program& program, const Work& work);  // worker

}  // namespace belfry::cli
