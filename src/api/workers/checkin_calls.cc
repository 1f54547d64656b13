#include "api/workers/checkin_calls.h"

#include "api/frame/context.h"
#include "api/frame/object_reader.h"
#include "api/frame/request_form.h"
#include "api/frame/same_machine.h"
#include "api/jobs/job_view.h"
#include "base/digest.h"
#include "base/text/instant_text.h"
#include "core/id_text.h"
#include "core/queue.h"

#include <utility>

namespace belfry::api {
namespace {

using service::CheckIns;
using Kind = CheckIns::Report::Kind;

constexpr std::size_t kTokenBytes = 24;
constexpr std::size_t kLongestOutput = 32 * 1024;

// ---- Reports: the token is all that the caller has to show.

const char* word_of(CheckIns::Fate fate) {
  switch (fate) {
    case CheckIns::Fate::kTaken: return "TAKEN";
    case CheckIns::Fate::kEarly: return "EARLY";
    case CheckIns::Fate::kExtra: return "EXTRA";
    case CheckIns::Fate::kAgain: break;
  }
  return "AGAIN";
}

CheckIns::Report read_report(ObjectReader& body, Kind kind) {
  CheckIns::Report report{.kind = kind};
  if (const auto run = body.text("run_id", 64)) {
    report.run = core::read_run_id(*run);
    if (!report.run) body.complain("run_id", "invalid", "this is not the id of a run");
  }
  report.exit_code = body.integer("exit_code", -1'000'000'000, 1'000'000'000);
  report.output = body.text("output", kLongestOutput).value_or("");
  body.refuse_others();
  return report;
}

// Whose token it is. Who tries tokens that are none gets slower, like one who tries keys.
std::variant<store::CheckInRow, Problem> find_token(const Services& services, const Call& call) {
  const std::string& token = call.at("token");
  const service::Caller caller = caller_of(call.request);
  if (!services.check_ins.knows(token)) {
    if (const auto wait = services.admission.slow_down_guess(caller)) return problem_of(*wait);
  }
  auto found = services.check_ins.find(token);
  if (found) return *std::move(found);
  if (found.error().code != Errc::kNotFound) return problem_of(found.error());
  services.admission.note_wrong_guess(caller);
  return not_found("there is no such check-in token; it may have been replaced or revoked");
}

Outcome answer_of(const Result<CheckIns::Answer>& answer) {
  if (!answer) return answer.error();
  return json_response(200,
                       {{"fate", word_of(answer->fate)},
                        {"run_id", answer->run ? Json(core::write_run_id(*answer->run)) : Json()}});
}

void take_report(const Services& services, const Call& call, const net::Responder& responder,
                 Kind kind) {
  const auto answer = [&](Outcome outcome) {
    responder.send(std::move(outcome).to_response(call.request_id));
  };
  if (const auto problem = check_form(call.request)) return answer(*problem);
  auto token = find_token(services, call);
  if (auto* problem = std::get_if<Problem>(&token)) return answer(std::move(*problem));
  const auto json = read_body(call.request);
  if (!json) return answer(json.error());
  std::vector<Complaint> complaints = wrong_parameters(call.request.query, {});
  ObjectReader body(*json, "", complaints);
  const CheckIns::Report report = read_report(body, kind);
  if (!complaints.empty()) return answer(invalid(std::move(complaints)));
  services.check_ins.report(std::get<store::CheckInRow>(token).job, report,
                            [responder, id = call.request_id](const auto& answered) {
                              responder.send(answer_of(answered).to_response(id));
                            });
}

template <Kind kKind>
void report(const Services& services, Call call, const net::Responder& responder) {
  take_report(services, call, responder, kKind);
}

// ---- Tokens: for those who may change the job.

// Without the token: that is shown once, when it is made.
Json write_checkin(const store::CheckInRow& checkin) {
  return {{"created_at", format_instant(checkin.created_at)}, {"created_by", checkin.created_by}};
}

Outcome get_token(const Services& services, const Call& call) {
  BELFRY_NEED(job, find_job(services, call));
  BELFRY_NEED(checkin, services.store.find_checkin(job.id));
  return json_response(200, write_checkin(checkin));
}

Outcome make_token(const Services& services, const Call& call, std::vector<Complaint> complaints) {
  BELFRY_NEED(job, find_job(services, call));
  BELFRY_NEED(json, read_body(call.request));
  ObjectReader(json, "", complaints).refuse_others();
  if (!complaints.empty()) return invalid(std::move(complaints));
  if (core::kind_of_target(job.definition.target) != core::TargetKind::kCheckIn) {
    return Problem{.status = 409,
                   .code = "no_checkin",
                   .title = "The job has no check-in",
                   .detail = "only a job with the target CHECKIN has a token"};
  }
  const std::string token = random_token(kTokenBytes);
  BELFRY_NEED(checkin, services.store.put_checkin(job.id, token, call.author()));
  services.check_ins.remember(token);
  Json made = write_checkin(checkin);
  made["token"] = token;
  made["path"] = "/api/v1/checkin/" + token;
  return json_response(201, made);
}

Outcome revoke_token(const Services& services, const Call& call) {
  BELFRY_NEED(job, find_job(services, call));
  if (const auto gone = services.store.delete_checkin(job.id, call.author()); !gone) {
    return gone.error();
  }
  return net::Response{.status = 204};
}

}  // namespace

std::vector<Route> checkin_routes() {
  const std::string reports = "/api/v1/checkin/{token}";
  const std::string token = "/api/v1/jobs/{job}/checkin";
  return {
      {"POST", reports, Access::kPublic, deferred(report<Kind::kOk>)},
      {"POST", reports + "/start", Access::kPublic, deferred(report<Kind::kStart>)},
      {"POST", reports + "/ok", Access::kPublic, deferred(report<Kind::kOk>)},
      {"POST", reports + "/fail", Access::kPublic, deferred(report<Kind::kFail>)},
      {"GET", token, Access::kOperate, at_once(get_token)},
      {"POST", token, Access::kOperate, at_once(make_token)},
      {"DELETE", token, Access::kOperate, at_once(revoke_token)},
  };
}

}  // namespace belfry::api
