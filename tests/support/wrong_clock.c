/* Preloaded into a process, it sets the process's wall clock wrong by WRONG_CLOCK_SECONDS, or by what the file
 * WRONG_CLOCK_FILE says at that moment. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long offset(void) {
  const char* text = getenv("WRONG_CLOCK_SECONDS");
  const char* name = getenv("WRONG_CLOCK_FILE");
  char told[32] = {0};
  if (!name) return text ? atol(text) : 0;
  const int file = open(name, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t length = read(file, told, sizeof told - 1);
  close(file);
  return length > 0 ? atol(told) : 0;
}

int clock_gettime(clockid_t clock, struct timespec* out) {
  const int failed = (int)syscall(SYS_clock_gettime, clock, out);
  if (!failed && clock == CLOCK_REALTIME) out->tv_sec += offset();
  return failed;
}

int gettimeofday(struct timeval* restrict out, void* restrict zone) {
  struct timespec now;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &now);
  out->tv_sec = now.tv_sec;
  out->tv_usec = now.tv_nsec / 1000;
  return 0;
}

time_t time(time_t* out) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (out) *out = now.tv_sec;
  return now.tv_sec;
}
