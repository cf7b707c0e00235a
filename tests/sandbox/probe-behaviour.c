/* Plugins that misbehave. Each must end by itself or be ended, whole. */
#include "probe.h"

static void burn(void) { for (volatile unsigned i = 0;; i++); }
static int forever(void *unused) {
  (void)unused;
  for (;;) pause();
  return 0;
}
int sleeps(void) { for (;;) pause(); }
int deaf(void) {
  for (int i = 1; i < 65; i++) signal(i, SIG_IGN);
  for (;;) pause();
}
int burns(void) { burn(); return 0; }
int burns_many(void) {
  for (int i = 0; i < 8; i++) if (fork() == 0) burn();
  burn();
  return 0;
}
int bomb(void) {
  for (;;) if (fork() == -1) usleep(100);
}
/* Sixty of them, as many as an action may have, that all do the same. */
static void crowd(void) { for (int i = 0; i < 59; i++) if (fork() == 0) return; }
int naps(void) {
  crowd();
  for (;;) usleep(1);
}
int yields(void) {
  crowd();
  for (;;) sched_yield();
}
int ticks(void) {
  crowd();
  struct itimerspec often = {{0, 1000}, {0, 1000}};
  int fd = timerfd_create(CLOCK_MONOTONIC, 0);
  if (fd == -1 || timerfd_settime(fd, 0, &often, NULL) == -1) for (;;) pause();
  for (unsigned long long count;;) read(fd, &count, sizeof count);
}
static void rung(int number) { (void)number; }
int rings(void) {
  crowd();
  signal(SIGALRM, rung);
  struct itimerval often = {{0, 1}, {0, 1}};
  setitimer(ITIMER_REAL, &often, NULL);
  for (;;) pause();
}
int rings_posix(void) {
  crowd();
  signal(SIGALRM, rung);
  timer_t timer;
  struct itimerspec often = {{0, 1000}, {0, 1000}};
  if (timer_create(CLOCK_MONOTONIC, NULL, &timer) == 0) timer_settime(timer, 0, &often, NULL);
  for (;;) pause();
}
int passes(void) {
  int there[2], back[2];
  for (int i = 0; i < 29; i++) if (fork() == 0) break;
  if (pipe(there) == -1 || pipe(back) == -1) return 1;
  char byte = 0;
  if (fork() == 0) for (;;) { write(back[1], &byte, 1); read(there[0], &byte, 1); }
  for (;;) { write(there[1], &byte, 1); read(back[0], &byte, 1); }
}
int churns(void) {
  crowd();
  for (;;) { if (fork() == 0) _exit(0); wait(NULL); }
}
int thread_bomb(void) {
  for (;;) {
    void *stack = mmap(NULL, 16384, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (clone(forever, (char *)stack + 16384, CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD, NULL) == -1) usleep(1000);
  }
}
int daemon_double(void) {
  if (fork() == 0) {
    setsid();
    if (fork() == 0) {
      setsid();
      setpgid(0, 0);
      close(0);
      close(1);
      close(2);
      for (;;) pause();
    }
    _exit(0);
  }
  usleep(5000);
  return 0;
}
int leaves_children(void) {
  for (int i = 0; i < 10; i++) if (fork() == 0) for (;;) pause();
  say("left them");
  return 0;
}
int becomes_sleep(void) {
  if (fork() == 0) execl("/usr/bin/sleep", "sleep", NAP, (char *)NULL);
  execl("/usr/bin/sleep", "sleep", NAP, (char *)NULL);
  return 0;
}
int floods(void) { for (;;) if (write(1, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n", 64) == -1) usleep(100); }
int floods_one_line(void) { for (;;) if (write(1, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 64) == -1) usleep(100); }
int floods_errors(void) { for (;;) if (write(2, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n", 64) == -1) usleep(100); }
int drips(void) { for (;;) { if (write(1, "a", 1) == -1) return 0; usleep(2000); } }
int drips_fast(void) { for (;;) if (write(1, "a", 1) == -1) return 0; }
int closes(void) {
  close(0);
  close(1);
  close(2);
  for (;;) pause();
}
static int holds(int shared) {
  for (;;) {
    char *part = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, (shared ? MAP_SHARED : MAP_PRIVATE) | MAP_ANONYMOUS, -1, 0);
    if (part == MAP_FAILED) usleep(1000);
    else memset(part, 1, 1 << 20);
  }
  return 0;
}
int hoards(void) { return holds(0); }
int hoards_shared(void) { return holds(1); }
int hoards_many(void) {
  for (int i = 0; i < 12; i++) if (fork() == 0) holds(0);
  return holds(0);
}
int opens_all(void) { for (;;) if (dup(0) == -1) pause(); }
int fills_pipes(void) {
  static char block[65536];
  for (;;) {
    int ends[2];
    if (pipe2(ends, O_NONBLOCK) == -1) pause();
    else while (write(ends[1], block, sizeof block) > 0);
  }
}
int crashes(void) { *(volatile int *)8 = 1; return 0; }
int aborts(void) { abort(); }
int recurses(void) { volatile char room[65536]; room[0] = 1; return recurses() + room[0]; }
int exits(void) { return 3; }
int garbage(void) { write(1, "\xff\xfe\n", 3); for (;;) pause(); }
int writes_big_file(void) {
  const char *places[] = {"/tmp/gatehouse-big", "/dev/shm/gatehouse-big", "gatehouse-big"};
  for (int i = 0; i < 3; i++) {
    int fd = open(places[i], O_CREAT | O_WRONLY, 0600);
    if (fd != -1 && ftruncate(fd, 1L << 30) != -1) return escaped(places[i]);
  }
  return denied();
}
int answers(void) { say("hello"); return 0; }

