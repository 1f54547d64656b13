#include "rpc/reflection_service.h"

#include "rpc/caller.h"
#include "rpc/door.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>

#include <set>

namespace belfry::rpc {
namespace {

namespace reflection_v1 = grpc::reflection::v1;
using google::protobuf::DescriptorPool;
using google::protobuf::FileDescriptor;

// The file, and all it builds on, each once.
void add_file(const FileDescriptor& file, std::set<std::string>& seen,
              reflection_v1::FileDescriptorResponse& response) {
  if (!seen.insert(file.name()).second) return;
  google::protobuf::FileDescriptorProto proto;
  file.CopyTo(&proto);
  response.add_file_descriptor_proto(proto.SerializeAsString());
  for (int i = 0; i < file.dependency_count(); ++i) add_file(*file.dependency(i), seen, response);
}

void answer_file(const FileDescriptor* file, const std::string& wanted,
                 reflection_v1::ServerReflectionResponse& response) {
  if (file != nullptr) {
    std::set<std::string> seen;
    return add_file(*file, seen, *response.mutable_file_descriptor_response());
  }
  response.mutable_error_response()->set_error_code(grpc::StatusCode::NOT_FOUND);
  response.mutable_error_response()->set_error_message("there is no `" + wanted + "` here");
}

// Our messages have no extensions.
void answer_extensions(const std::string& type, reflection_v1::ServerReflectionResponse& response) {
  const auto* found = DescriptorPool::generated_pool()->FindMessageTypeByName(type);
  if (found == nullptr) return answer_file(nullptr, type, response);
  response.mutable_all_extension_numbers_response()->set_base_type_name(type);
}

reflection_v1::ServerReflectionResponse answer_to(
    const reflection_v1::ServerReflectionRequest& request,
    const std::vector<std::string>& services) {
  using Request = reflection_v1::ServerReflectionRequest;
  const DescriptorPool& pool = *DescriptorPool::generated_pool();
  reflection_v1::ServerReflectionResponse response;
  response.set_valid_host(request.host());
  *response.mutable_original_request() = request;
  switch (request.message_request_case()) {
    case Request::kFileByFilename:
      answer_file(pool.FindFileByName(request.file_by_filename()), request.file_by_filename(),
                  response);
      break;
    case Request::kFileContainingSymbol:
      answer_file(pool.FindFileContainingSymbol(request.file_containing_symbol()),
                  request.file_containing_symbol(), response);
      break;
    case Request::kFileContainingExtension:
      answer_file(nullptr, request.file_containing_extension().containing_type(), response);
      break;
    case Request::kAllExtensionNumbersOfType:
      answer_extensions(request.all_extension_numbers_of_type(), response);
      break;
    case Request::kListServices:
      for (const std::string& name : services) {
        response.mutable_list_services_response()->add_service()->set_name(name);
      }
      break;
    case Request::MESSAGE_REQUEST_NOT_SET:
      response.mutable_error_response()->set_error_code(grpc::StatusCode::INVALID_ARGUMENT);
      response.mutable_error_response()->set_error_message("nothing is asked for");
      break;
  }
  return response;
}

// One question at a time: the next is read when the answer is written. Each counts as a call, and
// needs the key again. Deletes itself.
class Conversation final : public grpc::ServerBidiReactor<reflection_v1::ServerReflectionRequest,
                                                          reflection_v1::ServerReflectionResponse> {
 public:
  Conversation(Shared& shared, grpc::CallbackServerContext& context,
               const std::vector<std::string>& services)
      : shared_(shared),
        context_(context),
        caller_(caller_of(context, shared.here)),
        visit_(shared.door->visit_of(caller_.remote)),
        services_(services) {
    visit_->arrive();
    submit([this] {
      if (!let_in()) return;
      if (!shared_.places->take(principal_.tenant)) return Finish(too_many_wait());
      place_ = principal_.tenant;
      visit_->let_in();
      StartRead(&request_);
    });
  }

  void OnReadDone(bool ok) override {
    if (!ok) return Finish(grpc::Status::OK);
    visit_->take_message(request_.ByteSizeLong());
    submit([this] {
      if (!let_in()) return;
      response_ = answer_to(request_, services_);
      StartWrite(&response_);
    });
  }
  void OnWriteDone(bool ok) override {
    if (!ok) return Finish(grpc::Status::CANCELLED);
    StartRead(&request_);
  }
  void OnCancel() override { visit_->note_given_up(); }
  void OnDone() override {
    if (place_) shared_.places->give_back(*place_);
    visit_->take_leave(place_.has_value());
    delete this;
  }

 private:
  template <typename Work>
  void submit(const Work& work) {
    if (!shared_.pool.try_submit(work, {.payer = payer_of(shared_, caller_)})) Finish(busy());
  }

  // Any key will do, and without keys the owner.
  bool let_in() {
    const auto refusal = admit(shared_, context_, caller_, service::Access::kPublic, principal_);
    if (refusal) Finish(*refusal);
    return !refusal;
  }

  Shared& shared_;
  grpc::CallbackServerContext& context_;
  const service::Caller caller_;
  const std::shared_ptr<net::Visit> visit_;
  const std::vector<std::string>& services_;
  service::Principal principal_;
  std::optional<TenantId> place_;
  reflection_v1::ServerReflectionRequest request_;
  reflection_v1::ServerReflectionResponse response_;
};

}  // namespace

grpc::ServerBidiReactor<reflection_v1::ServerReflectionRequest,
                        reflection_v1::ServerReflectionResponse>*
ReflectionService::ServerReflectionInfo(grpc::CallbackServerContext* context) {
  return new Conversation(shared_, *context, services_);
}

}  // namespace belfry::rpc
