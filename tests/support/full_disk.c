/* Preloaded into a process, it lets every write to a file fail with "no space left" while the file FULL_DISK_FLAG
 * exists: a full disk that needs neither a disk nor rights. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_full(int file) {
  struct stat status;
  const char* flag = getenv("FULL_DISK_FLAG");
  return flag && access(flag, F_OK) == 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode);
}

typedef ssize_t (*writer)(int, const void*, size_t, off64_t);

static ssize_t write_at(const char* name, int file, const void* bytes, size_t count, off64_t at) {
  if (is_full(file)) {
    errno = ENOSPC;
    return -1;
  }
  return ((writer)dlsym(RTLD_NEXT, name))(file, bytes, count, at);
}

ssize_t pwrite(int file, const void* bytes, size_t count, off_t at) { return write_at("pwrite", file, bytes, count, at); }

ssize_t pwrite64(int file, const void* bytes, size_t count, off64_t at) {
  return write_at("pwrite64", file, bytes, count, at);
}
