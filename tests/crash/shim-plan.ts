import type { Random } from "../support/random.ts";

/** Operations the shim knows, with what it can do to each. Killing needs no repetition; short and tear make sense only for bytes. */
const attempts = {
  write: [
    ["eio", "once"],
    ["eio", "forever"],
    ["enospc", "once"],
    ["enospc", "forever"],
    ["short", "once"],
    ["tear", "once"],
    ["kill_before", "once"],
    ["kill_after", "once"],
  ],
  fsync: [
    ["eio", "once"],
    ["eio", "forever"],
    ["enospc", "once"],
    ["kill_before", "once"],
    ["kill_after", "once"],
  ],
  rename: [
    ["eio", "once"],
    ["enospc", "once"],
    ["kill_before", "once"],
    ["kill_after", "once"],
  ],
  truncate: [
    ["eio", "once"],
    ["kill_before", "once"],
    ["kill_after", "once"],
  ],
} as const;

export type ShimOp = keyof typeof attempts;

export interface Attempt {
  readonly flow: string;
  readonly op: ShimOp;
  /** Which operation of its kind, from 1. */
  readonly nth: number;
  readonly path: string;
  readonly mode: string;
  readonly last: string;
}

/** Every attempt on every operation a dry run counted ("!op write thread /path"). */
export function planAttempts(flow: string, lines: readonly string[]): Attempt[] {
  const counts = new Map<ShimOp, number>();
  const planned: Attempt[] = [];
  for (const line of lines) {
    const [, name, path] = /^!op (\w+) \S+ (.*)$/.exec(line) ?? [];
    if (name === undefined || path === undefined) continue;
    const op = name as ShimOp;
    const nth = (counts.get(op) ?? 0) + 1;
    counts.set(op, nth);
    // SQLite's shared memory is not data: it is made anew at every start.
    if (path.endsWith("-shm")) continue;
    for (const [mode, last] of attempts[op]) planned.push({ flow, op, nth, path, mode, last });
  }
  return planned;
}

/** `count` of the attempts: on the first and the last operation of each kind and flow in any case, then on any. */
export function chooseAttempts(all: readonly Attempt[], count: number, random: Random): Attempt[] {
  const edges = new Set<Attempt>();
  for (const group of Map.groupBy(all, ({ flow, op }) => `${flow} ${op}`).values()) {
    const last = group.at(-1)?.nth;
    edges.add(random.pick(group.filter(({ nth }) => nth === group[0]?.nth)));
    edges.add(random.pick(group.filter(({ nth }) => nth === last)));
  }
  const rest = all.filter((attempt) => !edges.has(attempt));
  for (let index = rest.length - 1; index > 0; index -= 1) {
    const other = random.below(index + 1);
    [rest[index], rest[other]] = [rest[other] as Attempt, rest[index] as Attempt];
  }
  return [...edges, ...rest.slice(0, Math.max(0, count - edges.size))];
}
