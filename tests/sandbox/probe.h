/* Shared by the parts of the probe: where things are, how to answer, and the name of everything it can try. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <arpa/inet.h>
#include <netinet/in.h>
#include <time.h>
#include <unistd.h>


extern char **environ;

/* The value of `name=` in the first input line. */
const char *word(const char *name);
int number(const char *name);
const char *inside(const char *directory, const char *name);
void say(const char *form, ...);
int escaped(const char *how);
int denied(void);
/* -1 is a refusal; anything else got through. */
int judge(long result, const char *how);

/* Reach: files, processes, sockets. */
#define REACHES \
  TRY(read_secret) TRY(read_public) TRY(read_through_link) TRY(read_passwd) TRY(read_above) TRY(read_by_root_link) \
  TRY(read_inherited) TRY(list_data) TRY(list_tmp) TRY(write_data) TRY(append_data) TRY(create_data) \
  TRY(make_directory) TRY(make_link) TRY(make_hard_link) TRY(make_pipe) TRY(rename_data) TRY(remove_data) \
  TRY(truncate_data) TRY(mode_data) TRY(mode_data_again) TRY(owner_data) TRY(times_data) TRY(attribute_data) \
  TRY(watch_data) TRY(data_by_handle) TRY(write_anywhere) TRY(write_own_artifact) TRY(open_devices) \
  TRY(proc_environment) TRY(proc_memory) TRY(proc_maps) TRY(proc_root) TRY(proc_command_lines) \
  TRY(proc_descriptor_link) TRY(signal_kill) TRY(signal_everybody) TRY(signal_thread) TRY(signal_tkill) \
  TRY(signal_queue) TRY(signal_process_descriptor) TRY(signal_owner) TRY(signal_socket_owner) TRY(trace) \
  TRY(read_memory) TRY(take_descriptor) TRY(slow_server) TRY(pin_server) TRY(idle_server) TRY(limit_server) \
  TRY(disk_priority) TRY(compare) TRY(group_of_server) TRY(session_of_server) TRY(priority_of_server) TRY(clock_of_server) \
  TRY(processors_of_server) TRY(schedule_of_server) TRY(new_session) TRY(new_group) TRY(foreign_child) TRY(any_socket) TRY(tcp) \
  TRY(udp) TRY(tcp6) TRY(raw) TRY(packet) TRY(netlink) TRY(crypto_socket) TRY(vsock) TRY(unix_stream) \
  TRY(unix_docker) TRY(unix_abstract) TRY(unix_pair) TRY(own_socket) TRY(pass_descriptor)

/* The kernel: namespaces, mounts, rarely used calls, and what it was given. */
#define KERNEL \
  TRY(new_user_namespace) TRY(new_network_namespace) TRY(clone_namespace) TRY(clone3_namespace) TRY(join_namespace) \
  TRY(mount_tmpfs) TRY(remount) TRY(unmount) TRY(new_mount) TRY(clone_mount) TRY(change_root) TRY(pivot) TRY(ring) \
  TRY(old_ring) TRY(add_key) TRY(read_keys) TRY(bpf) TRY(performance) TRY(page_faults) TRY(memory_file) \
  TRY(shared_memory) TRY(message_queue) TRY(semaphores) TRY(named_queue) TRY(fine_timers) TRY(change_personality) TRY(kernel_log) \
  TRY(load_module) TRY(set_clock) TRY(set_name) TRY(stop_host) TRY(fanotify) TRY(filter_listener) TRY(become_root) \
  TRY(set_groups) TRY(raise_limit) TRY(type_into_terminal) TRY(unknown_call) TRY(new_file_attributes) TRY(x32_call) \
  TRY(old_call) TRY(environment) TRY(descriptors) TRY(rights)

/* Behaviour that limits must end. */
#define BEHAVIOURS \
  TRY(sleeps) TRY(deaf) TRY(burns) TRY(burns_many) TRY(bomb) TRY(thread_bomb) TRY(naps) TRY(yields) TRY(ticks) TRY(rings) TRY(rings_posix) TRY(passes) TRY(churns) TRY(daemon_double) \
  TRY(leaves_children) TRY(becomes_sleep) TRY(floods) TRY(floods_one_line) TRY(floods_errors) TRY(drips) \
  TRY(drips_fast) TRY(closes) TRY(hoards) TRY(hoards_shared) TRY(hoards_many) TRY(opens_all) TRY(fills_pipes) \
  TRY(crashes) TRY(aborts) TRY(recurses) TRY(exits) TRY(garbage) TRY(writes_big_file) TRY(answers)

/* Memory that the kernel holds for a plugin. */
#define MEMORY \
  TRY(shared_pages) TRY(huge_pages) TRY(record_locks) TRY(waiting_locks) TRY(description_locks) TRY(file_lock) \
  TRY(flush_disk) TRY(landlock_rules) TRY(larger_pipe) TRY(hide_maps) TRY(pretend_small) TRY(takes_pages) \
  TRY(takes_tables) TRY(takes_maps) TRY(takes_pipes) TRY(takes_watches) TRY(tables_of_one) TRY(all_timers) \
  TRY(crowds_out)

#define TRY(name) int name(void);
REACHES KERNEL BEHAVIOURS MEMORY
#undef TRY
