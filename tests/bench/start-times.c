/* start-times ROUNDS PROGRAM OTHER: starts `PROGRAM --version` and `OTHER --version` in turn and prints, for each round, the
   microseconds from the start to the end of both. Node takes longer to start a program than these programs run. */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

static long now(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return at.tv_sec * 1000000 + at.tv_nsec / 1000;
}

static long start(char *program, posix_spawn_file_actions_t *quiet) {
  char *args[] = {program, "--version", NULL};
  char *none[] = {NULL};
  pid_t pid;
  int status;
  long from = now();
  if (posix_spawn(&pid, program, quiet, NULL, args, none) != 0) exit(1);
  if (waitpid(pid, &status, 0) != pid || status != 0) exit(1);
  return now() - from;
}

int main(int count, char **words) {
  posix_spawn_file_actions_t quiet;
  if (count != 4) return 2;
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
  for (int round = atoi(words[1]); round > 0; round -= 1) {
    long ours = start(words[2], &quiet);
    printf("%ld %ld\n", ours, start(words[3], &quiet));
  }
  return 0;
}
