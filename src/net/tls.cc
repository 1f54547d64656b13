#include "net/transport.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <climits>
#include <utility>

namespace belfry::net {
namespace {

// OpenSSL's newest complaint; empties its queue.
std::string openssl_trouble() {
  std::array<char, 256> text{};
  const auto code = ERR_peek_last_error();
  ERR_clear_error();
  if (code == 0) return {};
  ERR_error_string_n(code, text.data(), text.size());
  return text.data();
}

// OpenSSL's own socket writes with write(2), and a peer that left would raise SIGPIPE; a library
// has no business deciding for the process what that signal does.
BIO_METHOD* quiet_socket_method() {
  static BIO_METHOD* const kMethod = [] {
    BIO_METHOD* const method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "socket");
    BIO_meth_set_write(method, [](BIO* bio, const char* from, int size) {
      const int descriptor = static_cast<int>(BIO_get_fd(bio, nullptr));
      const auto n =
          ::send(descriptor, from, static_cast<std::size_t>(size), MSG_NOSIGNAL | MSG_DONTWAIT);
      BIO_clear_retry_flags(bio);
      if (n < 0 && BIO_sock_should_retry(-1) != 0) BIO_set_retry_write(bio);
      return static_cast<int>(n);
    });
    const BIO_METHOD* const plain = BIO_s_socket();
    BIO_meth_set_read(method, BIO_meth_get_read(plain));
    BIO_meth_set_ctrl(method, BIO_meth_get_ctrl(plain));
    BIO_meth_set_create(method, BIO_meth_get_create(plain));
    BIO_meth_set_destroy(method, BIO_meth_get_destroy(plain));
    return method;
  }();
  return kMethod;
}

bool attach(SSL* ssl, int descriptor) {
  if (ssl == nullptr) return false;
  BIO* const bio = BIO_new(quiet_socket_method());
  if (bio == nullptr) return false;
  BIO_set_fd(bio, descriptor, BIO_NOCLOSE);
  SSL_set_bio(ssl, bio, bio);
  return true;
}

class TlsTransport final : public Transport {
 public:
  TlsTransport(SSL* ssl, bool impossible) : ssl_(ssl), impossible_(impossible) {}
  ~TlsTransport() override { SSL_free(ssl_); }
  TlsTransport(const TlsTransport&) = delete;
  TlsTransport& operator=(const TlsTransport&) = delete;

  IoResult read(char* to, std::size_t size) override {
    if (impossible_) return {IoResult::kBroken};
    ERR_clear_error();
    return outcome(SSL_read(ssl_, to, static_cast<int>(std::min<std::size_t>(size, INT_MAX))));
  }

  IoResult write(const char* from, std::size_t size) override {
    if (impossible_) return {IoResult::kBroken};
    ERR_clear_error();
    return outcome(SSL_write(ssl_, from, static_cast<int>(std::min<std::size_t>(size, INT_MAX))));
  }

  bool has_unread() const override { return !impossible_ && SSL_pending(ssl_) > 0; }

  void finish_writing() override {
    if (broken_ || impossible_ || SSL_is_init_finished(ssl_) == 0) return;
    ERR_clear_error();
    SSL_shutdown(ssl_);  // one try: the other side will also see the connection end
    ERR_clear_error();
  }

  std::string trouble() const override { return trouble_; }

 private:
  IoResult outcome(int n) {
    if (n > 0) return {IoResult::kGoOn, static_cast<std::size_t>(n)};
    switch (SSL_get_error(ssl_, n)) {
      case SSL_ERROR_WANT_READ: return {IoResult::kWaitRead};
      case SSL_ERROR_WANT_WRITE: return {IoResult::kWaitWrite};
      case SSL_ERROR_ZERO_RETURN: return {IoResult::kEnd};
      default: break;
    }
    broken_ = true;
    if (const long verdict = SSL_get_verify_result(ssl_); verdict != X509_V_OK) {
      trouble_ = fmt::format("certificate refused: {}", X509_verify_cert_error_string(verdict));
    } else {
      trouble_ = openssl_trouble();
    }
    ERR_clear_error();
    return {IoResult::kBroken};
  }

  SSL* const ssl_;
  const bool impossible_;  // a setting failed; going on would be unsafe
  bool broken_ = false;
  std::string trouble_;
};

bool is_ip_address(const std::string& host) {
  std::array<unsigned char, 16> ignored{};
  return inet_pton(AF_INET, host.c_str(), ignored.data()) == 1 ||
         inet_pton(AF_INET6, host.c_str(), ignored.data()) == 1;
}

// Which name the certificate must bear.
bool expect_host(SSL* ssl, const std::string& host) {
  if (is_ip_address(host)) {
    return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host.c_str()) == 1;
  }
  // Spelt out, because OpenSSL's macro for it is an old-style cast.
  const bool is_named = SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
                                 const_cast<char*>(host.c_str())) == 1;
  return is_named && SSL_set1_host(ssl, host.c_str()) == 1;
}

// Of TLS 1.2 only what is still good; 1.3 has nothing else.
bool speak_only_what_is_good(SSL_CTX* context) {
  return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1 &&
         SSL_CTX_set_cipher_list(context, "ECDHE+AESGCM:ECDHE+CHACHA20") == 1;
}

}  // namespace

struct TlsContext::Impl {
  SSL_CTX* context = nullptr;
  explicit Impl(const SSL_METHOD* method) : context(SSL_CTX_new(method)) {}
  ~Impl() { SSL_CTX_free(context); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  bool prepare() const {
    if (context == nullptr) return false;
    // Buffers only while they hold something: thousands of idle connections cost little.
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                  SSL_MODE_RELEASE_BUFFERS);
    // HTTP's own framing reveals a peer that just hangs up, where that matters.
    SSL_CTX_set_options(context, SSL_OP_IGNORE_UNEXPECTED_EOF | SSL_OP_NO_RENEGOTIATION);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);  // tickets need no memory of ours
    return speak_only_what_is_good(context);
  }

  Status use(const TlsFiles& files) const;
  Status demand_certificates(const std::string& authorities) const;
};

TlsContext::TlsContext(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

TlsContext::~TlsContext() = default;

Status TlsContext::Impl::use(const TlsFiles& files) const {
  if (SSL_CTX_use_certificate_chain_file(context, files.certificate.c_str()) != 1) {
    return fail(
        {.code = Errc::kInvalid,
         .message = fmt::format("cannot use `{}`: {}", files.certificate, openssl_trouble()),
         .field = "tls certificate",
         .hint = "it must be a readable PEM file"});
  }
  if (SSL_CTX_use_PrivateKey_file(context, files.key.c_str(), SSL_FILETYPE_PEM) != 1) {
    return fail({.code = Errc::kInvalid,
                 .message = fmt::format("cannot use `{}`: {}", files.key, openssl_trouble()),
                 .field = "tls key",
                 .hint = "it must be the readable PEM file that belongs to the certificate"});
  }
  return {};
}

Status TlsContext::Impl::demand_certificates(const std::string& authorities) const {
  STACK_OF(X509_NAME)* const names = SSL_load_client_CA_file(authorities.c_str());
  if (names == nullptr || SSL_CTX_load_verify_file(context, authorities.c_str()) != 1) {
    return fail({.code = Errc::kInvalid,
                 .message = fmt::format("cannot use `{}`: {}", authorities, openssl_trouble()),
                 .field = "tls client ca",
                 .hint = "it must be a readable PEM file of certificates"});
  }
  SSL_CTX_set_client_CA_list(context, names);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  // A session that is resumed would show no certificate.
  SSL_CTX_set_options(context, SSL_OP_NO_TICKET);
  SSL_CTX_set_num_tickets(context, 0);
  return {};
}

Result<std::shared_ptr<TlsContext>> TlsContext::for_server(const TlsFiles& files) {
  auto impl = std::make_unique<Impl>(TLS_server_method());
  if (!impl->prepare()) return fail(Errc::kInternal, "TLS does not start: " + openssl_trouble());
  BELFRY_CHECK(impl->use(files));
  if (!files.client_ca.empty()) BELFRY_CHECK(impl->demand_certificates(files.client_ca));
  return std::shared_ptr<TlsContext>(new TlsContext(std::move(impl)));
}

Result<std::shared_ptr<TlsContext>> TlsContext::for_client(const std::string& ca_file, bool verify,
                                                           const TlsFiles& own) {
  auto impl = std::make_unique<Impl>(TLS_client_method());
  if (!impl->prepare()) return fail(Errc::kInternal, "TLS does not start: " + openssl_trouble());
  SSL_CTX_set_verify(impl->context, verify ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, nullptr);
  const int loaded = ca_file.empty() ? SSL_CTX_set_default_verify_paths(impl->context)
                                     : SSL_CTX_load_verify_file(impl->context, ca_file.c_str());
  if (loaded != 1) {
    return fail({.code = Errc::kInvalid,
                 .message = fmt::format("cannot use `{}`: {}", ca_file, openssl_trouble()),
                 .field = "ca file",
                 .hint = "it must be a readable PEM file of certificates"});
  }
  if (!own.certificate.empty()) BELFRY_CHECK(impl->use(own));
  return std::shared_ptr<TlsContext>(new TlsContext(std::move(impl)));
}

bool apply_tls_rules(void* ssl_context) {
  auto* const context = static_cast<SSL_CTX*>(ssl_context);
  return context != nullptr && speak_only_what_is_good(context) &&
         SSL_CTX_set_default_verify_paths(context) == 1;
}

Status check_tls(const TlsFiles& files) {
  BELFRY_TRY(context, TlsContext::for_server(files));
  return {};
}

std::unique_ptr<Transport> TlsContext::accept(int descriptor) const {
  SSL* const ssl = SSL_new(impl_->context);
  const bool ready = attach(ssl, descriptor);
  if (ready) SSL_set_accept_state(ssl);
  return std::make_unique<TlsTransport>(ssl, !ready);
}

std::unique_ptr<Transport> TlsContext::connect(int descriptor, const std::string& host) const {
  SSL* const ssl = SSL_new(impl_->context);
  const bool ready = attach(ssl, descriptor) && expect_host(ssl, host);
  if (ready) SSL_set_connect_state(ssl);
  return std::make_unique<TlsTransport>(ssl, !ready);
}

}  // namespace belfry::net
