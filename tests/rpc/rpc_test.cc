// Who may do what over gRPC, and what the protocol promises, against a real node.
#include "base/real_clock.h"
#include "base/text/instant_text.h"
#include "belfry/v1/dispatcher.grpc.pb.h"
#include "client/client.h"
#include "tests/rpc/node.h"
#include "tests/rpc/raw_calls.h"
#include "tests/support/process.h"

#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <optional>

namespace belfry {
namespace {

using grpc::StatusCode;
using std::chrono::seconds;
using test::fresh_folder;
using test::kPatienceMillis;
using test::Node;

constexpr char kBadKey[] = "bf_0000000000000000000000000000000000000000000";

// What a worker says over gRPC, with its key.
class Caller {
 public:
  Caller(const std::string& address, std::string key, std::string tenant = "",
         const std::shared_ptr<grpc::ChannelCredentials>& credentials =
             grpc::InsecureChannelCredentials())
      : key_(std::move(key)),
        tenant_(std::move(tenant)),
        stub_(v1::Dispatcher::NewStub(grpc::CreateChannel(address, credentials))) {}

  void authorize(grpc::ClientContext& context) const {
    if (!key_.empty()) context.AddMetadata("authorization", "Bearer " + key_);
    if (!tenant_.empty()) context.AddMetadata("belfry-tenant", tenant_);
    context.set_deadline(gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC),
                                      gpr_time_from_millis(kPatienceMillis, GPR_TIMESPAN)));
  }
  grpc::Status claim(v1::ClaimResponse& response, int wait = 0, const std::string& worker = "w") {
    grpc::ClientContext context;
    authorize(context);
    v1::ClaimRequest request;
    request.set_worker_id(worker);
    request.add_job_types("default");
    request.set_max_runs(10);
    request.mutable_wait()->set_seconds(wait);
    return stub_->Claim(&context, request, &response);
  }
  StatusCode claim_code(const std::string& worker = "w") {
    v1::ClaimResponse response;
    return claim(response, 0, worker).error_code();
  }
  v1::CompletionAnswer complete(const v1::Run& run, v1::Status status) {
    grpc::ClientContext context;
    authorize(context);
    v1::CompleteRequest request;
    v1::Completion& end = *request.add_runs();
    end.set_run_id(run.run_id());
    end.set_fence(run.fence());
    end.set_status(status);
    v1::CompleteResponse response;
    const grpc::Status called = stub_->Complete(&context, request, &response);
    EXPECT_TRUE(called.ok()) << called.error_message();
    return called.ok() ? response.results(0).answer() : v1::COMPLETION_ANSWER_UNSPECIFIED;
  }
  v1::BeatAnswer beat(const v1::Run& run) {
    grpc::ClientContext context;
    authorize(context);
    v1::HeartbeatRequest request;
    request.add_runs()->set_run_id(run.run_id());
    request.mutable_runs(0)->set_fence(run.fence());
    v1::HeartbeatResponse response;
    EXPECT_TRUE(stub_->Heartbeat(&context, request, &response).ok());
    return response.results(0).answer();
  }
  v1::Dispatcher::Stub& stub() { return *stub_; }

 private:
  const std::string key_;
  const std::string tenant_;
  const std::unique_ptr<v1::Dispatcher::Stub> stub_;
};

// A worker's stream, after its Hello.
class Stream {
 public:
  explicit Stream(Caller& caller) {
    caller.authorize(context_);
    stream_ = caller.stub().Work(&context_);
    v1::WorkerMessage hello;
    hello.mutable_hello()->set_worker_id("streamer");
    hello.mutable_hello()->add_job_types("default");
    stream_->Write(hello);
  }
  void give_credits(int credits) {
    v1::WorkerMessage message;
    message.set_credits(credits);
    stream_->Write(message);
  }
  void drain() {
    v1::WorkerMessage message;
    message.mutable_drain();
    stream_->Write(message);
  }
  std::optional<v1::ServerMessage> read() {
    v1::ServerMessage message;
    if (!stream_->Read(&message)) return std::nullopt;
    return message;
  }
  grpc::Status finish() {
    stream_->WritesDone();
    return stream_->Finish();
  }

 private:
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::WorkerMessage, v1::ServerMessage>> stream_;
};

// One node with keys for all cases: an admin's, and a worker's for each of two tenants.
class RpcTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    node() = std::make_unique<Node>();
    admin_key() = make_key("", "default", "root");
    for (const char* tenant : {"one", "two"}) {
      ask("", "PUT", "tenants/" + std::string(tenant), Json::object());
    }
    worker_key() = make_key(admin_key(), "one", "worker");
    other_key() = make_key(admin_key(), "two", "worker");
    viewer_key() = make_key(admin_key(), "one", "viewer");
  }
  static void TearDownTestSuite() { node().reset(); }

  static std::unique_ptr<Node>& node() {
    static std::unique_ptr<Node> value;
    return value;
  }
  template <int N>
  static std::string& text() {
    static std::string value;
    return value;
  }
  static std::string& admin_key() { return text<0>(); }
  static std::string& worker_key() { return text<1>(); }
  static std::string& other_key() { return text<2>(); }
  static std::string& viewer_key() { return text<3>(); }

  static Json ask(const std::string& tenant, const std::string& method, const std::string& path,
                  std::optional<Json> body = {}) {
    return test::ask(*node(), admin_key(), tenant, method, path, std::move(body));
  }
  static std::string make_key(const std::string& by, const std::string& tenant,
                              const std::string& scope) {
    return test::make_key(*node(), by, tenant, scope);
  }
  // A due run of a fresh job.
  static std::string trigger(const std::string& tenant, int max_attempts = 1) {
    static int number = 0;
    const Json job = ask(tenant, "POST", "jobs",
                         Json{{"job_name", "job-" + std::to_string(++number)},
                              {"every", "1d"},
                              {"max_attempts", max_attempts}});
    return ask(tenant, "POST", "jobs/" + job.value("job_id", "") + "/trigger", Json::object())
        .value("run_id", "");
  }
  static Json run(const std::string& tenant, const std::string& id) {
    return ask(tenant, "GET", "runs/" + id);
  }

  Caller worker_{node()->grpc, worker_key()};
  Caller other_{node()->grpc, other_key()};
};

TEST_F(RpcTest, WithoutAGoodKeyNobodyIsLetIn) {
  for (const char* key : {"", kBadKey, "nonsense"}) {
    Caller caller(node()->grpc, key);
    EXPECT_EQ(caller.claim_code(), StatusCode::UNAUTHENTICATED) << key;
    Stream stream(caller);
    EXPECT_FALSE(stream.read());
    EXPECT_EQ(stream.finish().error_code(), StatusCode::UNAUTHENTICATED) << key;
  }
  EXPECT_EQ(worker_.claim_code(), StatusCode::OK);
}

TEST_F(RpcTest, AKeyOpensOnlyWhatItsScopeAllows) {
  Caller viewer(node()->grpc, viewer_key());
  EXPECT_EQ(viewer.claim_code(), StatusCode::PERMISSION_DENIED);
  Stream stream(viewer);
  EXPECT_FALSE(stream.read());
  EXPECT_EQ(stream.finish().error_code(), StatusCode::PERMISSION_DENIED);
  // Only an admin may name another tenant.
  Caller posing(node()->grpc, worker_key(), "two");
  EXPECT_EQ(posing.claim_code(), StatusCode::PERMISSION_DENIED);
  Caller admin(node()->grpc, admin_key(), "two");
  EXPECT_EQ(admin.claim_code(), StatusCode::OK);
  Caller lost(node()->grpc, admin_key(), "nobody");
  EXPECT_EQ(lost.claim_code(), StatusCode::NOT_FOUND);
}

TEST_F(RpcTest, AnotherTenantsRunIsNotThere) {
  const std::string id = trigger("one");
  v1::ClaimResponse nothing;
  ASSERT_TRUE(other_.claim(nothing, 1).ok());
  EXPECT_EQ(nothing.runs_size(), 0);
  v1::ClaimResponse claimed;
  ASSERT_TRUE(worker_.claim(claimed, 20).ok());
  ASSERT_EQ(claimed.runs_size(), 1);
  const v1::Run& mine = claimed.runs(0);
  EXPECT_EQ(mine.run_id(), id);
  EXPECT_EQ(other_.beat(mine), v1::BEAT_ANSWER_FENCED);
  EXPECT_EQ(other_.complete(mine, v1::STATUS_SUCCEEDED), v1::COMPLETION_ANSWER_FENCED);
  other_.complete(mine, v1::STATUS_RETURNED);
  EXPECT_EQ(worker_.beat(mine), v1::BEAT_ANSWER_EXTENDED);
  EXPECT_EQ(worker_.complete(mine, v1::STATUS_SUCCEEDED), v1::COMPLETION_ANSWER_OK);
  EXPECT_EQ(run("one", id)["state"], "SUCCEEDED");
}

TEST_F(RpcTest, ARevokedKeyLosesItsStream) {
  const Json key = ask("one", "POST", "keys", Json{{"name", "leaked"}, {"scope", "worker"}});
  Caller caller(node()->grpc, key["secret"]);
  Stream stream(caller);
  stream.give_credits(1);
  ask("one", "DELETE", "keys/" + key["key_id"].get<std::string>());
  EXPECT_FALSE(stream.read()) << "it was sent something";
  EXPECT_EQ(stream.finish().error_code(), StatusCode::UNAUTHENTICATED);
}

TEST_F(RpcTest, AnExpiredKeyLosesItsWaitingClaim) {
  const Instant expires = RealClock().wall_now() + std::chrono::seconds(2);
  const Json key =
      ask("two", "POST", "keys",
          Json{{"name", "short"}, {"scope", "worker"}, {"expires_at", format_instant(expires)}});
  Caller caller(node()->grpc, key["secret"]);
  v1::ClaimResponse response;
  EXPECT_EQ(caller.claim(response, 60).error_code(), StatusCode::UNAUTHENTICATED);
}

TEST_F(RpcTest, MessagesOfAStreamCountAsCalls) {
  ask("default", "PUT", "tenants/slow", Json{{"max_requests", 2}});
  Caller caller(node()->grpc, make_key(admin_key(), "slow", "worker"));
  const BootInstant begun = RealClock().boot_now();
  Stream stream(caller);
  for (int i = 0; i < 8; ++i) stream.give_credits(1);
  stream.drain();
  const auto answer = stream.read();  // after all of them
  ASSERT_TRUE(answer);
  EXPECT_TRUE(answer->has_drain());
  // Eleven calls with the stream's own, of which two are free.
  EXPECT_GE(RealClock().boot_now() - begun, std::chrono::seconds(3));
}

TEST_F(RpcTest, WhatIsGivenBackUsesUpNoAttempt) {
  const std::string id = trigger("one");
  std::uint64_t fence = 0;
  for (int i = 0; i < 3; ++i) {
    v1::ClaimResponse claimed;
    ASSERT_TRUE(worker_.claim(claimed, 20).ok());
    ASSERT_EQ(claimed.runs_size(), 1);
    EXPECT_EQ(claimed.runs(0).attempt(), 1U);
    EXPECT_GT(claimed.runs(0).fence(), fence);
    fence = claimed.runs(0).fence();
    const auto status = i < 2 ? v1::STATUS_RETURNED : v1::STATUS_SUCCEEDED;
    EXPECT_EQ(worker_.complete(claimed.runs(0), status), v1::COMPLETION_ANSWER_OK);
  }
  EXPECT_EQ(run("one", id)["state"], "SUCCEEDED");
  EXPECT_EQ(run("one", id)["attempts"], 1);
}

TEST_F(RpcTest, AfterADrainNoRunsComeWhateverCreditsAreLeft) {
  Stream stream(worker_);
  stream.give_credits(5);
  const std::string first = trigger("one");
  const auto sent = stream.read();
  ASSERT_TRUE(sent);
  ASSERT_EQ(sent->runs().runs_size(), 1);
  EXPECT_EQ(sent->runs().runs(0).run_id(), first);
  stream.drain();
  const auto last_word = stream.read();
  ASSERT_TRUE(last_word);
  EXPECT_TRUE(last_word->has_drain());
  const std::string second = trigger("one");
  v1::ClaimResponse claimed;
  ASSERT_TRUE(worker_.claim(claimed, 20).ok());
  ASSERT_EQ(claimed.runs_size(), 1) << "the stream got it";
  EXPECT_EQ(claimed.runs(0).run_id(), second);
  worker_.complete(claimed.runs(0), v1::STATUS_SUCCEEDED);
  worker_.complete(sent->runs().runs(0), v1::STATUS_SUCCEEDED);
  EXPECT_TRUE(stream.finish().ok());
}

TEST_F(RpcTest, NamesThatTheStoreCannotKeepAreRefused) {
  for (const std::string& name : {std::string("a\0b", 3), std::string("a\nb"), std::string()}) {
    EXPECT_EQ(worker_.claim_code(name), StatusCode::INVALID_ARGUMENT);
  }
}

TEST_F(RpcTest, ABadRequestOfManyRunsIsAnsweredBriefly) {
  grpc::ClientContext context;
  worker_.authorize(context);
  v1::CompleteRequest request;
  for (int i = 0; i < 1'000; ++i) request.add_runs()->set_run_id("no run");
  v1::CompleteResponse response;
  const grpc::Status status = worker_.stub().Complete(&context, request, &response);
  EXPECT_EQ(status.error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_LT(status.error_message().size(), 4'000U);
  EXPECT_NE(status.error_message().find("/runs/0/run_id"), std::string::npos);
}

// grpc.health.v1.Health: status 1 is SERVING; no key is asked for.
TEST_F(RpcTest, HealthSaysServing) {
  const auto channel = grpc::CreateChannel(node()->grpc, grpc::InsecureChannelCredentials());
  EXPECT_EQ(test::first_answer(channel, "/grpc.health.v1.Health/Check", ""), "\x08\x01");
}

// HealthCheckRequest.service is field 1.
TEST_F(RpcTest, HealthKnowsTheDispatcherByName) {
  const auto channel = grpc::CreateChannel(node()->grpc, grpc::InsecureChannelCredentials());
  const auto check = [&](const std::string& service) {
    const std::string request =
        "\x0a" + std::string(1, static_cast<char>(service.size())) + service;
    return test::first_answer(channel, "/grpc.health.v1.Health/Check", request);
  };
  EXPECT_EQ(check("belfry.v1.Dispatcher"), "\x08\x01");
  EXPECT_EQ(check("belfry.v1.Nobody"), "");
}

// ServerReflectionRequest.list_services is field 7, file_containing_symbol field 4.
TEST_F(RpcTest, ReflectionShowsTheDispatcherToWhoHasAKey) {
  const auto channel = grpc::CreateChannel(node()->grpc, grpc::InsecureChannelCredentials());
  const std::string method = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
  const auto ask = [&](const std::string& request) {
    return test::first_answer(channel, method, request, worker_key());
  };
  const std::string list("\x3a\x01*", 3);
  EXPECT_EQ(test::first_answer(channel, method, list), "");
  EXPECT_EQ(test::first_answer(channel, method, list, "bf_wrong"), "");
  const std::string listed = ask(list);
  for (const char* service :
       {"belfry.v1.Dispatcher", "grpc.health.v1.Health", "grpc.reflection.v1.ServerReflection"}) {
    EXPECT_NE(listed.find(service), std::string::npos) << service;
  }
  const std::string described =
      ask("\x22\x14"
          "belfry.v1.Dispatcher");
  EXPECT_NE(described.find("HeartbeatRequest"), std::string::npos);
  EXPECT_NE(described.find("google/protobuf/duration.proto"), std::string::npos);
  EXPECT_NE(ask("\x22\x06"
                "nobody")
                .find("nobody"),
            std::string::npos);
}

TEST_F(RpcTest, AnEmptyFirstMessageIsAnswered) {
  grpc::ClientContext context;
  worker_.authorize(context);
  const auto stream = worker_.stub().Work(&context);
  EXPECT_TRUE(stream->Write({}));
  v1::ServerMessage message;
  EXPECT_FALSE(stream->Read(&message));
  const grpc::Status status = stream->Finish();
  EXPECT_EQ(status.error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_NE(status.error_message().find("hello"), std::string::npos);
}

// Without keys the node serves its owner, who calls it by a name of this machine and by no proxy.
TEST(RpcOwnerTest, ANodeWithoutKeysServesItsOwner) {
  const Node node;
  Caller owner(node.grpc, "");
  EXPECT_EQ(owner.claim_code(), StatusCode::OK);
  const auto claim_with = [&](const auto& change) {
    grpc::ClientContext context;
    owner.authorize(context);
    change(context);
    v1::ClaimRequest request;
    request.set_worker_id("w");
    request.add_job_types("default");
    v1::ClaimResponse response;
    return owner.stub().Claim(&context, request, &response).error_code();
  };
  EXPECT_EQ(claim_with([](auto& context) { context.set_authority("localhost:7071"); }),
            StatusCode::OK);
  EXPECT_EQ(claim_with([](auto& context) { context.set_authority("attacker.example"); }),
            StatusCode::PERMISSION_DENIED);
  for (const char* header : {"x-forwarded-for", "forwarded", "via"}) {
    EXPECT_EQ(claim_with([&](auto& context) { context.AddMetadata(header, "10.0.0.7"); }),
              StatusCode::UNAUTHENTICATED)
        << header;
  }
}

TEST(RpcTlsTest, OnlyWhoTrustsTheCertificateTalks) {
  const std::string folder = fresh_folder();
  const std::string certificate = folder + "/cert.pem";
  const std::string key = folder + "/key.pem";
  ASSERT_TRUE(test::run_program(
      {"openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
       "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
       "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", certificate},
      folder + "/openssl.log"));
  {
    const Node node({"--tls-cert", certificate, "--tls-key", key});
    const auto code_with = [&](const std::shared_ptr<grpc::ChannelCredentials>& credentials) {
      return Caller(node.grpc, "", "", credentials).claim_code();
    };
    const std::string trusted = test::read_file(certificate);
    EXPECT_EQ(code_with(grpc::SslCredentials({.pem_root_certs = trusted})), StatusCode::OK);
    EXPECT_EQ(code_with(grpc::SslCredentials({})), StatusCode::UNAVAILABLE);
    EXPECT_EQ(code_with(grpc::InsecureChannelCredentials()), StatusCode::UNAVAILABLE);
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace belfry
