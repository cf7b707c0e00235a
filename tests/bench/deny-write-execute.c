// MemoryDenyWriteExecute= of systemd: starts a program that cannot make code of what it has written.
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

#define SET_MDWE 65
#define REFUSE_EXEC_GAIN 1UL

int main(int count, char **words) {
  if (count < 2 || prctl(SET_MDWE, REFUSE_EXEC_GAIN, 0UL, 0UL, 0UL) != 0) {
    perror("deny-write-execute");
    return 1;
  }
  execv(words[1], words + 1);
  perror(words[1]);
  return 1;
}
