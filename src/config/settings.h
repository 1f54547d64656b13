#pragma once

#include "base/result.h"
#include "config/serve_options.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

// The settings of `belfry serve`, each once: its flag, its environment variable, its key in the
// file, its line in --help and in docs/reference/configuration.md all come from its row here.
namespace belfry::config {

// Where a value goes; its type says how it is written.
using SettingField =
    std::variant<std::string ServeOptions::*, double ServeOptions::*, Duration ServeOptions::*,
                 LogFormat ServeOptions::*, LogLevel ServeOptions::*, WithWorker ServeOptions::*,
                 StorePrepare ServeOptions::*, AfterLostCommits ServeOptions::*>;

struct Setting {
  std::string_view name;         // "lease_ttl": --lease-ttl, BELFRY_LEASE_TTL, lease_ttl = ...
  std::string_view placeholder;  // what --help shows for a value
  std::string_view preset;       // the default, as a user would write it
  std::string_view unset;        // with an empty preset: what applies instead, in words
  std::string_view help;
  SettingField field;
  std::string_view bare = {};  // what the flag means without a value; empty: it needs one
  bool is_address = false;     // may hold a password: shown masked
  bool is_list = false;        // the flag may be repeated; elsewhere separated by blanks
};

std::span<const Setting> serve_settings();

std::string flag_of(const Setting& setting);      // "--lease-ttl"
std::string variable_of(const Setting& setting);  // "BELFRY_LEASE_TTL"

// Reads a value as a user wrote it; the error has no field.
Status assign(const Setting& setting, const std::string& text, ServeOptions& options);

// An address without its passwords: fit for logs and screens.
std::string masked(std::string address);

}  // namespace belfry::config
