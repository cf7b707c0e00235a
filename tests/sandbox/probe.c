/*
 * A plugin that tries to get out. Its action names what it tries; its first input line says where things are, as
 * `name=value` words. It answers with one line: `denied WHY`, or `ESCAPED HOW`. What it claims is not all that counts: the suite
 * also looks at the files, sockets and processes it was pointed at. A server can ask it too: the input of `plan` begins with what is tried,
 * and the answer is the message of an error.
 */
#include "probe.h"

static char line[4096];
static int is_asked_by_server;

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
  if (is_asked_by_server) printf("{\"jsonrpc\":\"2.0\",\"id\":0,\"error\":{\"code\":-32000,\"message\":\"");
  vprintf(form, list);
  if (is_asked_by_server) printf("\"}}");
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

static void read_line(void) {
  size_t size = 0;
  while (size < sizeof line - 1 && read(0, line + size, 1) == 1 && line[size] != '\n') size++;
}

/* The first word of the input of `plan`, or NULL. */
static char *asked_by_server(const char *action) {
  static char name[64];
  is_asked_by_server = strcmp(action, "plan") == 0;
  char *input = is_asked_by_server ? strstr(line, "\"input\":\"") : NULL;
  if (input == NULL) return NULL;
  snprintf(name, sizeof name, "%.*s", (int)strcspn(input + 9, " \""), input + 9);
  return name;
}

int main(int count, char **words) {
  prctl(PR_SET_NAME, MARK, 0, 0, 0);
  if (count < 2) return 2;
  read_line();
  if (strcmp(words[1], "health") == 0) return puts("{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"status\":\"ok\"}}") < 0;
  char *asked = asked_by_server(words[1]);
  char *name = asked == NULL ? words[1] : asked;
  for (char *at = name; *at != '\0'; at++) if (*at == '-') *at = '_';
  for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) if (strcmp(tries[i].name, name) == 0) return tries[i].try();
  say("there is no probe %s", name);
  return 2;
}
