#include "deliver/webhook/http_caller.h"

#include "base/assert.h"
#include "base/mutex.h"
#include "base/text/ascii.h"

#include <curl/curl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <thread>

namespace belfry::deliver {
namespace {

constexpr int kTickMillis = 200;
constexpr int kIdleMillis = 1'000;  // with no call under way; a new one wakes it
constexpr long kMostIdleConnections = 256;

struct EasyDeleter {
  void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};
struct ListDeleter {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};

long millis(Duration duration) {
  const auto count = std::chrono::ceil<std::chrono::milliseconds>(duration).count();
  return static_cast<long>(std::max<std::int64_t>(count, 1));
}

// Whether a header line says `name: value`, blanks and case aside.
bool says(std::string_view line, std::string_view name, std::string_view value) {
  std::string text;
  for (const char c : line) {
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n') text += c;
  }
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) return false;
  const std::string_view view = text;
  return equal_ignoring_case(view.substr(0, colon), name) &&
         equal_ignoring_case(view.substr(colon + 1), value);
}

HttpTrouble trouble_of(CURLcode code) {
  switch (static_cast<int>(code)) {
    case CURLE_OK: return HttpTrouble::kNone;
    case CURLE_COULDNT_CONNECT:
    case CURLE_COULDNT_RESOLVE_HOST: return HttpTrouble::kConnect;
    case CURLE_OPERATION_TIMEDOUT: return HttpTrouble::kTimeout;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_INVALIDCERTSTATUS:
    case CURLE_SSL_ISSUER_ERROR: return HttpTrouble::kTls;
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_BAD_CONTENT_ENCODING:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
    case CURLE_URL_MALFORMAT: return HttpTrouble::kProtocol;
    default: return HttpTrouble::kBroken;
  }
}

}  // namespace

class HttpCaller::Engine {
 public:
  explicit Engine(HttpLimits limits) : limits_(limits) {
    static const CURLcode once = curl_global_init(CURL_GLOBAL_DEFAULT);
    BELFRY_ASSERT(once == CURLE_OK);
    multi_ = curl_multi_init();
    BELFRY_ASSERT(multi_ != nullptr);
    curl_multi_setopt(multi_, CURLMOPT_MAXCONNECTS, kMostIdleConnections);
    thread_ = std::thread([this] { loop(); });
  }
  ~Engine() {
    {
      const MutexLock lock(mutex_);
      stopping_ = true;
    }
    curl_multi_wakeup(multi_);
    thread_.join();
    for (auto& [id, flight] : flights_) curl_multi_remove_handle(multi_, flight->easy.get());
    flights_.clear();
    curl_multi_cleanup(multi_);
  }
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  CallId start(HttpCall call, OnAnswer on_answer) {
    auto flight = std::make_unique<Flight>();
    flight->limits = limits_;
    flight->call = std::move(call);
    flight->on_answer = std::move(on_answer);
    CallId id = 0;
    bool is_first = false;
    {
      const MutexLock lock(mutex_);
      id = flight->id = ++last_id_;
      is_first = inbox_.empty();
      inbox_.push_back(std::move(flight));
    }
    if (is_first) curl_multi_wakeup(multi_);  // the others go with it
    return id;
  }

  void drop(CallId call) {
    {
      const MutexLock lock(mutex_);
      drops_.push_back(call);
    }
    curl_multi_wakeup(multi_);
  }

  void on_tick(std::function<void()> tick) {
    const MutexLock lock(mutex_);
    tick_ = std::move(tick);
  }

 private:
  struct Flight {
    CallId id = 0;
    HttpLimits limits;
    HttpCall call;
    OnAnswer on_answer;
    HttpAnswer answer;
    std::size_t headers = 0;
    std::size_t header_bytes = 0;
    std::unique_ptr<CURL, EasyDeleter> easy;
    std::unique_ptr<curl_slist, ListDeleter> lines;
    std::unique_ptr<curl_slist, ListDeleter> pins;
    char message[CURL_ERROR_SIZE] = {};
  };

  // ---- What libcurl calls ----

  static std::size_t take_body(char* data, std::size_t size, std::size_t count, void* context) {
    auto& flight = *static_cast<Flight*>(context);
    const std::size_t bytes = size * count;
    if (flight.answer.body.size() + bytes > flight.limits.body) {
      flight.answer.trouble = HttpTrouble::kTooLarge;
      return CURL_WRITEFUNC_ERROR;
    }
    flight.answer.body.append(data, bytes);
    return bytes;
  }

  static std::size_t take_header(char* data, std::size_t size, std::size_t count, void* context) {
    auto& flight = *static_cast<Flight*>(context);
    const std::size_t bytes = size * count;
    flight.header_bytes += bytes;
    if (++flight.headers > flight.limits.headers ||
        flight.header_bytes > flight.limits.header_bytes) {
      flight.answer.trouble = HttpTrouble::kTooManyHeaders;
      return CURL_WRITEFUNC_ERROR;
    }
    if (says({data, bytes}, "belfry-async", "true")) flight.answer.asynchronous = true;
    return bytes;
  }

  // The last wall, whatever name or form of number was in the URL.
  static curl_socket_t open_socket(void* context, curlsocktype /*purpose*/,
                                   curl_sockaddr* address) {
    auto& flight = *static_cast<Flight*>(context);
    const auto dialled = IpAddress::of(address->addr);
    if (!dialled || !flight.call.may_dial(*dialled)) {
      flight.answer.trouble = HttpTrouble::kAddress;
      return CURL_SOCKET_BAD;
    }
    return ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
  }

  // ---- The thread ----

  void loop() {
    for (;;) {
      std::vector<std::unique_ptr<Flight>> fresh;
      std::vector<CallId> drops;
      std::function<void()> tick;
      {
        const MutexLock lock(mutex_);
        if (stopping_) return;
        fresh.swap(inbox_);
        drops.swap(drops_);
        tick = tick_;
      }
      for (auto& flight : fresh) take_off(std::move(flight));
      for (const CallId call : drops) crash(call);
      int running = 0;
      curl_multi_perform(multi_, &running);
      land();
      if (tick) tick();
      curl_multi_poll(multi_, nullptr, 0, running > 0 ? kTickMillis : kIdleMillis, nullptr);
    }
  }

  void take_off(std::unique_ptr<Flight> flight) {
    flight->easy.reset(curl_easy_init());
    BELFRY_ASSERT(flight->easy != nullptr);
    set_request(*flight);
    set_rules(*flight);
    if (const CURLMcode code = curl_multi_add_handle(multi_, flight->easy.get());
        code != CURLM_OK) {
      return flight->on_answer(
          {.trouble = HttpTrouble::kConnect, .detail = curl_multi_strerror(code)});
    }
    flights_.emplace(flight->id, std::move(flight));
  }

  static void set_request(Flight& flight) {
    CURL* const easy = flight.easy.get();
    const HttpCall& call = flight.call;
    curl_slist* lines = nullptr;
    for (const std::string& header : call.headers) lines = curl_slist_append(lines, header.c_str());
    lines = curl_slist_append(lines, "Expect:");
    flight.lines.reset(lines);
    curl_easy_setopt(easy, CURLOPT_URL, call.url.c_str());
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, lines);
    const bool has_body = call.method != "GET" && (call.method != "DELETE" || !call.body.empty());
    if (has_body) {
      curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE,
                       static_cast<curl_off_t>(call.body.size()));
      curl_easy_setopt(easy, CURLOPT_POSTFIELDS, call.body.c_str());
    }
    curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, call.method.c_str());
    // With a plus the entry leaves libcurl's cache in time; those without stay for ever.
    std::string pin = "+" + call.host + ":" + std::to_string(call.port) + ":";
    for (const IpAddress& address : call.addresses) {
      if (pin.back() != ':') pin += ',';
      pin += address.is_v4() ? address.text() : "[" + address.text() + "]";
    }
    flight.pins.reset(curl_slist_append(nullptr, pin.c_str()));
    if (call.host.find(':') == std::string::npos) {
      curl_easy_setopt(easy, CURLOPT_RESOLVE, flight.pins.get());
    }
  }

  static void set_rules(Flight& flight) {
    CURL* const easy = flight.easy.get();
    curl_easy_setopt(easy, CURLOPT_PRIVATE, &flight);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, flight.message);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl_easy_setopt(easy, CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
    curl_easy_setopt(easy, CURLOPT_HTTP09_ALLOWED, 0L);
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "belfry-webhooks");
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, millis(flight.call.timeout));
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS,
                     millis(std::min(flight.limits.connect, flight.call.timeout)));
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &flight);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_header);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, &flight);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, &flight);
  }

  void land() {
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi_, &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      const CURLcode code = message->data.result;
      void* context = nullptr;
      curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &context);
      auto& flight = *static_cast<Flight*>(context);
      const auto found = flights_.find(flight.id);
      std::unique_ptr<Flight> landed = std::move(found->second);
      flights_.erase(found);
      curl_multi_remove_handle(multi_, landed->easy.get());
      landed->on_answer(answer_of(*landed, code));
    }
  }

  // Failing to connect in time is not a timeout of the call, unless the call's own time is
  // over too.
  static bool was_connected(const Flight& flight) {
    curl_off_t connected = 0;
    curl_off_t took = 0;
    curl_easy_getinfo(flight.easy.get(), CURLINFO_PRETRANSFER_TIME_T, &connected);
    curl_easy_getinfo(flight.easy.get(), CURLINFO_TOTAL_TIME_T, &took);
    return connected > 0 || Duration(took) >= flight.call.timeout;
  }

  static HttpAnswer answer_of(Flight& flight, CURLcode code) {
    HttpAnswer answer = std::move(flight.answer);
    long status = 0;
    curl_easy_getinfo(flight.easy.get(), CURLINFO_RESPONSE_CODE, &status);
    answer.status = static_cast<int>(status);
    curl_off_t retry_after = 0;
    curl_easy_getinfo(flight.easy.get(), CURLINFO_RETRY_AFTER, &retry_after);
    answer.retry_after = std::chrono::seconds(
        std::clamp<std::int64_t>(static_cast<std::int64_t>(retry_after), 0, 86'400));
    if (answer.trouble == HttpTrouble::kNone) answer.trouble = trouble_of(code);
    if (answer.trouble == HttpTrouble::kTimeout && !was_connected(flight)) {
      answer.trouble = HttpTrouble::kConnect;
    }
    if (code != CURLE_OK) {
      answer.detail = flight.message[0] != '\0' ? flight.message : curl_easy_strerror(code);
    }
    return answer;
  }

  void crash(CallId call) {
    const auto found = flights_.find(call);
    if (found == flights_.end()) return;
    curl_multi_remove_handle(multi_, found->second->easy.get());
    flights_.erase(found);
  }

  const HttpLimits limits_;
  CURLM* multi_ = nullptr;
  std::map<CallId, std::unique_ptr<Flight>> flights_;  // the loop thread's own

  Mutex mutex_;
  bool stopping_ BELFRY_GUARDED_BY(mutex_) = false;
  CallId last_id_ BELFRY_GUARDED_BY(mutex_) = 0;
  std::vector<std::unique_ptr<Flight>> inbox_ BELFRY_GUARDED_BY(mutex_);
  std::vector<CallId> drops_ BELFRY_GUARDED_BY(mutex_);
  std::function<void()> tick_ BELFRY_GUARDED_BY(mutex_);
  std::thread thread_;
};

HttpCaller::HttpCaller(HttpLimits limits) : engine_(std::make_unique<Engine>(limits)) {}
HttpCaller::~HttpCaller() = default;

HttpCaller::CallId HttpCaller::start(HttpCall call, OnAnswer on_answer) {
  return engine_->start(std::move(call), std::move(on_answer));
}

void HttpCaller::drop(CallId call) {
  engine_->drop(call);
}

void HttpCaller::on_tick(std::function<void()> tick) {
  engine_->on_tick(std::move(tick));
}

}  // namespace belfry::deliver
