/*
 * Makes one chosen file operation of a process fail, fall short, tear, or be its last. Loaded with LD_PRELOAD.
 *
 *   FAULT_PATH   only files whose path contains this
 *   FAULT_OP     write | fsync | rename | truncate | count    (count: report every operation, disturb none)
 *   FAULT_NTH    which one, from 1
 *   FAULT_MODE   eio | enospc | short | tear | kill_before | kill_after
 *   FAULT_LAST   once (default) | forever: from the nth on, all of them
 *   FAULT_ARM    when set, counting begins after the first write to a path that ends with this
 *
 * What it does is announced on standard output, in order with what the program itself prints there:
 * "!op write <thread> <path>" when counting, "!fault write <thread> <path>" when it strikes.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum mode { NONE, EIO_, ENOSPC_, SHORT_, TEAR, KILL_BEFORE, KILL_AFTER };

static const char *path_part, *op_name, *arm_name;
static long nth;
static int forever, counting, armed, seen;
static enum mode chosen;

static enum mode mode_named(const char *name) {
  static const struct { const char *name; enum mode mode; } modes[] = {
      {"eio", EIO_}, {"enospc", ENOSPC_}, {"short", SHORT_}, {"tear", TEAR},
      {"kill_before", KILL_BEFORE}, {"kill_after", KILL_AFTER}};
  for (size_t i = 0; name && i < sizeof modes / sizeof *modes; i++)
    if (!strcmp(name, modes[i].name)) return modes[i].mode;
  return NONE;
}

__attribute__((constructor)) static void read_settings(void) {
  const char *n = getenv("FAULT_NTH"), *last = getenv("FAULT_LAST");
  path_part = getenv("FAULT_PATH");
  op_name = getenv("FAULT_OP");
  arm_name = getenv("FAULT_ARM");
  nth = n ? atol(n) : 1;
  forever = last && !strcmp(last, "forever");
  counting = op_name && !strcmp(op_name, "count");
  chosen = mode_named(getenv("FAULT_MODE"));
  armed = !arm_name;
}

/* The raw system call: our own line must not be counted or disturbed. */
static void announce(const char *what, const char *op, const char *path) {
  char line[640], thread[17] = "";
  prctl(PR_GET_NAME, thread);
  int length = snprintf(line, sizeof line, "!%s %s %s %s\n", what, op, thread, path);
  if (length > (int)sizeof line - 1) length = sizeof line - 1;
  syscall(SYS_write, 1, line, length);
}

static void die(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

static int path_of(int fd, char *path, size_t size) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, size - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return 1;
}

/* What is to be done to this operation. */
static enum mode judge(const char *op, const char *path) {
  if (!path_part || !op_name || !strstr(path, path_part)) return NONE;
  if (!__atomic_load_n(&armed, __ATOMIC_SEQ_CST)) {
    size_t length = strlen(path), tail = strlen(arm_name);
    if (length >= tail && !strcmp(path + length - tail, arm_name)) __atomic_store_n(&armed, 1, __ATOMIC_SEQ_CST);
    return NONE;
  }
  if (counting) {
    announce("op", op, path);
    return NONE;
  }
  if (strcmp(op, op_name)) return NONE;
  int turn = __atomic_add_fetch(&seen, 1, __ATOMIC_SEQ_CST);
  if (turn != nth && !(forever && turn > nth)) return NONE;
  announce("fault", op, path);
  return chosen;
}

static enum mode judge_fd(const char *op, int fd) {
  char path[512];
  int before = errno;
  enum mode mode = path_part && path_of(fd, path, sizeof path) ? judge(op, path) : NONE;
  errno = before;
  return mode;
}

static int refused(enum mode mode) {
  errno = mode == ENOSPC_ ? ENOSPC : EIO;
  return -1;
}

/* A library function behind this one, found on first use. */
#define BEHIND(name) \
  static __typeof__(&name) real; \
  if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

/* Every form of write is the same to us: `whole` does all of it, `part` the first bytes. */
#define DISTURB_WRITE(fd, length, whole, part) \
  do { \
    size_t half = (length) / 2; \
    enum mode mode = judge_fd("write", fd); \
    switch (mode) { \
      case NONE: return whole; \
      case EIO_: case ENOSPC_: return refused(mode); \
      case SHORT_: if (!half) return whole; return part; \
      case TEAR: if (half) { ssize_t done = part; (void)done; } die(); return -1; \
      case KILL_BEFORE: die(); return -1; \
      case KILL_AFTER: { ssize_t done = whole; (void)done; die(); return -1; } \
    } \
    return -1; \
  } while (0)

ssize_t write(int fd, const void *bytes, size_t length) {
  BEHIND(write);
  DISTURB_WRITE(fd, length, real(fd, bytes, length), real(fd, bytes, half));
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t at) {
  BEHIND(pwrite);
  DISTURB_WRITE(fd, length, real(fd, bytes, length, at), real(fd, bytes, half, at));
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t at) {
  BEHIND(pwrite64);
  DISTURB_WRITE(fd, length, real(fd, bytes, length, at), real(fd, bytes, half, at));
}

static size_t length_of(const struct iovec *parts, int count) {
  size_t length = 0;
  for (int i = 0; i < count; i++) length += parts[i].iov_len;
  return length;
}

/* The first `length` bytes of a gathered write, as one plain write. */
static ssize_t write_first(int fd, const struct iovec *parts, size_t length, off64_t at, int positioned) {
  char *joined = malloc(length + 1);
  size_t filled = 0;
  for (int i = 0; filled < length; i++) {
    size_t piece = parts[i].iov_len < length - filled ? parts[i].iov_len : length - filled;
    memcpy(joined + filled, parts[i].iov_base, piece);
    filled += piece;
  }
  ssize_t done = positioned ? syscall(SYS_pwrite64, fd, joined, length, at) : syscall(SYS_write, fd, joined, length);
  free(joined);
  return done;
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  BEHIND(writev);
  DISTURB_WRITE(fd, length_of(parts, count), real(fd, parts, count), write_first(fd, parts, half, 0, 0));
}

ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at) {
  BEHIND(pwritev);
  DISTURB_WRITE(fd, length_of(parts, count), real(fd, parts, count, at), write_first(fd, parts, half, at, 1));
}

ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t at) {
  BEHIND(pwritev64);
  DISTURB_WRITE(fd, length_of(parts, count), real(fd, parts, count, at), write_first(fd, parts, half, at, 1));
}

/* Syncs, renames and truncations have no half: short and tear mean that they fail. */
#define DISTURB_WHOLE(verdict, whole) \
  do { \
    enum mode what = verdict; \
    if (what == NONE) return whole; \
    if (what == KILL_BEFORE) die(); \
    if (what == KILL_AFTER) { int done = whole; (void)done; die(); } \
    return refused(what); \
  } while (0)

int fsync(int fd) {
  BEHIND(fsync);
  DISTURB_WHOLE(judge_fd("fsync", fd), real(fd));
}

int fdatasync(int fd) {
  BEHIND(fdatasync);
  DISTURB_WHOLE(judge_fd("fsync", fd), real(fd));
}

int rename(const char *from, const char *to) {
  BEHIND(rename);
  DISTURB_WHOLE(judge("rename", to), real(from, to));
}

int renameat(int from_directory, const char *from, int to_directory, const char *to) {
  BEHIND(renameat);
  DISTURB_WHOLE(judge("rename", to), real(from_directory, from, to_directory, to));
}

int renameat2(int from_directory, const char *from, int to_directory, const char *to, unsigned int flags) {
  BEHIND(renameat2);
  DISTURB_WHOLE(judge("rename", to), real(from_directory, from, to_directory, to, flags));
}

int ftruncate(int fd, off_t length) {
  BEHIND(ftruncate);
  DISTURB_WHOLE(judge_fd("truncate", fd), real(fd, length));
}

int ftruncate64(int fd, off64_t length) {
  BEHIND(ftruncate64);
  DISTURB_WHOLE(judge_fd("truncate", fd), real(fd, length));
}
