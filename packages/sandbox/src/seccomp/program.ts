import { assemble, bpf, type Instruction } from "./assemble.ts";
import {
  aboutItself,
  absentCalls,
  allowedCalls,
  judgedCalls,
  lastKnownCall,
  namedClocks,
  type Numbers,
  schedules,
} from "./system-calls.ts";

export type Architecture = "x64" | "arm64";

/** The filter every plugin runs under, as bytes for the kernel. Pure: the same architecture gives the same bytes. */
export function seccompProgram(architecture: Architecture): Uint8Array {
  return assemble(instructions(architecture));
}

/** Numbers of the kernel's interface: `linux/audit.h`, `linux/seccomp.h`, `asm-generic/errno-base.h`. */
const auditNames: Record<Architecture, number> = { x64: 0xc000003e, arm64: 0xc00000b7 };
const columns: Record<Architecture, 0 | 1> = { x64: 0, arm64: 1 };
const firstX32Call = 0x40000000;
const allow = 0x7fff0000;
const killProcess = 0x80000000;
const refuse = (errno: number): number => 0x00050000 | errno;
/** A refusal with no error: the call is not carried out, and returns 0. */
const zero = refuse(0);
const permission = refuse(1);
const invalid = refuse(22);
const notATerminal = refuse(25);
const noSuchCall = refuse(38);

/** Where `struct seccomp_data` keeps what is judged. Arguments are 64 bits, the low half first. */
const offsets = { number: 0, architecture: 4, low: (argument: number) => 16 + 8 * argument };

/** CLONE_NEW*, and CLONE_PARENT and CLONE_PTRACE: a child is the plugin's own and nobody else's to reap. */
const refusedCloneFlags = 0x7e020000 | 0x80 | 0x8000 | 0x2000;
/**
 * What setpriv still does after the filter is loaded, and what libraries do to themselves: names, no new rights. Not the slack of
 * timers (29), and not being dumpable (4): one that is not hides its memory maps from the watch.
 */
const allowedPrctl = [1, 3, 8, 15, 16, 21, 23, 24, 27, 30, 38, 39, 41, 42, 47, 54, 55, 56, 0x53564d41];
/** F_SETOWN, F_SETSIG and F_SETOWN_EX would send a signal of choice to any process of the same user; then leases, notes, pipe sizes. Locks (6, 7, 37, 38): no limit counts them. */
const refusedFcntl = [6, 7, 8, 10, 15, 37, 38, 1024, 1026, 1031];
/** Non-blocking, close-on-exec, bytes waiting, and asking whether it is a terminal. FIOSETOWN and TIOCSTI are not here. */
const allowedIoctl = [0x541b, 0x5421, 0x5450, 0x5451, 0x5401, 0x5413, 0x540f, 0x802c542a];

/** MAP_SHARED with MAP_ANONYMOUS is memory that leaves a process's size when it is told to; MAP_HUGETLB was never in it. */
const mapFlags = { shared: 0x01, anonymous: 0x20, huge: 0x40000 };
const firstNegative = 0x80000000;

function instructions(architecture: Architecture): Instruction[] {
  const of = (numbers: Numbers): number | undefined => numbers[columns[architecture]];
  return [
    bpf.load(offsets.architecture),
    bpf.ifEqual(auditNames[architecture], 1, 0),
    bpf.answer(killProcess),
    bpf.load(offsets.number),
    ...(architecture === "x64" ? [bpf.ifAtLeast(firstX32Call, 0, 1), bpf.answer(killProcess)] : []),
    ...judged(of(judgedCalls.clone), [
      bpf.load(offsets.low(0)),
      bpf.ifAnyBit(refusedCloneFlags, 0, 1),
      bpf.answer(permission),
      bpf.answer(allow),
    ]),
    ...judged(of(judgedCalls.prctl), oneOf(0, allowedPrctl, { listed: allow, other: invalid })),
    ...judged(of(judgedCalls.fcntl), oneOf(1, refusedFcntl, { listed: permission, other: allow })),
    ...judged(of(judgedCalls.ioctl), oneOf(1, allowedIoctl, { listed: allow, other: notATerminal })),
    ...judged(of(judgedCalls.prlimit64), readOwnLimit()),
    ...judged(of(judgedCalls.mmap), [
      bpf.load(offsets.low(3)),
      bpf.ifAnyBit(mapFlags.huge, 2, 0),
      bpf.ifAnyBit(mapFlags.anonymous, 0, 2),
      bpf.ifAnyBit(mapFlags.shared, 0, 1),
      bpf.answer(permission),
      bpf.answer(allow),
    ]),
    // PRIO_PROCESS is 0 too.
    ...judged(of(judgedCalls.getpriority), [
      bpf.load(offsets.low(0)),
      bpf.ifEqual(0, 0, 2),
      bpf.load(offsets.low(1)),
      bpf.ifEqual(0, 1, 0),
      bpf.answer(permission),
      bpf.answer(allow),
    ]),
    // As if the kernel did not have it: the C library asks about its own thread by number and takes no other refusal.
    ...Object.values(aboutItself).flatMap((numbers) =>
      judged(of(numbers), oneOf(0, [0], { listed: allow, other: noSuchCall })),
    ),
    ...Object.values(schedules).flatMap((numbers) => judged(of(numbers), [bpf.answer(zero)])),
    ...Object.values(namedClocks).flatMap((numbers) =>
      judged(of(numbers), [
        bpf.load(offsets.low(0)),
        bpf.ifAtLeast(firstNegative, 0, 1),
        bpf.answer(invalid),
        bpf.answer(allow),
      ]),
    ),
    ...table(of),
  ];
}

/** The block runs for this call only and must end in an answer. */
function judged(number: number | undefined, block: readonly Instruction[]): Instruction[] {
  return number === undefined ? [] : [bpf.ifEqual(number, 0, block.length), ...block];
}

function oneOf(argument: number, values: readonly number[], answers: { listed: number; other: number }): Instruction[] {
  return [
    bpf.load(offsets.low(argument)),
    ...values.map((value, index) => bpf.ifEqual(value, values.length - index, 0)),
    bpf.answer(answers.other),
    bpf.answer(answers.listed),
  ];
}

/** prlimit64(0, …, NULL, …): how the C library reads a limit. Setting one, or naming another process, is refused. */
function readOwnLimit(): Instruction[] {
  return [
    bpf.load(offsets.low(0)),
    bpf.ifEqual(0, 0, 5),
    bpf.load(offsets.low(2)),
    bpf.ifEqual(0, 0, 3),
    bpf.load(offsets.low(2) + 4),
    bpf.ifEqual(0, 0, 1),
    bpf.answer(allow),
    bpf.answer(permission),
  ];
}

/** Every number up to the last known one, as ranges of equal answers. */
function table(of: (numbers: Numbers) => number | undefined): Instruction[] {
  const answers = Array.from({ length: lastKnownCall + 1 }, () => permission);
  for (const [calls, answer] of [
    [allowedCalls, allow],
    [absentCalls, noSuchCall],
  ] as const) {
    for (const numbers of Object.values(calls)) {
      const number = of(numbers);
      if (number !== undefined) answers[number] = answer;
    }
  }
  const ranges = answers.flatMap((answer, number) =>
    answer === answers[number + 1] ? [] : [{ answer, last: number }],
  );
  return [
    ...ranges.flatMap(({ answer, last }) => [bpf.ifAbove(last, 1, 0), bpf.answer(answer)]),
    bpf.answer(noSuchCall),
  ];
}
