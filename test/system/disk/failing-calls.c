// Loaded before a server (LD_PRELOAD): once the file FAULT_TRIGGER is there, calls of the kind FAULT_CALL on files with
// FAULT_FILE in their names fail with the error number FAULT_ERRNO, FAULT_TIMES of them (0: all). It covers what Node
// and SQLite do, since both call the C library. It writes the name of the file to FAULT_TRIGGER.hit.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static int armed(void) {
  static int known = 0;
  const char *trigger = getenv("FAULT_TRIGGER");
  if (known) return 1;
  if (trigger == NULL) return 0;
  known = access(trigger, F_OK) == 0;
  return known;
}

static void note(const char *path) {
  char name[4096];
  int (*real_open)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
  snprintf(name, sizeof name, "%s.hit", getenv("FAULT_TRIGGER"));
  int file = real_open(name, O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (file < 0) return;
  dprintf(file, "%s\n", path);
  close(file);
}

/* Whether this call is to fail. */
static int fails_path(const char *call, const char *path) {
  static int done = 0;
  const char *wanted = getenv("FAULT_CALL"), *file = getenv("FAULT_FILE"), *times = getenv("FAULT_TIMES");
  if (wanted == NULL || file == NULL || strcmp(wanted, call) != 0 || strstr(path, file) == NULL) return 0;
  if (strstr(path, ".hit") != NULL || !armed()) return 0;
  int most = times == NULL ? 1 : atoi(times);
  if (most > 0 && __sync_fetch_and_add(&done, 1) >= most) return 0;
  int saved = atoi(getenv("FAULT_ERRNO"));
  note(path);
  errno = saved;
  return 1;
}

static int fails(const char *call, int descriptor) {
  char link[64], path[4096];
  const char *wanted = getenv("FAULT_CALL");
  if (wanted == NULL || strcmp(wanted, call) != 0) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return fails_path(call, path);
}

#define REAL(name) __typeof__(&name) real = dlsym(RTLD_NEXT, #name)
#define ON_DESCRIPTOR(result, name, call, descriptor, parameters, arguments) \
  result name parameters {                                                  \
    REAL(name);                                                             \
    return fails(call, descriptor) ? -1 : real arguments;                   \
  }

ON_DESCRIPTOR(ssize_t, read, "read", fd, (int fd, void *to, size_t size), (fd, to, size))
ON_DESCRIPTOR(ssize_t, pread, "read", fd, (int fd, void *to, size_t size, off_t at), (fd, to, size, at))
ON_DESCRIPTOR(ssize_t, pread64, "read", fd, (int fd, void *to, size_t size, off64_t at), (fd, to, size, at))
ON_DESCRIPTOR(ssize_t, readv, "read", fd, (int fd, const struct iovec *to, int n), (fd, to, n))
ON_DESCRIPTOR(ssize_t, preadv, "read", fd, (int fd, const struct iovec *to, int n, off_t at), (fd, to, n, at))
ON_DESCRIPTOR(ssize_t, preadv64, "read", fd, (int fd, const struct iovec *to, int n, off64_t at), (fd, to, n, at))
ON_DESCRIPTOR(ssize_t, write, "write", fd, (int fd, const void *from, size_t size), (fd, from, size))
ON_DESCRIPTOR(ssize_t, pwrite, "write", fd, (int fd, const void *from, size_t size, off_t at), (fd, from, size, at))
ON_DESCRIPTOR(ssize_t, pwrite64, "write", fd, (int fd, const void *from, size_t size, off64_t at), (fd, from, size, at))
ON_DESCRIPTOR(ssize_t, writev, "write", fd, (int fd, const struct iovec *from, int n), (fd, from, n))
ON_DESCRIPTOR(ssize_t, pwritev, "write", fd, (int fd, const struct iovec *from, int n, off_t at), (fd, from, n, at))
ON_DESCRIPTOR(ssize_t, pwritev64, "write", fd, (int fd, const struct iovec *from, int n, off64_t at), (fd, from, n, at))
ON_DESCRIPTOR(int, fsync, "flush", fd, (int fd), (fd))
ON_DESCRIPTOR(int, fdatasync, "flush", fd, (int fd), (fd))
ON_DESCRIPTOR(int, ftruncate, "truncate", fd, (int fd, off_t size), (fd, size))
ON_DESCRIPTOR(int, ftruncate64, "truncate", fd, (int fd, off64_t size), (fd, size))

#define OPENER(name)                                              \
  int name(const char *path, int flags, ...) {                    \
    REAL(name);                                                   \
    mode_t mode = 0;                                              \
    if (flags & (O_CREAT | O_TMPFILE)) {                          \
      va_list more;                                               \
      va_start(more, flags);                                      \
      mode = va_arg(more, mode_t);                                \
      va_end(more);                                               \
    }                                                             \
    return fails_path("open", path) ? -1 : real(path, flags, mode); \
  }
OPENER(open)
OPENER(open64)
