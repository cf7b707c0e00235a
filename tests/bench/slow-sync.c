/* Adds SLOW_SYNC_US microseconds to every fsync and fdatasync: a disk of the ordinary kind on a machine with a fast one. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

static void wait_a_little(void) {
  const char *text = getenv("SLOW_SYNC_US");
  long us = text ? atol(text) : 1000;
  struct timespec pause = {us / 1000000, (us % 1000000) * 1000};
  nanosleep(&pause, 0);
}

int fsync(int fd) {
  static int (*next)(int);
  if (!next) next = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  wait_a_little();
  return next(fd);
}

int fdatasync(int fd) {
  static int (*next)(int);
  if (!next) next = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  wait_a_little();
  return next(fd);
}
