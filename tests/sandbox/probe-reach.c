/* What lies outside: the data directory, other files, other processes, the network. */
#include "probe.h"

/* Files */

static int read_file(const char *path) {
  char text[256];
  int fd = open(path, O_RDONLY);
  if (fd == -1) return denied();
  ssize_t size = read(fd, text, sizeof text - 1);
  if (size <= 0) return denied();
  text[size] = '\0';
  say("ESCAPED read %s: %.60s", path, text);
  return 0;
}

int read_secret(void) { return read_file(inside(word("data"), "secret")); }
int read_public(void) { return read_file(inside(word("data"), "public")); }
int read_through_link(void) { return read_file(inside(word("data"), "link")); }
int read_passwd(void) { return read_file("/etc/passwd"); }
int read_above(void) { return read_file(inside("/usr/../../../..", inside(word("data"), "secret") + 1)); }
int read_by_root_link(void) { return read_file(inside("/proc/self/root", inside(word("data"), "secret") + 1)); }
int read_inherited(void) {
  char text[64];
  ssize_t size = pread(20, text, sizeof text, 0);
  return size == -1 ? denied() : escaped("descriptor 20 of the server is open here");
}

int list_data(void) { return opendir(word("data")) == NULL ? denied() : escaped("listed the data directory"); }
int list_tmp(void) { return opendir("/tmp") == NULL ? denied() : escaped("listed /tmp"); }
int write_data(void) { return judge(open(inside(word("data"), "secret"), O_WRONLY), "opened for writing"); }
int append_data(void) { return judge(open(inside(word("data"), "public"), O_WRONLY | O_APPEND), "opened for appending"); }
int create_data(void) { return judge(open(inside(word("data"), "made"), O_CREAT | O_WRONLY, 0600), "made a file"); }
int make_directory(void) { return judge(mkdir(inside(word("data"), "made"), 0700), "made a directory"); }
int make_link(void) { return judge(symlink("/etc/passwd", inside(word("data"), "made")), "made a link"); }
int make_hard_link(void) { return judge(link(inside(word("data"), "secret"), inside(word("data"), "made")), "made a hard link"); }
int make_pipe(void) { return judge(mknod(inside(word("data"), "made"), S_IFIFO | 0600, 0), "made a pipe"); }
int rename_data(void) { return judge(rename(inside(word("data"), "public"), inside(word("data"), "made")), "renamed a file"); }
int remove_data(void) { return judge(unlink(inside(word("data"), "public")), "removed a file"); }
int truncate_data(void) { return judge(truncate(inside(word("data"), "public"), 1), "cut a file"); }
int mode_data(void) { return judge(chmod(inside(word("data"), "secret"), 0666), "changed a mode"); }
int mode_data_again(void) { return judge(syscall(452, AT_FDCWD, inside(word("data"), "secret"), 0666, 0), "changed a mode by fchmodat2"); }
int owner_data(void) { return judge(chown(inside(word("data"), "secret"), -1, getgid()), "changed an owner"); }
int times_data(void) {
  struct timespec times[2] = {{0, 0}, {0, 0}};
  return judge(utimensat(AT_FDCWD, inside(word("data"), "secret"), times, 0), "changed times");
}
int attribute_data(void) { return judge(syscall(SYS_setxattr, inside(word("data"), "public"), "user.x", "y", 1, 0), "set an attribute"); }
int watch_data(void) {
  int fd = syscall(SYS_inotify_init1, 0);
  return fd == -1 ? denied() : judge(syscall(SYS_inotify_add_watch, fd, word("data"), 0xfff), "watches the data directory");
}
int data_by_handle(void) {
  struct { unsigned bytes; int type; unsigned char f[128]; } handle = {128, 0, {0}};
  int mount = 0;
  return judge(syscall(SYS_name_to_handle_at, AT_FDCWD, inside(word("data"), "public"), &handle, &mount, 0), "got a handle");
}
int write_anywhere(void) {
  const char *places[] = {"/tmp", "/var/tmp", "/dev/shm", "/run", "/", ".", "/nonexistent", "/usr/local/bin", "/plugin", "/home", "/dev", "/usr/lib", "/app"};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    if (open(inside(places[i], "gatehouse-probe"), O_CREAT | O_WRONLY, 0600) != -1) return escaped(places[i]);
    if (open(places[i], O_TMPFILE | O_WRONLY, 0600) != -1) return escaped(places[i]);
  }
  return denied();
}
int write_own_artifact(void) {
  const char *paths[] = {"/proc/self/fd/3", "/plugin", "/proc/self/exe", word("artifact")};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
    if (open(paths[i], O_RDWR) != -1) return escaped(paths[i]);
  return judge(write(3, "x", 1), "wrote to descriptor 3");
}
int open_devices(void) {
  const char *paths[] = {"/dev/mem", "/dev/kmsg", "/dev/ptmx", "/dev/tty", "/dev/fuse", "/dev/kvm", "/dev/zero", "/dev/full", "/dev/random", "/dev/vda", "/dev/sda", "/dev/loop-control", "/dev/net/tun"};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
    if (open(paths[i], O_RDONLY) != -1) return escaped(paths[i]);
  return denied();
}

/* Other processes. Inside namespaces the numbers mean nobody; under Landlock they mean the server. */

static int proc_of(const char *part, int flags) {
  char path[128];
  snprintf(path, sizeof path, "/proc/%d/%s", number("server"), part);
  return judge(open(path, flags), path);
}
int proc_environment(void) { return proc_of("environ", O_RDONLY); }
int proc_memory(void) { return proc_of("mem", O_RDWR); }
int proc_maps(void) { return proc_of("maps", O_RDONLY); }
int proc_root(void) { return proc_of("root", O_RDONLY | O_DIRECTORY); }
int proc_command_lines(void) { return opendir("/proc") == NULL ? denied() : escaped("listed /proc"); }
int proc_descriptor_link(void) {
  char path[128], target[256];
  snprintf(path, sizeof path, "/proc/%d/fd/0", number("server"));
  return judge(readlink(path, target, sizeof target), "read where a descriptor leads");
}
int signal_kill(void) { return judge(kill(number("server"), SIGUSR2), "signalled"); }
int signal_everybody(void) { return judge(kill(-1, SIGUSR2), "signalled everybody"); }
int signal_thread(void) { return judge(syscall(SYS_tgkill, number("server"), number("server"), SIGUSR2), "signalled by tgkill"); }
int signal_tkill(void) { return judge(syscall(SYS_tkill, number("server"), SIGUSR2), "signalled by tkill"); }
int signal_queue(void) {
  siginfo_t info = {.si_code = -1};
  return judge(syscall(SYS_rt_sigqueueinfo, number("server"), SIGUSR2, &info), "queued a signal");
}
int signal_process_descriptor(void) {
  int fd = syscall(SYS_pidfd_open, number("server"), 0);
  return fd == -1 ? denied() : judge(syscall(SYS_pidfd_send_signal, fd, SIGUSR2, NULL, 0), "signalled by pidfd");
}
/* The kernel sends a signal of our choice to the owner of a pipe when something is written to it. */
int signal_owner(void) {
  int ends[2];
  if (pipe(ends) == -1) return denied();
  if (fcntl(ends[0], F_SETOWN, number("server")) == -1) return denied();
  fcntl(ends[0], F_SETSIG, SIGUSR2);
  fcntl(ends[0], F_SETFL, O_ASYNC | O_NONBLOCK);
  return judge(write(ends[1], "x", 1) == 1 ? 0 : -1, "made the kernel signal the owner of a pipe");
}
int signal_socket_owner(void) {
  int pid = number("server");
  return judge(ioctl(1, 0x8901, &pid), "set the owner of standard output");
}
int trace(void) { return judge(syscall(SYS_ptrace, 0x4206, number("server"), 0, 0), "attached"); }
int read_memory(void) {
  char text[8];
  struct iovec local = {text, 8}, remote = {(void *)0x400000, 8};
  long result = syscall(SYS_process_vm_readv, number("server"), &local, 1, &remote, 1, 0);
  if (result == -1 && errno == EFAULT) return escaped("may read memory");
  return judge(result, "read memory");
}
int take_descriptor(void) {
  int fd = syscall(SYS_pidfd_open, number("server"), 0);
  return fd == -1 ? denied() : judge(syscall(SYS_pidfd_getfd, fd, 0, 0), "took a descriptor");
}
int slow_server(void) { return judge(setpriority(PRIO_PROCESS, number("server"), 19), "lowered the server's priority"); }
int pin_server(void) {
  unsigned long mask = 1;
  return judge(syscall(SYS_sched_setaffinity, number("server"), sizeof mask, &mask), "pinned the server");
}
int idle_server(void) {
  struct sched_param none = {0};
  return judge(sched_setscheduler(number("server"), 5, &none), "made the server idle");
}
int limit_server(void) {
  struct rlimit limit = {8, 8};
  return judge(prlimit(number("server"), RLIMIT_NOFILE, &limit, NULL), "limited the server");
}
int disk_priority(void) { return judge(syscall(SYS_ioprio_set, 1, number("server"), 3 << 13), "changed the server's disk priority"); }
int compare(void) { return judge(syscall(SYS_kcmp, number("server"), getpid(), 0, 0, 0), "compared"); }
/* What tells of another process, and not of the plugin itself. */
int group_of_server(void) { return judge(getpgid(number("server")), "its group"); }
int session_of_server(void) { return judge(getsid(number("server")), "its session"); }
int priority_of_server(void) {
  errno = 0;
  long found = syscall(SYS_getpriority, PRIO_PROCESS, number("server"));
  return judge(found, "its priority");
}
int clock_of_server(void) {
  struct timespec used;
  return judge(clock_gettime((clockid_t)((~(unsigned)number("server") << 3) | 2), &used), "its processor time");
}
int processors_of_server(void) {
  unsigned long mask[16];
  return judge(syscall(SYS_sched_getaffinity, number("server"), sizeof mask, mask), "its processors");
}
/* The filter answers the same whoever is named, so the answer about the server must be the one about nobody. */
int schedule_of_server(void) {
  int nobody = 0x3fffff, server = number("server");
  struct sched_param of_nobody = {-1}, of_server = {-1};
  if (sched_getscheduler(server) != sched_getscheduler(nobody)) return escaped("its schedule");
  if (sched_getparam(server, &of_server) != sched_getparam(nobody, &of_nobody)) return escaped("its schedule's priority");
  if (of_server.sched_priority != of_nobody.sched_priority) return escaped("its schedule's priority");
  say("denied the same as about nobody");
  return 0;
}
int new_session(void) {
  pid_t pid = fork();
  if (pid == 0) _exit(setsid() == -1 ? errno : 0);
  int status = 0;
  waitpid(pid, &status, 0);
  errno = WEXITSTATUS(status);
  return status == 0 ? escaped("left its session") : denied();
}
int new_group(void) {
  pid_t pid = fork();
  if (pid == 0) _exit(setpgid(0, 0) == -1 ? errno : 0);
  int status = 0;
  waitpid(pid, &status, 0);
  errno = WEXITSTATUS(status);
  return status == 0 ? escaped("left its group") : denied();
}
int foreign_child(void) {
  long pid = syscall(SYS_clone, 0x8000 | SIGCHLD, 0, 0, 0, 0);
  if (pid == 0) _exit(0);
  return judge(pid, "made a child of its parent");
}

/* Network */

int any_socket(void) {
  for (int family = 0; family < 64; family++)
    for (int type = 1; type <= 10; type++)
      if (socket(family, type, 0) != -1) {
        say("ESCAPED socket of family %d, type %d", family, type);
        return 0;
      }
  return denied();
}
static int connect_to(int family, int type, const struct sockaddr *address, socklen_t size, const char *how) {
  int fd = socket(family, type, 0);
  if (fd == -1) return denied();
  if (connect(fd, address, size) == -1) return denied();
  if (write(fd, "probe", 5) == -1) return denied();
  return escaped(how);
}
int tcp(void) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(number("port")), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  return connect_to(AF_INET, SOCK_STREAM, (struct sockaddr *)&address, sizeof address, "connected by TCP");
}
int udp(void) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(number("port")), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  return connect_to(AF_INET, SOCK_DGRAM, (struct sockaddr *)&address, sizeof address, "sent by UDP");
}
int tcp6(void) {
  struct sockaddr_in6 address = {.sin6_family = AF_INET6, .sin6_port = htons(number("port")), .sin6_addr = IN6ADDR_LOOPBACK_INIT};
  return connect_to(AF_INET6, SOCK_STREAM, (struct sockaddr *)&address, sizeof address, "connected by TCP over IPv6");
}
int raw(void) { return judge(socket(AF_INET, SOCK_RAW, 1), "raw socket"); }
int packet(void) { return judge(socket(AF_PACKET, SOCK_RAW, 0), "packet socket"); }
int netlink(void) { return judge(socket(AF_NETLINK, SOCK_RAW, 0), "netlink socket"); }
int crypto_socket(void) { return judge(socket(AF_ALG, SOCK_SEQPACKET, 0), "AF_ALG socket"); }
int vsock(void) { return judge(socket(AF_VSOCK, SOCK_STREAM, 0), "vsock socket"); }
static struct sockaddr_un local(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
  return address;
}
int unix_stream(void) {
  struct sockaddr_un address = local(inside(word("data"), "socket"));
  return connect_to(AF_UNIX, SOCK_STREAM, (struct sockaddr *)&address, sizeof address, "connected to a socket in the data directory");
}
int unix_docker(void) {
  struct sockaddr_un address = local("/var/run/docker.sock");
  return connect_to(AF_UNIX, SOCK_STREAM, (struct sockaddr *)&address, sizeof address, "connected to the container engine");
}
int unix_abstract(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  const char *name = word("abstract");
  memcpy(address.sun_path + 1, name, strlen(name));
  return connect_to(AF_UNIX, SOCK_STREAM, (struct sockaddr *)&address, offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name), "connected to an abstract socket");
}
/* A pair needs no socket(), and either end can be sent elsewhere. */
int unix_pair(void) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) == -1) return denied();
  struct sockaddr_un address = local(inside(word("data"), "socket"));
  sendto(ends[0], "probe", 5, 0, (struct sockaddr *)&address, sizeof address);
  return escaped("made a pair of sockets");
}
/* Standard input and output are sockets of the server's making. */
int own_socket(void) {
  struct sockaddr_un address = local(inside(word("data"), "socket"));
  if (connect(1, (struct sockaddr *)&address, sizeof address) != -1) return escaped("connected standard output elsewhere");
  if (sendto(1, "x", 1, 0, (struct sockaddr *)&address, sizeof address) != -1) return escaped("sent standard output elsewhere");
  struct sockaddr_un own = {.sun_family = AF_UNIX};
  return judge(bind(1, (struct sockaddr *)&own, sizeof(sa_family_t)), "bound standard output to a name");
}
int pass_descriptor(void) {
  char space[CMSG_SPACE(sizeof(int))] = {0};
  struct iovec part = {"\n", 1};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
  struct cmsghdr *head = CMSG_FIRSTHDR(&message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(head), &(int){0}, sizeof(int));
  return judge(sendmsg(1, &message, 0), "passed a descriptor to the server");
}

