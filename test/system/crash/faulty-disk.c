// Stands between a process and its disk (LD_PRELOAD): counts what is done to the files of one folder, by Node and by
// SQLite alike, and at one operation does what FAULT says. Every write goes into a journal, from which a test makes the
// folder as a power failure would leave it. See disk-faults.ts.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { READ, WRITE, SYNC, NAME, OPEN, TRUNCATE, KINDS };
enum { WAL, DATABASE, INDEX, JOURNAL, ARCHIVE, CLOCK, SECRET, LOCK, FOLDER, OTHER, CLASSES };
static const char *const CLASS_NAMES[] = {"wal", "database", "index", "journal", "archive", "clock", "secret", "lock", "folder", "other"};
static const char *const KIND_NAMES[] = {"read", "write", "sync", "name", "open", "truncate"};
enum { NOTHING, KILL, FAIL, FULL };

#define MOST_FDS 65536
#define MOST_FILES 4096
#define FOLDER_ITSELF 1

struct state {
  uint64_t counts[CLASSES][KINDS];
  /** Set by the test: now nothing fails. */
  uint32_t is_well;
  uint32_t happened;
  char what[248];
};
struct entry {
  uint32_t what, file;
  uint64_t offset, length;
};

static char folder[1024];
static size_t folder_length;
static int fault, torn, code_of_fault, most, is_full, journal = -1, of_class = -1;
static unsigned of_kinds;
static long at;
static struct state none, *state = &none;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/** By descriptor: number of the file, 0 for one of no interest. */
static uint32_t files[MOST_FDS];
static uint8_t classes[MOST_FILES];
static uint64_t inodes[MOST_FILES];
/**
 * Flushes of each file that have failed, and how many of them each descriptor has heard of: Linux (since 4.13) tells of
 * a failed write to everybody who has the file open, at the next flush. So a flush by one thread never succeeds after
 * another's has failed.
 */
static uint32_t failed[MOST_FILES], heard[MOST_FDS];
static uint32_t file_count = FOLDER_ITSELF;

__attribute__((constructor)) static void begin(void) {
  const char *given = getenv("FAULT_FOLDER"), *wish = getenv("FAULT");
  if (!given) return;
  snprintf(folder, sizeof folder, "%s", given);
  folder_length = strlen(folder);
  classes[FOLDER_ITSELF] = FOLDER;
  const char *path = getenv("FAULT_STATE");
  int fd = syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (ftruncate(fd, sizeof none) == 0) state = mmap(NULL, sizeof none, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  syscall(SYS_close, fd);
  path = getenv("FAULT_JOURNAL");
  if (path) journal = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
  char name[16] = "", class[16] = "", kinds[16] = "";
  // Such as `fail wal ws 17 0 5 1`: the 17th of these operations fails with the error number 5, and no other one.
  if (wish && sscanf(wish, "%15s %15s %15s %ld %d %d %d", name, class, kinds, &at, &torn, &code_of_fault, &most) == 7) {
    fault = !strcmp(name, "kill") ? KILL : !strcmp(name, "fail") ? FAIL : !strcmp(name, "full") ? FULL : NOTHING;
    for (int i = 0; i < CLASSES; i++) if (!strcmp(class, CLASS_NAMES[i])) of_class = i;
    for (const char *k = kinds; *k; k++) for (int i = 0; i < KINDS; i++) if (KIND_NAMES[i][0] == *k) of_kinds |= 1u << i;
  }
  // A command of this process must not have it too.
  unsetenv("LD_PRELOAD");
}

static const char *within(const char *path) {
  if (!folder_length || !path || strncmp(path, folder, folder_length)) return NULL;
  if (path[folder_length] == 0) return "";
  return path[folder_length] == '/' ? path + folder_length + 1 : NULL;
}
static int ends(const char *text, const char *end) {
  size_t length = strlen(text), of = strlen(end);
  return length >= of && !strcmp(text + length - of, end);
}
static int class_of(const char *name) {
  if (!strcmp(name, "ledgerline.db-wal")) return WAL;
  if (!strcmp(name, "ledgerline.db")) return DATABASE;
  if (ends(name, "-shm")) return INDEX;
  if (!strncmp(name, "odds-archive.db", 15)) return ARCHIVE;
  if (!strncmp(name, "clock.json", 10)) return CLOCK;
  if (strstr(name, ".secret")) return SECRET;
  if (!strncmp(name, "lock.", 5)) return LOCK;
  return !strncmp(name, "charges-", 8) ? JOURNAL : OTHER;
}
static int is_of_no_interest(const char *name) { return ends(name, ".sock"); }
/** The index of the write-ahead file is made anew from it, and the lock is of this run of the machine. */
static int is_kept(int class) { return class != INDEX && class != LOCK; }

static void note(char what, uint32_t file, uint64_t offset, const void *data, uint64_t length) {
  if (journal < 0 || !is_kept(classes[file])) return;
  struct entry entry = {(uint32_t)what, file, offset, length};
  struct iovec parts[] = {{&entry, sizeof entry}, {(void *)data, data ? length : 0}};
  syscall(SYS_writev, journal, parts, 2);
}

/** Counts one operation. @returns what is to go wrong with it; of a failure `errno` is set after it */
static int happens(int class, int kind, const char *about, int grows) {
  uint64_t count = ++state->counts[class][kind];
  if (fault == NOTHING || __atomic_load_n(&state->is_well, __ATOMIC_SEQ_CST)) return NOTHING;
  // From its first refusal on, a full disk has no room for anything.
  if (fault == FULL && !grows) return NOTHING;
  if (!is_full) {
    if ((of_class >= 0 ? of_class != class : !is_kept(class)) || !(of_kinds & (1u << kind))) return NOTHING;
    if (at > 1) { at--; return NOTHING; }
    if (fault == FULL) is_full = 1;
    else if (fault == FAIL && most > 0 && most-- == 1) fault = NOTHING;
  }
  if (!state->happened) snprintf(state->what, sizeof state->what, "%s %llu of %s%s%s, in %s thread", KIND_NAMES[kind], (unsigned long long)count, CLASS_NAMES[class], *about ? ": " : "", about, syscall(SYS_gettid) == getpid() ? "the main" : "another");
  __atomic_store_n(&state->happened, 1, __ATOMIC_SEQ_CST);
  return fault == NOTHING ? FAIL : fault;
}
static void die(void) {
  syscall(SYS_kill, getpid(), SIGKILL);
  for (;;) pause();
}

/** A new file may have the inode of one that is gone. */
static uint32_t number_of(int fd, int class, int is_new) {
  struct stat64 stats;
  fstat64(fd, &stats);
  for (uint32_t i = file_count; i > FOLDER_ITSELF; i--) {
    if (inodes[i] != stats.st_ino) continue;
    if (!is_new) return i;
    inodes[i] = 0;
  }
  if (file_count + 1 >= MOST_FILES) return 0;
  classes[++file_count] = class;
  inodes[file_count] = stats.st_ino;
  return file_count;
}

static int opened(const char *path, int flags, mode_t mode, int at_folder, int (*open_it)(const char *, int, mode_t, int)) {
  const char *name = within(path);
  if (!name || is_of_no_interest(name)) {
    int fd = open_it(path, flags, mode, at_folder);
    if (fd >= 0 && fd < MOST_FDS) files[fd] = 0;
    return fd;
  }
  struct stat64 stats;
  if (stat64(path, &stats) == 0 && S_ISDIR(stats.st_mode)) {
    int fd = open_it(path, flags, mode, at_folder);
    if (fd < 0 || fd >= MOST_FDS) return fd;
    pthread_mutex_lock(&lock);
    files[fd] = *name == 0 ? FOLDER_ITSELF : number_of(fd, FOLDER, 0);
    heard[fd] = failed[FOLDER_ITSELF];
    if (*name == 0) inodes[FOLDER_ITSELF] = stats.st_ino;
    pthread_mutex_unlock(&lock);
    return fd;
  }
  pthread_mutex_lock(&lock);
  int is_new = (flags & O_CREAT) && stat64(path, &stats) != 0;
  int class = class_of(name), wrong = is_new ? happens(class, NAME, name, 1) : NOTHING;
  if (!wrong) wrong = happens(class, OPEN, name, 0);
  int fd = -1, code = code_of_fault;
  if (wrong == KILL) die();
  if (!wrong) {
    fd = open_it(path, flags, mode, at_folder);
    code = errno;
    if (fd >= 0 && fd < MOST_FDS) {
      uint32_t file = files[fd] = number_of(fd, class, is_new);
      heard[fd] = failed[file];
      note(is_new ? 'c' : 'o', file, 0, name, strlen(name));
      if ((flags & O_TRUNC) && !is_new) note('t', file, 0, NULL, 0);
    }
  }
  pthread_mutex_unlock(&lock);
  errno = code;
  return fd;
}
static int by_open64(const char *path, int flags, mode_t mode, int at_folder) {
  (void)at_folder;
  return syscall(SYS_openat, AT_FDCWD, path, flags | O_LARGEFILE, mode);
}
static int by_openat64(const char *path, int flags, mode_t mode, int at_folder) {
  return syscall(SYS_openat, at_folder, path, flags | O_LARGEFILE, mode);
}
#define WITH_MODE(last) \
  mode_t mode = 0; \
  if (flags & (O_CREAT | O_TMPFILE)) { va_list more; va_start(more, last); mode = va_arg(more, mode_t); va_end(more); }
int open(const char *path, int flags, ...) { WITH_MODE(flags) return opened(path, flags, mode, AT_FDCWD, by_open64); }
int open64(const char *path, int flags, ...) { WITH_MODE(flags) return opened(path, flags, mode, AT_FDCWD, by_open64); }
int openat(int dir, const char *path, int flags, ...) { WITH_MODE(flags) return opened(path, flags, mode, dir, by_openat64); }
int openat64(int dir, const char *path, int flags, ...) { WITH_MODE(flags) return opened(path, flags, mode, dir, by_openat64); }
int close(int fd) {
  if (fd >= 0 && fd < MOST_FDS) files[fd] = 0;
  return syscall(SYS_close, fd);
}

/** Node closes some descriptors past `close`, and a socket may have the number then: so the file itself is asked. */
static uint32_t file_at(int fd) {
  uint32_t file = fd >= 0 && fd < MOST_FDS ? files[fd] : 0;
  if (!file) return 0;
  int code = errno;
  struct stat64 stats;
  int is_same = fstat64(fd, &stats) == 0 && (S_ISREG(stats.st_mode) || S_ISDIR(stats.st_mode)) && stats.st_ino == inodes[file];
  errno = code;
  return is_same ? file : (files[fd] = 0);
}

static ssize_t refused_read(int fd) {
  uint32_t file = file_at(fd);
  if (!file) return 0;
  pthread_mutex_lock(&lock);
  int wrong = happens(classes[file], READ, "", 0);
  pthread_mutex_unlock(&lock);
  if (wrong == KILL) die();
  if (wrong) errno = code_of_fault;
  return wrong ? -1 : 0;
}
ssize_t read(int fd, void *to, size_t length) { return refused_read(fd) ? -1 : syscall(SYS_read, fd, to, length); }
ssize_t pread64(int fd, void *to, size_t length, off64_t offset) { return refused_read(fd) ? -1 : syscall(SYS_pread64, fd, to, length, offset); }
ssize_t pread(int fd, void *to, size_t length, off_t offset) { return pread64(fd, to, length, offset); }
ssize_t readv(int fd, const struct iovec *to, int count) { return refused_read(fd) ? -1 : syscall(SYS_readv, fd, to, count); }
ssize_t preadv64(int fd, const struct iovec *to, int count, off64_t offset) { return refused_read(fd) ? -1 : syscall(SYS_preadv, fd, to, count, offset, 0); }
ssize_t preadv(int fd, const struct iovec *to, int count, off_t offset) { return preadv64(fd, to, count, offset); }

static ssize_t written(int fd, const void *data, size_t length, off64_t offset) {
  uint32_t file = file_at(fd);
  int is_placed = offset >= 0;
  if (!file) return is_placed ? syscall(SYS_pwrite64, fd, data, length, offset) : syscall(SYS_write, fd, data, length);
  pthread_mutex_lock(&lock);
  if (!is_placed) offset = lseek64(fd, 0, SEEK_CUR);
  struct stat64 stats;
  fstat64(fd, &stats);
  // A file may be given its room without content: what is written within it needs none.
  int wrong = happens(classes[file], WRITE, "", offset + (off64_t)length > stats.st_size);
  // A part of it: in sectors, and SQLite's own writes are often less than one.
  size_t part = torn ? length / 2 : 0;
  ssize_t done = wrong ? (part ? syscall(SYS_pwrite64, fd, data, part, offset) : 0) : syscall(SYS_pwrite64, fd, data, length, offset);
  int code = errno;
  if (done > 0) note('w', file, offset, data, done);
  if (wrong == KILL) die();
  if (!is_placed && done > 0) lseek64(fd, offset + done, SEEK_SET);
  pthread_mutex_unlock(&lock);
  errno = wrong ? code_of_fault : code;
  // Where there is room for a part, the system says how much it took, and refuses the rest.
  if (wrong == FULL && done > 0) return done;
  return wrong ? -1 : done;
}
ssize_t write(int fd, const void *data, size_t length) { return written(fd, data, length, -1); }
ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) { return written(fd, data, length, offset); }
ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) { return written(fd, data, length, offset); }
static ssize_t written_all(int fd, const struct iovec *from, int count, off64_t offset) {
  ssize_t sum = 0;
  for (int i = 0; i < count; i++) {
    ssize_t done = written(fd, from[i].iov_base, from[i].iov_len, offset < 0 ? -1 : offset + sum);
    if (done < 0) return sum > 0 ? sum : -1;
    sum += done;
    if ((size_t)done < from[i].iov_len) break;
  }
  return sum;
}
ssize_t writev(int fd, const struct iovec *from, int count) { return file_at(fd) ? written_all(fd, from, count, -1) : syscall(SYS_writev, fd, from, count); }
ssize_t pwritev64(int fd, const struct iovec *from, int count, off64_t offset) { return file_at(fd) ? written_all(fd, from, count, offset) : syscall(SYS_pwritev, fd, from, count, offset, 0); }
ssize_t pwritev(int fd, const struct iovec *from, int count, off_t offset) { return pwritev64(fd, from, count, offset); }

static int flushed(int fd, long call) {
  uint32_t file = file_at(fd);
  if (!file) return syscall(call, fd);
  pthread_mutex_lock(&lock);
  int wrong = happens(classes[file], SYNC, "", 0);
  if (wrong == KILL && !torn) die();
  // Names are flushed in the order in which they changed, whatever folder they are in.
  if (classes[file] == FOLDER) file = FOLDER_ITSELF;
  note('b', file, 0, NULL, 0);
  pthread_mutex_unlock(&lock);
  // No disk is needed: what would be on it is known from the journal.
  usleep(200);
  pthread_mutex_lock(&lock);
  if (wrong == FAIL) failed[file]++;
  else if (!wrong && heard[fd] < failed[file] && !state->is_well) wrong = FAIL;
  if (wrong == FAIL) heard[fd] = failed[file];
  note(wrong == FAIL ? 'f' : 's', file, 0, NULL, 0);
  if (wrong == KILL) die();
  pthread_mutex_unlock(&lock);
  if (wrong) errno = code_of_fault;
  return wrong ? -1 : 0;
}
int fsync(int fd) { return flushed(fd, SYS_fsync); }
int fdatasync(int fd) { return flushed(fd, SYS_fdatasync); }

int ftruncate64(int fd, off64_t length) {
  uint32_t file = file_at(fd);
  if (!file) return syscall(SYS_ftruncate, fd, length);
  struct stat64 stats;
  fstat64(fd, &stats);
  pthread_mutex_lock(&lock);
  int wrong = happens(classes[file], TRUNCATE, "", length > stats.st_size), result = -1, code = code_of_fault;
  if (wrong == KILL) die();
  if (!wrong) {
    result = syscall(SYS_ftruncate, fd, length);
    code = errno;
    if (!result) note('t', file, length, NULL, 0);
  }
  pthread_mutex_unlock(&lock);
  errno = code;
  return result;
}
int ftruncate(int fd, off_t length) { return ftruncate64(fd, length); }

/** @param what n: renamed, l: linked, u: unlinked */
static int named(char what, const char *from, const char *to) {
  const char *name = within(to ? to : from), *old = within(from);
  int is_ours = name && *name && !is_of_no_interest(name);
  pthread_mutex_lock(&lock);
  int wrong = is_ours ? happens(class_of(name), NAME, name, what != 'u') : NOTHING, result = -1, code = code_of_fault;
  if (wrong == KILL) die();
  if (!wrong) {
    result = what == 'u' ? syscall(SYS_unlinkat, AT_FDCWD, from, 0) : what == 'l' ? syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0) : syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
    code = errno;
    if (is_ours && !result && is_kept(class_of(name))) {
      char both[2048];
      int length = snprintf(both, sizeof both, "%s\n%s", old ? old : "", name);
      note(what, 0, 0, both, length);
    }
  }
  pthread_mutex_unlock(&lock);
  errno = code;
  return result;
}
int rename(const char *from, const char *to) { return named('n', from, to); }
int link(const char *from, const char *to) { return named('l', from, to); }
int unlink(const char *path) { return named('u', path, NULL); }
