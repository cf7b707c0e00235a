/** Numbers of one system call on x64 and on arm64; `none` where the architecture has no such call. */
export type Numbers = readonly [x64: number | undefined, arm64: number | undefined];
const none = undefined;

/**
 * All a plugin may ask of the kernel. What is not here is refused, so a call that a later kernel adds is refused too.
 * Left out on purpose, because Landlock does not judge them and a plugin has the server's user id: whatever changes a
 * file's mode, owner, times or attributes; whatever names another process (signals, priorities, affinity, limits);
 * inotify; every socket, also a pair, from which another socket could be reached; shared memory that no process's size shows.
 * Left out because the kernel keeps an unbounded list for them that no limit counts: file locks and Landlock's rules.
 */
export const allowedCalls: Readonly<Record<string, Numbers>> = {
  // Reading and writing descriptors it holds
  read: [0, 63],
  write: [1, 64],
  readv: [19, 65],
  writev: [20, 66],
  pread64: [17, 67],
  pwrite64: [18, 68],
  preadv: [295, 69],
  pwritev: [296, 70],
  preadv2: [327, 286],
  pwritev2: [328, 287],
  lseek: [8, 62],
  close: [3, 57],
  close_range: [436, 436],
  dup: [32, 23],
  dup2: [33, none],
  dup3: [292, 24],
  pipe: [22, none],
  pipe2: [293, 59],
  sendfile: [40, 71],
  splice: [275, 76],
  tee: [276, 77],
  copy_file_range: [326, 285],
  ftruncate: [77, 46],
  fadvise64: [221, 223],
  readahead: [187, 213],
  // Opening and looking; Landlock or the mounts decide which paths
  open: [2, none],
  creat: [85, none],
  openat: [257, 56],
  stat: [4, none],
  fstat: [5, 80],
  lstat: [6, none],
  newfstatat: [262, 79],
  statx: [332, 291],
  access: [21, none],
  faccessat: [269, 48],
  faccessat2: [439, 439],
  readlink: [89, none],
  readlinkat: [267, 78],
  getdents: [78, none],
  getdents64: [217, 61],
  getcwd: [79, 17],
  chdir: [80, 49],
  fchdir: [81, 50],
  umask: [95, 166],
  statfs: [137, 43],
  fstatfs: [138, 44],
  // Waiting
  poll: [7, none],
  ppoll: [271, 73],
  select: [23, none],
  pselect6: [270, 72],
  epoll_create: [213, none],
  epoll_create1: [291, 20],
  epoll_ctl: [233, 21],
  epoll_wait: [232, none],
  epoll_pwait: [281, 22],
  epoll_pwait2: [441, 441],
  eventfd: [284, none],
  eventfd2: [290, 19],
  signalfd: [282, none],
  signalfd4: [289, 74],
  timerfd_create: [283, 85],
  timerfd_settime: [286, 86],
  timerfd_gettime: [287, 87],
  // Its own pipes, which Node makes as socket pairs: what they are, and closing one way
  getsockname: [51, 204],
  getpeername: [52, 205],
  getsockopt: [55, 209],
  shutdown: [48, 210],
  // Memory
  brk: [12, 214],
  munmap: [11, 215],
  mprotect: [10, 226],
  mremap: [25, 216],
  msync: [26, 227],
  mincore: [27, 232],
  madvise: [28, 233],
  mlock: [149, 228],
  munlock: [150, 229],
  mlock2: [325, 284],
  membarrier: [324, 283],
  pkey_alloc: [330, 289],
  pkey_free: [331, 290],
  pkey_mprotect: [329, 288],
  mseal: [462, 462],
  map_shadow_stack: [453, 453],
  // Threads and children
  fork: [57, none],
  vfork: [58, none],
  execve: [59, 221],
  execveat: [322, 281],
  exit: [60, 93],
  exit_group: [231, 94],
  wait4: [61, 260],
  waitid: [247, 95],
  set_tid_address: [218, 96],
  set_robust_list: [273, 99],
  rseq: [334, 293],
  futex: [202, 98],
  futex_waitv: [449, 449],
  futex_wake: [454, 454],
  futex_wait: [455, 455],
  futex_requeue: [456, 456],
  sched_yield: [24, 124],
  arch_prctl: [158, none],
  restart_syscall: [219, 128],
  gettid: [186, 178],
  // Its own signals
  rt_sigaction: [13, 134],
  rt_sigprocmask: [14, 135],
  rt_sigreturn: [15, 139],
  rt_sigpending: [127, 136],
  rt_sigsuspend: [130, 133],
  rt_sigtimedwait: [128, 137],
  sigaltstack: [131, 132],
  pause: [34, none],
  // Time
  nanosleep: [35, 101],
  gettimeofday: [96, 169],
  time: [201, none],
  times: [100, 153],
  alarm: [37, none],
  getitimer: [36, 102],
  setitimer: [38, 103],
  timer_settime: [223, 110],
  timer_gettime: [224, 108],
  timer_getoverrun: [225, 109],
  timer_delete: [226, 111],
  // Asking about itself
  getpid: [39, 172],
  getppid: [110, 173],
  getpgrp: [111, none],
  getuid: [102, 174],
  geteuid: [107, 175],
  getgid: [104, 176],
  getegid: [108, 177],
  getgroups: [115, 158],
  getresuid: [118, 148],
  getresgid: [120, 150],
  getrlimit: [97, 163],
  getrusage: [98, 165],
  getcpu: [309, 168],
  getrandom: [318, 278],
  sysinfo: [99, 179],
  uname: [63, 160],
  capget: [125, 90],
  sched_get_priority_max: [146, 125],
  sched_get_priority_min: [147, 126],
  // Giving up rights; setpriv does it after the filter is loaded
  capset: [126, 91],
};

/** Answered by their arguments; the rules are in `program.ts`. */
export const judgedCalls = {
  clone: [56, 220],
  prctl: [157, 167],
  prlimit64: [302, 261],
  fcntl: [72, 25],
  ioctl: [16, 29],
  mmap: [9, 222],
  getpriority: [140, 141],
} as const satisfies Record<string, Numbers>;

/** Allowed when they ask about the caller itself, which is 0 to all of them. Another's number would tell of other processes. */
export const aboutItself = {
  getpgid: [121, 155],
  getsid: [124, 156],
  sched_getaffinity: [204, 123],
  sched_getattr: [315, 275],
  sched_rr_get_interval: [148, 127],
} as const satisfies Record<string, Numbers>;

/**
 * Asked by the C library about its own threads, by number; a library in Node writes a line to standard error for each that fails.
 * Whatever number is named, the filter itself answers 0: the usual schedule, which every thread of a plugin has.
 */
export const schedules = {
  sched_getparam: [143, 121],
  sched_getscheduler: [145, 120],
} as const satisfies Record<string, Numbers>;

/** Allowed for the clocks that have a name. The others, which are negative, count the time of any process. */
export const namedClocks = {
  clock_gettime: [228, 113],
  clock_getres: [229, 114],
  clock_nanosleep: [230, 115],
  timer_create: [222, 107],
} as const satisfies Record<string, Numbers>;

/** Said not to exist, so that the C library takes the older call, whose arguments the filter can read. */
export const absentCalls = { clone3: [435, 435], openat2: [437, 437] } as const satisfies Record<string, Numbers>;

/** The highest number judged here. A newer call is answered as a kernel without it would answer. */
export const lastKnownCall = 470;
