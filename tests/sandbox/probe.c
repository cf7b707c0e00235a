/*
 * A plugin that tries to get out. Its action names what it tries; its first input line says where things are, as
 * `name=value` words. It answers with one line: `denied WHY`, or `ESCAPED HOW`. What it claims is not all that counts: the suite
 * also looks at the files, sockets and processes it was pointed at.
 */
#include "probe.h"

static char line[4096];

const char *word(const char *name) {
  static char value[8][512];
  static int next;
  size_t length = strlen(name);
  for (char *at = line; at != NULL && *at != '\0'; at = strchr(at, ' ') == NULL ? NULL : strchr(at, ' ') + 1) {
    if (strncmp(at, name, length) == 0 && at[length] == '=') {
      char *copy = value[next++ % 8];
      size_t size = strcspn(at + length + 1, " \n");
      snprintf(copy, 512, "%.*s", (int)size, at + length + 1);
      return copy;
    }
  }
  return "";
}

int number(const char *name) { return atoi(word(name)); }

void say(const char *form, ...) {
  va_list list;
  va_start(list, form);
  vprintf(form, list);
  va_end(list);
  printf("\n");
  fflush(stdout);
}

int escaped(const char *how) {
  say("ESCAPED %s", how);
  return 0;
}

int denied(void) {
  say("denied %s", strerrorname_np(errno) == NULL ? "?" : strerrorname_np(errno));
  return 0;
}

int judge(long result, const char *how) { return result == -1 ? denied() : escaped(how); }

const char *inside(const char *directory, const char *name) {
  static char path[2][1024];
  static int next;
  char *to = path[next++ % 2];
  snprintf(to, 1024, "%s/%s", directory, name);
  return to;
}

static const struct { const char *name; int (*try)(void); } tries[] = {
#define TRY(name) {#name, name},
  REACHES KERNEL BEHAVIOURS MEMORY
#undef TRY
};

int main(int count, char **words) {
  prctl(PR_SET_NAME, MARK, 0, 0, 0);
  if (count < 2) return 2;
  for (char *at = words[1]; *at != '\0'; at++) if (*at == '-') *at = '_';
  for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
    if (strcmp(tries[i].name, words[1]) != 0) continue;
    size_t size = 0;
    while (size < sizeof line - 1 && read(0, line + size, 1) == 1 && line[size] != '\n') size++;
    return tries[i].try();
  }
  say("there is no probe %s", words[1]);
  return 2;
}
