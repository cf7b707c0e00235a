/*
 * Plugins that make the kernel hold memory which is in no process's size. Some of it must be refused, some counted and the
 * plugin ended for it, and some is bounded by a limit: then the answer is how much it came to, as `held N UNIT`.
 */
#include "probe.h"
#include <sys/epoll.h>

#define MEBI (1L << 20)
static const long page = 4096, table = 2 * MEBI;

static int hold(void) {
  for (;;) pause();
  return 0;
}
static int held(long amount, const char *unit) {
  say("held %ld %s", amount, unit);
  return hold();
}
/* So many processes that do the same; the first one comes back with 0. */
static int crowd(int processes) {
  for (int i = 1; i < processes; i++) if (fork() == 0) return i;
  return 0;
}

/* Refused */

int shared_pages(void) {
  char *part = mmap(NULL, 8 * MEBI, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return part == MAP_FAILED ? denied() : escaped("memory that leaves its size");
}
int huge_pages(void) {
  char *part = mmap(NULL, 2 * MEBI, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
  return part == MAP_FAILED ? denied() : escaped("pages of the host's pool");
}
static int lock(int command) {
  struct flock range = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 1};
  int fd = open("/usr/bin/env", O_RDONLY);
  return fd == -1 ? judge(-1, "") : judge(fcntl(fd, command, &range), "a lock, and as many as it likes");
}
int record_locks(void) { return lock(F_SETLK); }
int waiting_locks(void) { return lock(F_SETLKW); }
int description_locks(void) { return lock(F_OFD_SETLK); }
int file_lock(void) {
  int fd = open("/usr/bin/env", O_RDONLY);
  return judge(syscall(SYS_flock, fd, 1 | 4), "locked a file that it can only read");
}
int flush_disk(void) {
  int fd = open("/usr/bin/env", O_RDONLY);
  return judge(fsync(fd), "made the disk work");
}
int landlock_rules(void) {
  uint64_t rights[3] = {0, 1, 0};
  return judge(syscall(444, rights, sizeof rights, 0), "rules without end");
}
int larger_pipe(void) {
  int ends[2];
  return pipe(ends) == -1 ? denied() : judge(fcntl(ends[1], F_SETPIPE_SZ, MEBI), "a larger pipe");
}
int hide_maps(void) { return judge(prctl(PR_SET_DUMPABLE, 0, 0, 0, 0), "its maps are hidden"); }
int pretend_small(void) {
  int fd = open("/proc/self/oom_score_adj", O_WRONLY);
  return fd == -1 ? denied() : judge(write(fd, "0", 1), "is not the first to be ended any more");
}

/* Counted: each goes beyond its limit and stays there. */

int takes_pages(void) {
  for (long i = 0; i < 300; i++) {
    char *part = mmap(NULL, MEBI, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (part == MAP_FAILED) return denied();
    memset(part, 1, MEBI);
  }
  return hold();
}
static long fill_tables(long bytes) {
  long tables = 0;
  while (tables * page < bytes) {
    char *part = mmap(NULL, 64 * table, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (part == MAP_FAILED) break;
    madvise(part, 64 * table, MADV_NOHUGEPAGE);
    for (long i = 0; i < 64; i++, tables++) (void)*(volatile char *)(part + i * table);
  }
  return tables * page;
}
int takes_tables(void) {
  crowd(12);
  fill_tables(27 * MEBI);
  return hold();
}
int takes_maps(void) {
  const long maps = 10000;
  char *part = mmap(NULL, 2 * maps * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (part == MAP_FAILED) return denied();
  for (long i = 0; i < maps / 2; i++) if (mprotect(part + 4 * i * page, page, PROT_READ) == -1) return denied();
  crowd(6);
  return hold();
}

int takes_pipes(void) {
  static char block[65536];
  crowd(24);
  for (int ends[2]; pipe2(ends, O_NONBLOCK) == 0;) while (write(ends[1], block, sizeof block) > 0);
  return hold();
}
/* The same file is watched once more under every number it has ever had, also when that is somebody else's by then. */
int takes_watches(void) {
  crowd(24);
  int queues[30], files[28], queue = 0, file = 0, ends[2];
  struct epoll_event event = {.events = EPOLLIN};
  while (file < 28 && pipe(ends) == 0) {
    files[file++] = ends[0];
    files[file++] = ends[1];
  }
  while (queue < 30 && (queues[queue] = epoll_create1(0)) != -1) queue++;
  int spare = files[--file];
  for (int number = files[0], last = spare; number <= last; number++) {
    for (int i = 0; i < file; i++) {
      if (files[i] != number) continue;
      files[i] = dup2(number, spare);
      spare = number;
    }
    if (number != spare) continue;
    for (int i = 0; i < file; i++) {
      dup2(files[i], number);
      for (int q = 0; q < queue; q++) epoll_ctl(queues[q], EPOLL_CTL_ADD, number, &event);
    }
  }
  return hold();
}

/* Bounded: takes all it can get, and says how much that was. */

int tables_of_one(void) { return held(fill_tables(512 * MEBI) / MEBI, "MiB of page tables"); }
int all_timers(void) {
  long timers = 0;
  for (timer_t timer; timers < 100000 && timer_create(CLOCK_MONOTONIC, NULL, &timer) == 0;) timers++;
  return held(timers, "timers");
}
/* More than the container has, in many processes that are each far smaller than the server: whom does the kernel end? */
int crowds_out(void) {
  int told[2], ended = 0, settled = 0;
  if (pipe2(told, O_NONBLOCK) == -1) return denied();
  for (int i = 0; i < 50; i++) {
    if (fork() != 0) continue;
    char *part = mmap(NULL, 12 * MEBI, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (part != MAP_FAILED) memset(part, 1, 12 * MEBI);
    write(told[1], "x", 1);
    hold();
  }
  for (char byte; settled < 50; usleep(1000)) {
    while (waitpid(-1, NULL, WNOHANG) > 0) ended++;
    while (read(told[0], &byte, 1) == 1) settled++;
    if (ended + settled >= 50) break;
  }
  say("ended %d of 50", ended);
  return 0;
}
