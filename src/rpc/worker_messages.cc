#include "rpc/worker_messages.h"

#include "base/json.h"
#include "base/text/instant_text.h"
#include "rpc/pem_file.h"

#include <grpcpp/grpcpp.h>

namespace belfry::rpc {
namespace {

void write_duration(Duration duration, google::protobuf::Duration& to) {
  to.set_seconds(duration.count() / 1'000'000);
  to.set_nanos(static_cast<std::int32_t>(duration.count() % 1'000'000 * 1'000));
}

Instant instant_of(const google::protobuf::Timestamp& time) {
  return from_unix_seconds(time.seconds()) + Duration(time.nanos() / 1'000);
}

template <typename From, typename To>
void write_event_items(const From& from, To& to) {
  if (from.log) to.set_log(*from.log);
  if (!from.progress) return;
  to.mutable_progress()->set_done(from.progress->done);
  to.mutable_progress()->set_total(from.progress->total);
}

template <typename Message>
void write_worker(const worker::ClaimRequest& want, Message& to) {
  to.set_worker_id(want.worker);
  for (const std::string& type : want.job_types) to.add_job_types(type);
  for (const std::string& type : want.exec_types) to.add_exec_types(type);
  write_duration(want.lease, *to.mutable_lease());
  to.set_region(want.region);
}

HeartbeatAnswer read_answer(v1::BeatAnswer answer) {
  if (answer == v1::BEAT_ANSWER_EXTENDED) return HeartbeatAnswer::kExtended;
  if (answer == v1::BEAT_ANSWER_CANCEL) return HeartbeatAnswer::kCancel;
  return HeartbeatAnswer::kFenced;
}

worker::CompletionAnswer read_answer(v1::CompletionAnswer answer) {
  if (answer == v1::COMPLETION_ANSWER_OK) return worker::CompletionAnswer::kOk;
  if (answer == v1::COMPLETION_ANSWER_FENCED) return worker::CompletionAnswer::kFenced;
  return worker::CompletionAnswer::kAgain;
}

}  // namespace

Result<std::shared_ptr<grpc::Channel>> open_channel(const GrpcOptions& options) {
  std::shared_ptr<grpc::ChannelCredentials> credentials = grpc::InsecureChannelCredentials();
  if (options.tls) {
    grpc::SslCredentialsOptions ssl;
    if (!options.ca_file.empty()) {
      BELFRY_TRY(authorities, read_pem(options.ca_file));
      ssl.pem_root_certs = std::move(authorities);
    }
    if (!options.own.certificate.empty()) {
      BELFRY_TRY(certificate, read_pem(options.own.certificate));
      BELFRY_TRY(key, read_pem(options.own.key));
      ssl.pem_cert_chain = std::move(certificate);
      ssl.pem_private_key = std::move(key);
    }
    credentials = grpc::SslCredentials(ssl);
  }
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(64 * 1024 * 1024);
  // A server that is gone without a word is noticed within a lease, even by a worker that has
  // nothing to say: without the third setting, pings stop after two of them.
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 10'000);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 5'000);
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 2'000);
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return grpc::CreateCustomChannel(options.address, credentials, arguments);
}

void authorize(const GrpcOptions& options, grpc::ClientContext& context) {
  if (!options.token.empty()) context.AddMetadata("authorization", "Bearer " + options.token);
  if (!options.tenant.empty()) context.AddMetadata("belfry-tenant", options.tenant);
}

Error error_of(const grpc::Status& status) {
  const grpc::StatusCode code = status.error_code();
  const bool useless =
      code == grpc::StatusCode::INVALID_ARGUMENT || code == grpc::StatusCode::UNAUTHENTICATED ||
      code == grpc::StatusCode::PERMISSION_DENIED || code == grpc::StatusCode::NOT_FOUND ||
      code == grpc::StatusCode::UNIMPLEMENTED;
  return {.code = useless ? Errc::kInvalid : Errc::kUnavailable,
          .message = status.error_message().empty() ? "the server ended the call"
                                                    : status.error_message()};
}

v1::Hello write_hello(const worker::ClaimRequest& want) {
  v1::Hello hello;
  write_worker(want, hello);
  return hello;
}

v1::ClaimRequest write_claim(const worker::ClaimRequest& want) {
  v1::ClaimRequest request;
  write_worker(want, request);
  request.set_max_runs(static_cast<std::int32_t>(want.max_runs));
  write_duration(want.wait, *request.mutable_wait());
  return request;
}

v1::HeartbeatRequest write_beats(std::span<const worker::Heartbeat> beats, Duration lease) {
  v1::HeartbeatRequest request;
  write_duration(lease, *request.mutable_lease());
  for (const worker::Heartbeat& beat : beats) {
    v1::Beat& to = *request.add_runs();
    to.set_run_id(beat.grant.run_id);
    to.set_fence(beat.grant.fence);
    write_event_items(beat, to);
  }
  return request;
}

v1::CompleteRequest write_ends(std::span<const worker::Completion> ends) {
  v1::CompleteRequest request;
  for (const worker::Completion& end : ends) {
    v1::Completion& to = *request.add_runs();
    to.set_run_id(end.grant.run_id);
    to.set_fence(end.grant.fence);
    to.set_status(end.returned    ? v1::STATUS_RETURNED
                  : end.succeeded ? v1::STATUS_SUCCEEDED
                                  : v1::STATUS_FAILED);
    if (!end.result.is_null()) to.set_result(write_json(end.result));
    to.set_error(end.error);
    to.set_not_retryable(!end.succeeded && !end.retryable);
    if (end.retry_after) write_duration(*end.retry_after, *to.mutable_retry_after());
    write_event_items(end, to);
  }
  return request;
}

std::optional<Duration> waited_of(const v1::Run& run) {
  if (!run.has_waited()) return std::nullopt;
  return std::chrono::seconds(run.waited().seconds()) + Duration(run.waited().nanos() / 1'000);
}

worker::Task read_task(const v1::Run& run, Duration lease) {
  // The attempt's time, by the server's clock: the lease it wrote began with the grant.
  const Instant granted = instant_of(run.lease_until()) - lease;
  return {.run_id = run.run_id(),
          .fence = run.fence(),
          .attempt = run.attempt(),
          .job_id = run.job_id(),
          .job_name = run.job_name(),
          .job_type = run.job_type(),
          .tenant = run.tenant_id(),
          .scheduled_for = format_instant(instant_of(run.scheduled_for())),
          .deadline = format_instant(instant_of(run.deadline())),
          .stands_for = run.stands_for(),
          .idempotency_key = run.idempotency_key(),
          .traceparent = run.traceparent(),
          .target = parse_json(run.target()).value_or(Json()),
          .payload = parse_json(run.payload()).value_or(Json()),
          .payload_text = run.payload(),
          .timeout = instant_of(run.deadline()) - granted};
}

std::vector<HeartbeatAnswer> read_answers(const v1::HeartbeatResponse& response) {
  std::vector<HeartbeatAnswer> answers;
  for (const v1::BeatResult& result : response.results()) {
    answers.push_back(read_answer(result.answer()));
  }
  return answers;
}

std::vector<worker::CompletionAnswer> read_answers(const v1::CompleteResponse& response) {
  std::vector<worker::CompletionAnswer> answers;
  for (const v1::CompletionResult& result : response.results()) {
    answers.push_back(read_answer(result.answer()));
  }
  return answers;
}

}  // namespace belfry::rpc
