#include "config/data_folder.h"

#include <fstream>

namespace belfry::config {

std::string default_data_folder(const Environment& environment) {
  if (const std::string data = environment("XDG_DATA_HOME"); data.starts_with('/')) {
    return data + "/belfry";
  }
  if (const std::string home = environment("HOME"); !home.empty()) {
    return home + "/.local/share/belfry";
  }
  return "belfry-data";  // without a home: a folder where the node starts
}

std::string owner_token_file(const std::string& folder) {
  return folder + "/owner.token";
}

std::string read_owner_token(const std::string& folder, std::uint16_t port) {
  std::ifstream file(owner_token_file(folder));
  std::string token;
  std::string address;
  if (!std::getline(file, token) || !std::getline(file, address)) return "";
  return address.ends_with(":" + std::to_string(port)) ? token : "";
}

}  // namespace belfry::config
