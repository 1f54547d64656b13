#pragma once

#include "base/result.h"
#include "deliver/delivery.h"

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

namespace belfry::deliver {

// Where mail is handed in.
struct SmtpAddress {
  std::string url;   // smtp://host:587 or smtps://host:465, as libcurl wants it
  std::string user;  // empty: nobody logs in
  std::string password;
  std::string from;
  std::string ca_file;    // empty: the system's authorities
  bool encrypted = true;  // refuses a server that does not offer STARTTLS

  // "smtp://user:password@host:587?from=belfry@example.com&ca=FILE&tls=off"
  static Result<SmtpAddress> parse(std::string_view text);
};

struct Mail {
  std::string id;  // becomes the Message-ID: the same at each attempt
  std::vector<std::string> to;
  std::string subject;
  std::string text;
};

// The mail as it goes over the wire. Line breaks in headers are gone, lines of dots are libcurl's.
std::string message_of(const Mail& mail, const SmtpAddress& smtp, Instant now);

// Hands one mail in, and waits for it, a quarter of a minute at most, and no longer than until
// `stop` becomes true.
Outcome send_mail(const Mail& mail, const SmtpAddress& smtp, Instant now,
                  const std::atomic<bool>& stop);

}  // namespace belfry::deliver
