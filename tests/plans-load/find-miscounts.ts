import type { HostEnd } from "@gatehouse/contract";
import type { Plan, PlanTask, PlanWaves } from "@gatehouse/contract/routes";
import type { HostChange } from "./changes.ts";

/** One plan after its run, as everybody who took part in it tells it. */
export interface Told {
  readonly plan: Plan;
  readonly tasks: readonly PlanTask[];
  readonly waves: PlanWaves["items"];
  readonly entries: readonly LogEntry[];
  readonly changes: readonly HostChange[];
  /** How each host was meant to end, by its node. */
  readonly meant: ReadonlyMap<string, HostEnd>;
}

export interface LogEntry {
  readonly action: string;
  readonly subject: string;
  readonly detail?: unknown;
}

export type Counts = Readonly<Record<string, number>>;

/** Where they do not tell the same: each a sentence. */
export function findMiscounts({ plan, tasks, waves, entries, changes, meant }: Told): string[] {
  const problems: string[] = [];
  const same = (what: string, found: unknown, expected: unknown) => {
    const [one, other] = [JSON.stringify(found), JSON.stringify(expected)];
    if (one !== other) problems.push(`${what}: expected ${other}, found ${one}`);
  };
  const expected = countEach([...meant.values()]);
  same("the plan's state", plan.state, "done");
  same("the plan's own count", sorted(plan.ended ?? {}), expected);
  same("the tasks of the server", countEach(tasks.map(({ state }) => state)), expected);
  same("the tasks in the waves", sumOf(waves.map((wave) => wave.tasks)), expected);
  same("waves that have not ended", waves.filter(({ state }) => state !== "ended").length, 0);
  const ended = entries.filter(({ action }) => action === "task.ended");
  same("the audit log", countEach(ended.map(({ detail }) => (detail as { state: string }).state)), expected);
  same("the hosts", countEach(changes.flatMap(({ ends }) => ends)), expected);
  for (const action of ["plan.created", "plan.offered", "plan.approved", "plan.started", "plan.done"]) {
    same(`entries ${action}`, entries.filter((entry) => entry.action === action).length, 1);
  }
  const taskOf = new Map(tasks.map((task) => [task.node, task]));
  const sentTo = Map.groupBy(entries, ({ action, subject }) => `${action} ${subject}`);
  same("tasks for one host each", taskOf.size, meant.size);
  for (const { node, tasks: heard, ends, isKept } of changes) {
    const task = taskOf.get(node);
    same(`${node}: its task`, heard, [task?.id]);
    same(`${node}: its end`, [ends, task?.state, isKept], [[meant.get(node)], meant.get(node), true]);
    for (const action of ["task.sent", "task.ended"]) {
      same(`${node}: entries ${action}`, sentTo.get(`${action} node/${node}`)?.length, 1);
    }
  }
  return problems;
}

/** Waves whose first host was told of its task before the last of the wave before had ended. */
export function findEarlyWaves({ tasks, changes }: Pick<Told, "tasks" | "changes">): string[] {
  const changeOf = new Map(changes.map((change) => [change.node, change]));
  const waves = [...Map.groupBy(tasks, ({ wave }) => wave)]
    .toSorted(([a], [b]) => a - b)
    .map(([wave, own]) => ({ wave, hosts: own.flatMap(({ node }) => changeOf.get(node) ?? []) }));
  return waves.slice(1).flatMap(({ wave, hosts }, before) => {
    const last = Math.max(...(waves[before]?.hosts ?? []).map(({ endedAt }) => endedAt));
    const early = hosts.filter(({ offeredAt }) => offeredAt < last).length;
    return early === 0 ? [] : [`wave ${wave + 1} began for ${early} hosts before the one before had ended`];
  });
}

export function countEach(words: readonly string[]): Counts {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return sorted(counts);
}

function sumOf(all: readonly Partial<Counts>[]): Counts {
  return countEach(
    all.flatMap((one) => Object.entries(one).flatMap(([word, count = 0]) => Array<string>(count).fill(word))),
  );
}

function sorted(counts: Partial<Counts>): Counts {
  return Object.fromEntries(
    Object.entries(counts)
      .flatMap(([word, count]) => (count === undefined || count === 0 ? [] : [[word, count] as const]))
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}
