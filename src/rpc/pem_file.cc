#include "rpc/pem_file.h"

#include <fstream>
#include <sstream>

namespace belfry::rpc {

Result<std::string> read_pem(const std::string& name) {
  std::ifstream in(name);
  if (!in) return fail(Errc::kInvalid, "`" + name + "` cannot be read");
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace belfry::rpc
