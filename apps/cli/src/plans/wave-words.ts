import { count } from "@gatehouse/command-line";
import type { PlanHaltRule } from "@gatehouse/contract";
import type { PlanWave, PlanWaves } from "@gatehouse/contract/routes";

/** Where a wave stands, in the server's words: what each host has signed is told of its task. */
export function sayWave({ index, kind, tag, nodes, state, tasks }: PlanWave, waves: number): string {
  const of = { canary: "canary, ", tag: `tag ${tag}, `, rest: "" }[kind];
  const name = `wave ${index + 1} of ${waves} (${of}${count(nodes, "host")})`;
  const counts = Object.entries(tasks).map(([word, number]) => `${number} ${word}`);
  if (state === "ended") return `${name} has ended: ${counts.join(", ")}`;
  return state === "open" ? `${name} is open` : `${name} is shut`;
}

/** Of a plan that runs in waves; of one in which all hosts are in one, when it halts alone. */
export function wavesLines({ items, halt }: PlanWaves): string[] {
  const shown = items.length > 1 ? items.map((wave) => sayWave(wave, items.length)) : [];
  return halt === null ? shown : [...shown, `halts by itself ${sayHalt(halt)}`];
}

function sayHalt(halt: PlanHaltRule): string {
  const hosts =
    "percent" in halt ? `${halt.percent} % of the hosts of a wave` : `${count(halt.after, "host")} of a wave`;
  return `when ${hosts} ${"after" in halt && halt.after === 1 ? "has" : "have"} not kept the change`;
}
