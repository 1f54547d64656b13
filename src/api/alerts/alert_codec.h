#pragma once

#include "api/frame/object_reader.h"
#include "core/alerts/rule.h"
#include "store/alerts.h"

#include <functional>
#include <string>
#include <vector>

namespace belfry::api {

// Reads a rule and complains of all that is wrong with it. `before` are the receivers it has, for
// secrets that were sent back hidden.
core::AlertRule read_alert_rule(const std::string& name, const Json& json,
                                const std::vector<std::string>& before,
                                std::vector<Complaint>& complaints);

// The jobs that a rule or a silence is about: `job`, `job_type` and `labels`.
core::AlertScope read_alert_scope(ObjectReader& body);

// As callers see them: secrets hidden.
Json write_alert_rule(const store::AlertRuleRow& row);
Json write_alert(const store::AlertRow& alert);
Json write_alert_message(const store::AlertMessageRow& message);
Json write_alert_silence(const store::AlertSilenceRow& silence);

}  // namespace belfry::api
