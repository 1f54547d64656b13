#include "deliver/mail/mailer.h"

#include "base/digest.h"
#include "core/schedule/civil.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

namespace belfry::deliver {
namespace {

constexpr long kLongestSeconds = 15;

struct EasyDeleter {
  void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};
struct ListDeleter {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};

Error wrong(const std::string& what) {
  return {.code = Errc::kInvalid,
          .message = "the address of the mail server " + what,
          .field = "smtp",
          .hint = "write smtp://user:password@host:587?from=belfry@example.com"};
}

std::string one_line(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
  return text;
}

// As headers write what is not ASCII (RFC 2047).
std::string header_text(const std::string& raw) {
  const std::string text = one_line(raw);
  const bool plain =
      std::ranges::all_of(text, [](char c) { return static_cast<signed char>(c) >= 0; });
  if (plain) return text;
  return "=?utf-8?B?" + encode_base64(text) + "?=";
}

// RFC 5322: "Mon, 16 Nov 2026 20:56:34 +0000".
std::string date_of(Instant now) {
  constexpr std::array<const char*, 7> kWeekdays{"Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"};
  constexpr std::array<const char*, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  constexpr std::int64_t kDay = 86'400;
  const std::int64_t seconds = std::max<std::int64_t>(0, floor_unix_seconds(now));
  const std::int64_t days = seconds / kDay;
  const std::int64_t rest = seconds % kDay;
  const core::CivilDate date = core::civil_from_days(days);
  return fmt::format("{}, {:02} {} {} {:02}:{:02}:{:02} +0000",
                     kWeekdays.at(static_cast<std::size_t>(days % 7)), date.day,
                     kMonths.at(static_cast<std::size_t>(date.month - 1)), date.year, rest / 3'600,
                     rest / 60 % 60, rest % 60);
}

// The body in base64, in lines that every server takes.
std::string wrapped(const std::string& text) {
  constexpr std::size_t kLine = 76;
  const std::string code = encode_base64(text);
  std::string lines;
  for (std::size_t at = 0; at < code.size(); at += kLine) {
    lines += code.substr(at, kLine) + "\r\n";
  }
  return lines;
}

struct Upload {
  std::string_view rest;
};

std::size_t give_bytes(char* to, std::size_t size, std::size_t count, void* from) {
  auto& upload = *static_cast<Upload*>(from);
  const std::size_t length = std::min(size * count, upload.rest.size());
  std::memcpy(to, upload.rest.data(), length);
  upload.rest.remove_prefix(length);
  return length;
}

// Asked by libcurl again and again, at least once a second.
int ask_whether_to_stop(void* stop, curl_off_t /*down*/, curl_off_t /*downloaded*/,
                        curl_off_t /*up*/, curl_off_t /*uploaded*/) {
  return *static_cast<const std::atomic<bool>*>(stop) ? 1 : 0;
}

void read_option(std::string_view option, SmtpAddress& smtp) {
  const std::size_t equals = std::min(option.find('='), option.size());
  const std::string_view name = option.substr(0, equals);
  const std::string value(option.substr(std::min(equals + 1, option.size())));
  if (name == "from") smtp.from = value;
  if (name == "ca") smtp.ca_file = value;
  if (name == "tls") smtp.encrypted = value != "off";
}

// Whether another try may help: 4xx says so, 5xx says not.
Outcome outcome_of(CURLcode code, long status, const char* detail) {
  if (code == CURLE_OK) return succeeded("");
  const std::string what =
      fmt::format("{} ({})", *detail == '\0' ? curl_easy_strerror(code) : detail, status);
  const bool refused = status >= 500 && status < 600 && code != CURLE_LOGIN_DENIED;
  return refused ? failed_for_good("smtp", what) : failed("smtp", what);
}

}  // namespace

Result<SmtpAddress> SmtpAddress::parse(std::string_view text) {
  SmtpAddress smtp;
  const std::size_t scheme = text.find("://");
  if (scheme == std::string_view::npos ||
      (!text.starts_with("smtp://") && !text.starts_with("smtps://"))) {
    return fail(wrong("does not begin with smtp:// or smtps://"));
  }
  std::string_view rest = text.substr(scheme + 3);
  std::string_view options;
  if (const std::size_t mark = rest.find('?'); mark != std::string_view::npos) {
    options = rest.substr(mark + 1);
    rest = rest.substr(0, mark);
  }
  if (const std::size_t at = rest.rfind('@'); at != std::string_view::npos) {
    const std::string_view login = rest.substr(0, at);
    const std::size_t colon = std::min(login.find(':'), login.size());
    smtp.user = login.substr(0, colon);
    smtp.password = login.substr(std::min(colon + 1, login.size()));
    rest = rest.substr(at + 1);
  }
  if (rest.empty()) return fail(wrong("names no host"));
  smtp.url = std::string(text.substr(0, scheme + 3)) + std::string(rest);
  while (!options.empty()) {
    const std::size_t end = std::min(options.find('&'), options.size());
    read_option(options.substr(0, end), smtp);
    options.remove_prefix(std::min(end + 1, options.size()));
  }
  if (smtp.from.empty()) return fail(wrong("does not say who the mail is from"));
  return smtp;
}

std::string message_of(const Mail& mail, const SmtpAddress& smtp, Instant now) {
  std::string to;
  for (const std::string& one : mail.to) to += (to.empty() ? "" : ", ") + one_line(one);
  const std::size_t at = std::min(smtp.from.find('@'), smtp.from.size());
  const std::string domain = at < smtp.from.size() ? smtp.from.substr(at + 1) : "belfry.invalid";
  return "From: Belfry <" + one_line(smtp.from) + ">\r\nTo: " + to +
         "\r\nSubject: " + header_text(mail.subject) + "\r\nDate: " + date_of(now) +
         "\r\nMessage-ID: <" + one_line(mail.id) + "@" + one_line(domain) +
         ">\r\nAuto-Submitted: auto-generated\r\nMIME-Version: 1.0\r\n"
         "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n" +
         wrapped(mail.text);
}

Outcome send_mail(const Mail& mail, const SmtpAddress& smtp, Instant now,
                  const std::atomic<bool>& stop) {
  const std::unique_ptr<CURL, EasyDeleter> easy(curl_easy_init());
  if (!easy) return failed("smtp", "there is no memory for a connection");
  CURL* const call = easy.get();
  const std::string message = message_of(mail, smtp, now);
  Upload upload{message};
  curl_slist* list = nullptr;
  for (const std::string& one : mail.to)
    list = curl_slist_append(list, ("<" + one_line(one) + ">").c_str());
  const std::unique_ptr<curl_slist, ListDeleter> receivers(list);
  char detail[CURL_ERROR_SIZE] = {};
  curl_easy_setopt(call, CURLOPT_ERRORBUFFER, detail);
  curl_easy_setopt(call, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(call, CURLOPT_NOPROXY, "*");
  curl_easy_setopt(call, CURLOPT_URL, smtp.url.c_str());
  curl_easy_setopt(call, CURLOPT_USE_SSL,
                   static_cast<long>(smtp.encrypted ? CURLUSESSL_ALL : CURLUSESSL_TRY));
  if (!smtp.user.empty()) {
    curl_easy_setopt(call, CURLOPT_USERNAME, smtp.user.c_str());
    curl_easy_setopt(call, CURLOPT_PASSWORD, smtp.password.c_str());
  }
  if (!smtp.ca_file.empty()) curl_easy_setopt(call, CURLOPT_CAINFO, smtp.ca_file.c_str());
  const std::string from = "<" + one_line(smtp.from) + ">";
  curl_easy_setopt(call, CURLOPT_MAIL_FROM, from.c_str());
  curl_easy_setopt(call, CURLOPT_MAIL_RCPT, receivers.get());
  curl_easy_setopt(call, CURLOPT_UPLOAD, 1L);
  curl_easy_setopt(call, CURLOPT_READFUNCTION, give_bytes);
  curl_easy_setopt(call, CURLOPT_READDATA, &upload);
  curl_easy_setopt(call, CURLOPT_TIMEOUT, kLongestSeconds);
  curl_easy_setopt(call, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(call, CURLOPT_XFERINFOFUNCTION, ask_whether_to_stop);
  curl_easy_setopt(call, CURLOPT_XFERINFODATA, &stop);
  const CURLcode code = curl_easy_perform(call);
  long status = 0;
  curl_easy_getinfo(call, CURLINFO_RESPONSE_CODE, &status);
  return outcome_of(code, status, detail);
}

}  // namespace belfry::deliver
