#include "archive/day_writer.h"

#include "archive/day_file.h"
#include "base/digest.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace belfry::archive {
namespace {

constexpr std::string_view kPartial = ".partial";
constexpr const char* kHowToCompress = "wb6";

// A file descriptor, closed at the end.
class Handle {
 public:
  Handle() = default;
  explicit Handle(int number) : number_(number) {}
  Handle(Handle&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Handle() {
    if (number_ >= 0) ::close(number_);
  }
  bool is_open() const { return number_ >= 0; }
  int number() const { return number_; }

 private:
  int number_ = -1;
};

tl::unexpected<Error> refuse_file(const std::string& path, int error) {
  return fail({.code = Errc::kUnavailable,
               .message = "the archive's file `" + path +
                          "` cannot be written: " + std::string(std::strerror(error)),
               .hint = "make room on its disk, and let the node write there"});
}

// Whoever writes a file holds a lock on it, so one that can be locked belongs to nobody any more.
void remove_orphans(const std::string& folder) {
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(".runs-") || !name.ends_with(kPartial)) continue;
    const Handle file(::open(entry->path().c_str(), O_RDWR | O_CLOEXEC));
    if (!file.is_open() || ::flock(file.number(), LOCK_EX | LOCK_NB) != 0) continue;
    std::error_code ignored;
    std::filesystem::remove(entry->path(), ignored);
  }
}

class GzipDayWriter final : public DayWriter {
 public:
  GzipDayWriter(std::string folder, std::chrono::sys_days day)
      : folder_(std::move(folder)),
        day_(day),
        path_(folder_ + "/.runs-" + day_text(day) + "-" + random_token(9) + std::string(kPartial)) {
  }
  ~GzipDayWriter() override {
    if (stream_ != nullptr) gzclose(stream_);
    if (file_.is_open()) ::unlink(path_.c_str());
  }

  Status open() {
    file_ = Handle(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0640));
    if (!file_.is_open()) return refuse_file(path_, errno);
    if (::flock(file_.number(), LOCK_EX | LOCK_NB) != 0) return refuse_file(path_, errno);
    const int twin = ::fcntl(file_.number(), F_DUPFD_CLOEXEC, 0);  // gzclose() closes it
    if (twin < 0) return refuse_file(path_, errno);
    stream_ = gzdopen(twin, kHowToCompress);
    if (stream_ != nullptr) return {};
    ::close(twin);
    return refuse_file(path_, ENOMEM);
  }

  Status add(std::string_view line) override {
    digest_ = sha256(std::string(digest_.begin(), digest_.end()).append(line));
    errno = 0;
    const bool done = gzwrite(stream_, line.data(), static_cast<unsigned>(line.size())) ==
                          static_cast<int>(line.size()) &&
                      gzputc(stream_, '\n') == '\n';
    return done ? Status() : refuse_file(path_, errno);
  }

  Result<std::string> finish() override {
    errno = 0;
    if (gzclose(std::exchange(stream_, nullptr)) != Z_OK) return refuse_file(path_, errno);
    if (::fsync(file_.number()) != 0) return refuse_file(path_, errno);
    const std::string name = folder_ + "/" + file_name(day_, digest_text());
    if (::rename(path_.c_str(), name.c_str()) != 0) return refuse_file(name, errno);
    file_ = Handle();  // from here on it is not ours to remove
    const Handle folder(::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!folder.is_open() || ::fsync(folder.number()) != 0) return refuse_file(name, errno);
    return name;
  }

 private:
  std::string digest_text() const {
    std::string text;
    for (std::size_t i = 0; i < 8; ++i) text += fmt::format("{:02x}", digest_.at(i));
    return text;
  }

  const std::string folder_;
  const std::chrono::sys_days day_;
  const std::string path_;
  Handle file_;
  gzFile stream_ = nullptr;
  Sha256 digest_{};  // of all lines, each with that of those before it
};

}  // namespace

Result<std::unique_ptr<DayWriter>> DayWriter::begin(const std::string& folder,
                                                    std::chrono::sys_days day) {
  remove_orphans(folder);
  auto writer = std::make_unique<GzipDayWriter>(folder, day);
  BELFRY_CHECK(writer->open());
  return std::unique_ptr<DayWriter>(std::move(writer));
}

}  // namespace belfry::archive
