// Scope x method and tenant x method, for every service that a node says it has: made from what the
// proto says of each method, so that a new one without a decision fails here.
#include "belfry/v1/access.pb.h"
#include "belfry/v1/dispatcher.grpc.pb.h"
#include "tests/rpc/node.h"
#include "tests/rpc/raw_calls.h"

#include <google/protobuf/descriptor.h>
#include <grpc/reflection/v1/reflection.pb.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

namespace belfry {
namespace {

using google::protobuf::DescriptorPool;
using google::protobuf::MethodDescriptor;
using grpc::StatusCode;
using test::RawAnswer;

constexpr char kBadKey[] = "bf_0000000000000000000000000000000000000000000";
const std::set<std::string> kScopes{"viewer", "operator", "admin", "worker", "metrics", "root"};

// Who may make a call, by what is said of it. The same as in tests/api/world.py.
const std::map<std::string, std::set<std::string>> kAllowed{
    {"work", {"worker", "operator", "admin", "root"}},
    {"any key", kScopes},
    {"public", {"viewer", "operator", "admin", "worker", "metrics", "root", "nobody", "stranger"}},
};
// Methods of the gRPC project, whose proto is not ours to write in.
const std::map<std::string, std::string> kOfOthers{
    {"/grpc.health.v1.Health/Check", "public"},
    {"/grpc.health.v1.Health/Watch", "public"},
    {"/grpc.reflection.v1.ServerReflection/ServerReflectionInfo", "any key"},
};

// One node with a key of each scope in the tenant `one`, and one of a worker in `two`.
class MatrixTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    node() = std::make_unique<test::Node>();
    keys()["root"] = test::make_key(*node(), "", "default", "root");
    for (const char* tenant : {"one", "two"}) {
      ask("", "PUT", "tenants/" + std::string(tenant), Json::object());
    }
    for (const std::string& scope : kScopes) {
      if (scope != "root") keys()[scope] = test::make_key(*node(), keys()["root"], "one", scope);
    }
    keys()["theirs"] = test::make_key(*node(), keys()["root"], "two", "worker");
    keys()["nobody"] = "";
    keys()["stranger"] = kBadKey;
  }
  static void TearDownTestSuite() { node().reset(); }

  static std::unique_ptr<test::Node>& node() {
    static std::unique_ptr<test::Node> value;
    return value;
  }
  static std::map<std::string, std::string>& keys() {
    static std::map<std::string, std::string> value;
    return value;
  }
  static Json ask(const std::string& tenant, const std::string& method, const std::string& path,
                  std::optional<Json> body = {}) {
    return test::ask(*node(), keys()["root"], tenant, method, path, std::move(body));
  }
  RawAnswer call(const std::string& method, const std::string& request, const std::string& who,
                 const std::string& tenant = "") const {
    return test::raw_call(channel_, method, request, keys()[who], tenant);
  }

  // The services that the node itself names.
  std::vector<std::string> services() const {
    const std::string asked("\x3a\x01*", 3);
    grpc::reflection::v1::ServerReflectionResponse response;
    EXPECT_TRUE(response.ParseFromString(
        call("/grpc.reflection.v1.ServerReflection/ServerReflectionInfo", asked, "root").message));
    std::vector<std::string> names;
    for (const auto& each : response.list_services_response().service()) {
      names.push_back(each.name());
    }
    EXPECT_FALSE(names.empty());
    return names;
  }
  // Each method of those, with who may call it.
  std::map<std::string, std::string> methods() const {
    std::map<std::string, std::string> found = kOfOthers;
    for (const std::string& name : services()) {
      if (name.starts_with("grpc.")) continue;
      const auto* const service = DescriptorPool::generated_pool()->FindServiceByName(name);
      if (service == nullptr) {
        ADD_FAILURE() << "nobody knows who may call " << name;
        continue;
      }
      for (int i = 0; i < service->method_count(); ++i) {
        const MethodDescriptor& method = *service->method(i);
        found["/" + name + "/" + method.name()] = method.options().GetExtension(v1::access);
      }
    }
    return found;
  }

  const std::shared_ptr<grpc::Channel> channel_ =
      grpc::CreateChannel(node()->grpc, grpc::InsecureChannelCredentials());
};

// What is said to somebody who may not; OK: the door is open, whatever the call comes to.
StatusCode at_door(const grpc::Status& status) {
  const bool closed = status.error_code() == StatusCode::UNAUTHENTICATED ||
                      status.error_code() == StatusCode::PERMISSION_DENIED;
  return closed ? status.error_code() : StatusCode::OK;
}

TEST_F(MatrixTest, EachScopeMayDoWhatIsSaidAndNoMore) {
  for (const auto& [method, access] : methods()) {
    ASSERT_TRUE(kAllowed.contains(access))
        << method << " is for nobody knows whom: `" << access << "`";
    for (const auto& [who, key] : keys()) {
      if (who == "theirs") continue;
      const bool is_known = kScopes.contains(who);
      const StatusCode closed =
          is_known ? StatusCode::PERMISSION_DENIED : StatusCode::UNAUTHENTICATED;
      const StatusCode wanted = kAllowed.at(access).contains(who) ? StatusCode::OK : closed;
      EXPECT_EQ(at_door(call(method, "", who).status), wanted) << method << " by " << who;
    }
  }
}

TEST_F(MatrixTest, OnlyRootNamesAnotherTenant) {
  for (const auto& [method, access] : methods()) {
    if (access == "public") continue;
    for (const std::string& who : kScopes) {
      const StatusCode wanted = who == "root" ? StatusCode::OK : StatusCode::PERMISSION_DENIED;
      EXPECT_EQ(at_door(call(method, "", who, "two").status), wanted) << method << " by " << who;
    }
  }
}

// Each method of the dispatcher, and each kind of message on its stream, said about somebody else's
// run: a new one needs a line here.
class ForeignRunTest : public MatrixTest {
 protected:
  void SetUp() override {
    const Json job = ask("one", "POST", "jobs", Json{{"job_name", name()}, {"every", "1d"}});
    ask("one", "POST", "jobs/" + job.value("job_id", "") + "/trigger", Json::object());
    v1::ClaimResponse claimed;
    ASSERT_TRUE(claimed.ParseFromString(claim("worker", 20).message));
    ASSERT_EQ(claimed.runs_size(), 1);
    run_ = claimed.runs(0);
  }
  void TearDown() override {
    // It is still the first worker's, whatever the other one said.
    v1::HeartbeatResponse beaten;
    ASSERT_TRUE(beaten.ParseFromString(
        call("/belfry.v1.Dispatcher/Heartbeat", beats().SerializeAsString(), "worker").message));
    EXPECT_EQ(beaten.results(0).answer(), v1::BEAT_ANSWER_EXTENDED);
    call("/belfry.v1.Dispatcher/Complete", ends().SerializeAsString(), "worker");
  }
  static std::string name() {
    return testing::UnitTest::GetInstance()->current_test_info()->name();
  }
  RawAnswer claim(const std::string& who, int wait) const {
    v1::ClaimRequest request;
    request.set_worker_id("w");
    request.add_job_types("default");
    request.mutable_wait()->set_seconds(wait);
    return call("/belfry.v1.Dispatcher/Claim", request.SerializeAsString(), who);
  }
  v1::HeartbeatRequest beats() const {
    v1::HeartbeatRequest request;
    request.add_runs()->set_run_id(run_.run_id());
    request.mutable_runs(0)->set_fence(run_.fence());
    return request;
  }
  v1::CompleteRequest ends() const {
    v1::CompleteRequest request;
    v1::Completion& end = *request.add_runs();
    end.set_run_id(run_.run_id());
    end.set_fence(run_.fence());
    end.set_status(v1::STATUS_SUCCEEDED);
    return request;
  }
  // What is answered to a message on a stream of the other tenant's worker.
  v1::ServerMessage said_to(const v1::WorkerMessage& message) const {
    const auto stub = v1::Dispatcher::NewStub(channel_);
    grpc::ClientContext context;
    context.AddMetadata("authorization", "Bearer " + keys()["theirs"]);
    const auto stream = stub->Work(&context);
    v1::WorkerMessage hello;
    hello.mutable_hello()->set_worker_id("w");
    hello.mutable_hello()->add_job_types("default");
    stream->Write(hello);
    stream->Write(message);
    v1::ServerMessage answer;
    stream->Read(&answer);
    context.TryCancel();
    stream->Finish();
    return answer;
  }

  v1::Run run_;
};

TEST_F(ForeignRunTest, IsFencedInEachMethod) {
  std::set<std::string> decided;
  v1::ClaimResponse claimed;
  EXPECT_TRUE(claimed.ParseFromString(claim("theirs", 0).message));
  EXPECT_EQ(claimed.runs_size(), 0);
  decided.insert("Claim");
  v1::HeartbeatResponse beaten;
  EXPECT_TRUE(beaten.ParseFromString(
      call("/belfry.v1.Dispatcher/Heartbeat", beats().SerializeAsString(), "theirs").message));
  EXPECT_EQ(beaten.results(0).answer(), v1::BEAT_ANSWER_FENCED);
  decided.insert("Heartbeat");
  v1::CompleteResponse completed;
  EXPECT_TRUE(completed.ParseFromString(
      call("/belfry.v1.Dispatcher/Complete", ends().SerializeAsString(), "theirs").message));
  EXPECT_EQ(completed.results(0).answer(), v1::COMPLETION_ANSWER_FENCED);
  decided.insert("Complete");
  decided.insert("Work");  // below, by message
  const auto* const service =
      v1::ClaimRequest::descriptor()->file()->FindServiceByName("Dispatcher");
  for (int i = 0; i < service->method_count(); ++i) {
    EXPECT_TRUE(decided.contains(service->method(i)->name())) << service->method(i)->name();
  }
}

TEST_F(ForeignRunTest, IsFencedInEachMessageOfAStream) {
  std::set<std::string> decided{"hello", "credits", "drain"};  // name no run
  v1::WorkerMessage beat;
  *beat.mutable_beats() = beats();
  EXPECT_EQ(said_to(beat).beats().results(0).answer(), v1::BEAT_ANSWER_FENCED);
  decided.insert("beats");
  v1::WorkerMessage end;
  *end.mutable_ends() = ends();
  EXPECT_EQ(said_to(end).ends().results(0).answer(), v1::COMPLETION_ANSWER_FENCED);
  decided.insert("ends");
  const auto* const message = v1::WorkerMessage::descriptor();
  for (int i = 0; i < message->field_count(); ++i) {
    EXPECT_TRUE(decided.contains(message->field(i)->name())) << message->field(i)->name();
  }
}

}  // namespace
}  // namespace belfry
