import { expect, test } from "vitest";
import { type Architecture, seccompProgram } from "./program.ts";

/** A small classic BPF machine: what the kernel runs, and nothing it would refuse to load. */
function run(program: Uint8Array, data: { nr: number; arch: number; args?: readonly bigint[] }): number {
  const memory = new DataView(new ArrayBuffer(64));
  memory.setUint32(0, data.nr, true);
  memory.setUint32(4, data.arch, true);
  for (const [index, value] of (data.args ?? []).entries()) memory.setBigUint64(16 + 8 * index, value, true);
  const code = new DataView(program.buffer);
  let a = 0;
  for (let at = 0; at < program.length / 8; at += 1) {
    const [op, jt, jf, k] = [
      code.getUint16(at * 8, true),
      code.getUint8(at * 8 + 2),
      code.getUint8(at * 8 + 3),
      code.getUint32(at * 8 + 4, true),
    ];
    if (op === 0x06) return k;
    if (op === 0x20) a = memory.getUint32(k, true);
    else if (op === 0x15) at += a === k ? jt : jf;
    else if (op === 0x25) at += a > k ? jt : jf;
    else if (op === 0x35) at += a >= k ? jt : jf;
    else if (op === 0x45) at += (a & k) !== 0 ? jt : jf;
    else throw new Error(`unknown operation ${op}`);
  }
  throw new Error("the program runs past its end");
}

const arch: Record<Architecture, number> = { x64: 0xc000003e, arm64: 0xc00000b7 };
const allow = 0x7fff0000;
const eperm = 0x00050001;
const einval = 0x00050016;
const enosys = 0x00050026;
const enotty = 0x00050019;
const zero = 0x00050000;
const kill = 0x80000000;

/** Written down a second time, from the kernel's tables and not from ours: what must never pass, on either architecture. */
const refused: Readonly<Record<string, readonly [x64: number, arm64: number | undefined]>> = {
  socket: [41, 198],
  socketpair: [53, 199],
  bind: [49, 200],
  listen: [50, 201],
  accept: [43, 202],
  accept4: [288, 242],
  connect: [42, 203],
  sendto: [44, 206],
  recvfrom: [45, 207],
  setsockopt: [54, 208],
  sendmsg: [46, 211],
  recvmsg: [47, 212],
  sendmmsg: [307, 269],
  recvmmsg: [299, 243],
  kill: [62, 129],
  tkill: [200, 130],
  tgkill: [234, 131],
  rt_sigqueueinfo: [129, 138],
  rt_tgsigqueueinfo: [297, 240],
  pidfd_send_signal: [424, 424],
  pidfd_open: [434, 434],
  pidfd_getfd: [438, 438],
  setsid: [112, 157],
  setpgid: [109, 154],
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  process_madvise: [440, 440],
  kcmp: [312, 272],
  get_robust_list: [274, 100],
  setpriority: [141, 140],
  ioprio_set: [251, 30],
  sched_setaffinity: [203, 122],
  sched_setscheduler: [144, 119],
  sched_setparam: [142, 118],
  sched_setattr: [314, 274],
  setrlimit: [160, 164],
  move_pages: [279, 239],
  migrate_pages: [256, 238],
  unshare: [272, 97],
  setns: [308, 268],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  open_tree: [428, 428],
  move_mount: [429, 429],
  mount_setattr: [442, 442],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  io_setup: [206, 0],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  keyctl: [250, 219],
  add_key: [248, 217],
  request_key: [249, 218],
  memfd_create: [319, 279],
  memfd_secret: [447, 447],
  shmget: [29, 194],
  msgget: [68, 186],
  semget: [64, 190],
  mq_open: [240, 180],
  inotify_init1: [294, 26],
  inotify_add_watch: [254, 27],
  fanotify_init: [300, 262],
  chmod: [90, undefined],
  fchmod: [91, 52],
  fchmodat: [268, 53],
  fchmodat2: [452, 452],
  fchown: [93, 55],
  fchownat: [260, 54],
  utimensat: [280, 88],
  setxattr: [188, 5],
  fsetxattr: [190, 7],
  removexattr: [197, 14],
  setxattrat: [463, 463],
  file_setattr: [469, 469],
  truncate: [76, 45],
  mkdirat: [258, 34],
  unlinkat: [263, 35],
  symlinkat: [266, 36],
  linkat: [265, 37],
  renameat2: [316, 276],
  mknodat: [259, 33],
  init_module: [175, 105],
  finit_module: [313, 273],
  kexec_load: [246, 104],
  reboot: [169, 142],
  sethostname: [170, 161],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  personality: [135, 92],
  syslog: [103, 116],
  acct: [163, 89],
  swapon: [167, 224],
  quotactl: [179, 60],
  vmsplice: [278, 75],
  seccomp: [317, 277],
  flock: [73, 32],
  fsync: [74, 82],
  fdatasync: [75, 83],
  landlock_create_ruleset: [444, 444],
  landlock_add_rule: [445, 445],
  landlock_restrict_self: [446, 446],
  setuid: [105, 146],
  setgroups: [116, 159],
};

test.each(["x64", "arm64"] as const)("%s: calls that reach beyond the plugin are refused", (name) => {
  const program = seccompProgram(name);
  const passed = Object.entries(refused).filter(([, numbers]) => {
    const nr = numbers[name === "x64" ? 0 : 1];
    return nr !== undefined && run(program, { nr, arch: arch[name] }) !== eperm;
  });
  expect(passed.map(([call]) => call)).toEqual([]);
});

test.each(["x64", "arm64"] as const)("%s: every number has an answer, and most are a refusal", (name) => {
  const program = seccompProgram(name);
  const counts = new Map<number, number>();
  for (let nr = 0; nr <= 1_000; nr += 1) {
    const answer = run(program, { nr, arch: arch[name] });
    counts.set(answer, (counts.get(answer) ?? 0) + 1);
    if (nr > 470) expect(answer).toBe(enosys);
  }
  expect(new Set(counts.keys())).toEqual(new Set([allow, eperm, einval, enosys, enotty, zero]));
  expect(counts.get(allow)).toBeLessThan(190);
  expect(program.length / 8).toBeLessThan(400);
});

test.each(["x64", "arm64"] as const)("%s: another architecture's calls end the process", (name) => {
  const program = seccompProgram(name);
  const others = [arch[name === "x64" ? "arm64" : "x64"], 0x40000003, 0x40000028, 0];
  for (const other of others) for (let nr = 0; nr <= 500; nr += 1) expect(run(program, { nr, arch: other })).toBe(kill);
});

test("x64: the x32 form of any call ends the process", () => {
  const program = seccompProgram("x64");
  for (let nr = 0; nr <= 600; nr += 1) expect(run(program, { nr: 0x40000000 + nr, arch: arch.x64 })).toBe(kill);
  expect(run(program, { nr: 0xffffffff, arch: arch.x64 })).toBe(kill);
});

const numbers = {
  x64: { clone: 56, clone3: 435, openat2: 437, prlimit64: 302, fcntl: 72, ioctl: 16, prctl: 157 },
  arm64: { clone: 220, clone3: 435, openat2: 437, prlimit64: 261, fcntl: 25, ioctl: 29, prctl: 167 },
};

test.each(["x64", "arm64"] as const)("%s: what depends on arguments depends on exactly those", (name) => {
  const program = seccompProgram(name);
  const ask = (call: keyof (typeof numbers)["x64"], ...args: bigint[]) =>
    run(program, { nr: numbers[name][call], arch: arch[name], args });
  // A thread as glibc makes it, and a fork.
  expect(ask("clone", 0x3d0f00n)).toBe(allow);
  expect(ask("clone", 0x1200011n)).toBe(allow);
  for (const flag of [0x80n, 0x20000n, 0x2000000n, 0x4000000n, 0x8000000n, 0x10000000n, 0x20000000n, 0x40000000n])
    expect(ask("clone", 0x11n | flag)).toBe(eperm);
  for (const flag of [0x8000n, 0x2000n]) expect(ask("clone", 0x11n | flag)).toBe(eperm);
  expect(ask("clone3")).toBe(enosys);
  expect(ask("openat2")).toBe(enosys);
  expect(ask("prlimit64", 0n, 7n, 0n, 1n)).toBe(allow);
  expect(ask("prlimit64", 1n, 7n, 0n, 1n)).toBe(eperm);
  expect(ask("prlimit64", 0n, 7n, 4096n, 0n)).toBe(eperm);
  expect(ask("prlimit64", 0n, 7n, 1n << 32n, 0n)).toBe(eperm);
  for (const command of [6n, 7n, 37n, 38n, 8n, 10n, 15n, 1024n, 1026n, 1031n])
    expect(ask("fcntl", 1n, command)).toBe(eperm);
  for (const command of [0n, 1n, 2n, 3n, 4n, 5n, 1030n]) expect(ask("fcntl", 1n, command)).toBe(allow);
  // TIOCSTI, FIOSETOWN, SIOCSPGRP, FIOASYNC
  for (const request of [0x5412n, 0x8901n, 0x8902n, 0x5452n]) expect(ask("ioctl", 0n, request)).toBe(enotty);
  for (const request of [0x5421n, 0x5451n, 0x5401n]) expect(ask("ioctl", 0n, request)).toBe(allow);
  // PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER, PR_SET_MM, PR_SET_PTRACER, PR_SET_SECCOMP
  for (const option of [4n, 36n, 35n, 0x59616d61n, 22n]) expect(ask("prctl", option)).toBe(einval);
  expect(ask("prctl", 15n)).toBe(allow);
});

/** From the kernel's tables again. */
const memoryMap = { x64: 9, arm64: 222 };

test.each(["x64", "arm64"] as const)("%s: memory that no process's size shows cannot be mapped", (name) => {
  const program = seccompProgram(name);
  const map = (flags: bigint) =>
    run(program, { nr: memoryMap[name], arch: arch[name], args: [0n, 4096n, 3n, flags, (1n << 64n) - 1n, 0n] });
  const [shared, own, fixed, anonymous, noReserve, huge] = [1n, 2n, 0x10n, 0x20n, 0x4000n, 0x40000n];
  for (const flags of [own | anonymous, own | anonymous | noReserve | fixed, own, shared, shared | fixed])
    expect(map(flags)).toBe(allow);
  for (const flags of [shared | anonymous, 3n | anonymous, shared | anonymous | noReserve | fixed])
    expect(map(flags)).toBe(eperm);
  for (const flags of [own | anonymous | huge, shared | huge, own | huge | (21n << 26n)])
    expect(map(flags)).toBe(eperm);
});

const aboutProcesses = {
  x64: { getpgid: 121, getsid: 124, getaffinity: 204, getattr: 315, interval: 148 },
  arm64: { getpgid: 155, getsid: 156, getaffinity: 123, getattr: 275, interval: 127 },
};
const schedules = { x64: [143, 145], arm64: [121, 120] };
const priority = { x64: 140, arm64: 141 };
const clocks = { x64: [228, 229, 230, 222], arm64: [113, 114, 115, 107] };

test.each(["x64", "arm64"] as const)("%s: what tells of a process tells of the caller alone", (name) => {
  const program = seccompProgram(name);
  const ask = (nr: number, ...args: bigint[]) => run(program, { nr, arch: arch[name], args });
  for (const nr of Object.values(aboutProcesses[name])) {
    expect(ask(nr, 0n)).toBe(allow);
    for (const pid of [1n, 4711n, 0xffffffffn]) expect(ask(nr, pid)).toBe(enosys);
  }
  // The kernel is not asked: one answer for the caller's threads, for others, and for numbers nobody has.
  for (const nr of schedules[name]) for (const pid of [0n, 1n, 4711n, 0xffffffffn]) expect(ask(nr, pid)).toBe(zero);
  expect(ask(priority[name], 0n, 0n)).toBe(allow);
  // Another process, its group, and all of the user's.
  for (const [which, who] of [
    [0n, 1n],
    [1n, 0n],
    [2n, 0n],
  ] as const)
    expect(ask(priority[name], which, who)).toBe(eperm);
  const clockOf = (pid: bigint) => BigInt.asUintN(32, (~pid << 3n) | 2n);
  for (const nr of clocks[name]) {
    for (const clock of [0n, 1n, 2n, 3n, 7n]) expect(ask(nr, clock)).toBe(allow);
    for (const pid of [1n, 4711n]) expect(ask(nr, clockOf(pid))).toBe(einval);
    expect(ask(nr, BigInt.asUintN(64, (~1n << 3n) | 2n))).toBe(einval);
  }
});

test("the program is the same bytes every time", () => {
  expect(Buffer.from(seccompProgram("x64")).equals(Buffer.from(seccompProgram("x64")))).toBe(true);
  expect(Buffer.from(seccompProgram("x64")).equals(Buffer.from(seccompProgram("arm64")))).toBe(false);
});
