/* Doors of the kernel that have led out of sandboxes before, and what the sandbox itself hands over. */
#include "probe.h"

/* Namespaces and mounts */

int new_user_namespace(void) { return judge(unshare(CLONE_NEWUSER), "new user namespace"); }
int new_network_namespace(void) { return judge(unshare(CLONE_NEWNET), "new network namespace"); }
int clone_namespace(void) {
  long pid = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
  if (pid == 0) _exit(0);
  return judge(pid, "clone with a new user namespace");
}
int clone3_namespace(void) {
  struct { uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls; } args = {.flags = CLONE_NEWUSER, .exit_signal = SIGCHLD};
  long pid = syscall(435, &args, sizeof args);
  if (pid == 0) _exit(0);
  return judge(pid, "clone3 with a new user namespace");
}
int join_namespace(void) {
  int fd = open("/proc/1/ns/net", O_RDONLY);
  if (fd == -1) fd = open("/proc/self/ns/net", O_RDONLY);
  return fd == -1 ? denied() : judge(syscall(SYS_setns, fd, 0), "joined a namespace");
}
int mount_tmpfs(void) { return judge(syscall(SYS_mount, "none", "/usr", "tmpfs", 0, NULL), "mounted"); }
int remount(void) { return judge(syscall(SYS_mount, "none", "/", NULL, 32 | 4096, NULL), "remounted writable"); }
int unmount(void) { return judge(syscall(SYS_umount2, "/usr", 2), "unmounted"); }
int new_mount(void) { return judge(syscall(SYS_fsopen, "tmpfs", 0), "fsopen"); }
int clone_mount(void) { return judge(syscall(SYS_open_tree, AT_FDCWD, "/usr", 1), "open_tree"); }
int change_root(void) { return judge(chroot("/usr"), "chroot"); }
int pivot(void) { return judge(syscall(SYS_pivot_root, ".", "."), "pivot_root"); }

/* Doors of the kernel */

int ring(void) {
  char parameters[256] = {0};
  return judge(syscall(SYS_io_uring_setup, 4, parameters), "io_uring");
}
int old_ring(void) {
  unsigned long context = 0;
  return judge(syscall(SYS_io_setup, 1, &context), "asynchronous input and output");
}
int add_key(void) { return judge(syscall(SYS_add_key, "user", "gatehouse", "x", 1, -3), "added a key"); }
int read_keys(void) { return judge(syscall(SYS_keyctl, 0, -4, 1), "opened a keyring"); }
int bpf(void) {
  char attributes[128] = {0};
  long result = syscall(SYS_bpf, 0, attributes, sizeof attributes);
  return result == -1 && errno == EINVAL ? escaped("bpf answers") : judge(result, "bpf");
}
int performance(void) {
  char attributes[128] = {0};
  *(uint32_t *)(attributes + 4) = sizeof attributes;
  attributes[0] = 1;
  attributes[40] = 0x60;
  return judge(syscall(SYS_perf_event_open, attributes, 0, -1, -1, 0), "perf_event_open");
}
int page_faults(void) { return judge(syscall(SYS_userfaultfd, 1), "userfaultfd"); }
int memory_file(void) { return judge(syscall(SYS_memfd_create, "x", 0), "memory that no process's size shows"); }
int shared_memory(void) { return judge(syscall(SYS_shmget, 0, 4096, 01600), "shared memory"); }
int message_queue(void) { return judge(syscall(SYS_msgget, 0, 01600), "message queue"); }
int semaphores(void) { return judge(syscall(SYS_semget, 0, 1, 01600), "semaphores"); }
int named_queue(void) { return judge(syscall(SYS_mq_open, "gatehouse-probe", O_CREAT | O_RDWR, 0600, NULL), "named queue"); }
int fine_timers(void) { return judge(prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0), "naps as short as it likes"); }
int change_personality(void) { return judge(syscall(SYS_personality, 0x0040000), "switched address randomisation off"); }
int kernel_log(void) { return judge(syscall(SYS_syslog, 10, NULL, 0), "asked the kernel's log"); }
int load_module(void) { return judge(syscall(SYS_init_module, "", 0, ""), "loaded a module"); }
int set_clock(void) {
  struct timeval now;
  gettimeofday(&now, NULL);
  return judge(settimeofday(&now, NULL), "set the clock");
}
int set_name(void) { return judge(sethostname("x", 1), "renamed the host"); }
int stop_host(void) { return judge(syscall(SYS_reboot, 0xfee1dead, 672274793, 0, NULL), "switched a reboot key"); }
int fanotify(void) { return judge(syscall(SYS_fanotify_init, 0x200, 0), "fanotify"); }
int filter_listener(void) {
  struct { uint16_t length; void *filter; } program = {1, &(uint64_t){0x7fff000000000006}};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  return judge(syscall(SYS_seccomp, 1, 8, &program), "listens to system calls");
}
int become_root(void) { return judge(setuid(0), "became root"); }
int set_groups(void) { return judge(syscall(SYS_setgroups, 0, NULL), "changed groups"); }
int raise_limit(void) {
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max = limit.rlim_max + 1;
  return judge(setrlimit(RLIMIT_NOFILE, &limit), "raised a limit");
}
int type_into_terminal(void) { return judge(ioctl(0, 0x5412, "x"), "typed into a terminal"); }
int unknown_call(void) { return judge(syscall(600), "a call nobody knows"); }
int new_file_attributes(void) { return judge(syscall(469, AT_FDCWD, inside(word("data"), "public"), "", 0, 0), "file_setattr"); }
/* Both other ways into the kernel must end the process; to come back at all is the escape. */
int x32_call(void) {
#ifdef __x86_64__
  syscall(0x40000000 + 39);
  return escaped("a call of the x32 kind came back");
#else
  errno = ENOSYS;
  return denied();
#endif
}
int old_call(void) {
#ifdef __x86_64__
  long result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(20L) : "memory");
  return escaped("a 32-bit call came back");
#else
  errno = ENOSYS;
  return denied();
#endif
}

/* What it has been given */

int environment(void) {
  for (char **at = environ; *at != NULL; at++) {
    size_t length = strcspn(*at, "=");
    const char *known[] = {"PATH", "LANG", "HOME", "PWD"};
    int found = 0;
    for (int i = 0; i < 4; i++) found |= strlen(known[i]) == length && strncmp(known[i], *at, length) == 0;
    if (!found) return escaped(*at);
  }
  errno = ENOENT;
  return denied();
}
int descriptors(void) {
  for (int fd = 3; fd < 4096; fd++) {
    int flags = fcntl(fd, F_GETFL);
    if (flags == -1) continue;
    struct stat found;
    fstat(fd, &found);
    /* Descriptor 3 is the artifact itself, to be read. setpriv leaves handles of what is readable anyway, by path only. */
    int readable = (flags & O_ACCMODE) == O_RDONLY && S_ISREG(found.st_mode) && fd == 3;
    if (!readable && (flags & O_PATH) == 0) {
      say("ESCAPED descriptor %d is open, mode %o, flags %o", fd, found.st_mode, flags);
      return 0;
    }
  }
  errno = EBADF;
  return denied();
}
int rights(void) {
  struct { uint32_t version; int pid; } head = {0x20080522, 0};
  uint32_t data[6] = {0};
  syscall(SYS_capget, &head, data);
  if (data[0] | data[1] | data[3] | data[4]) return escaped("holds a capability");
  if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1) return escaped("may gain rights");
  errno = EPERM;
  return denied();
}

