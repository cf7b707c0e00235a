import type { Ceiling } from "./ceiling.ts";
import { type CeilingEntry, parseCeilingEntry } from "./ceiling-entry.ts";
import { type CeilingKind, ceilingKinds } from "./kinds.ts";
import { equalsRoot } from "./protected.ts";

/** The ceiling in words; the first line is the answer. */
export function describeCeiling(ceiling: Ceiling): string[] {
  return [...describeLevel(ceiling), ...describeReading(ceiling), ...describeTerminal(ceiling)];
}

/** Said whenever a ceiling that allows changes is shown: it is a promise of the host's root, and nothing uses it yet. */
export const nothingAppliesYet =
  "No change can be applied by this version of the agent: what is allowed here counts from the version that can.";

export function warningsOf(ceiling: Ceiling): string[] {
  return entriesOf(ceiling)
    .filter(equalsRoot)
    .map(
      ({ target }) => `Warning: file.write:${target} equals root: whoever writes there can become root of this host.`,
    );
}

export function entriesOf(ceiling: Ceiling): CeilingEntry[] {
  if (ceiling.level === "monitor") return [];
  return ceiling.allow.flatMap((text) => {
    const parsed = parseCeilingEntry(text);
    return "wrong" in parsed ? [] : [parsed];
  });
}

function describeLevel(ceiling: Ceiling): string[] {
  if (ceiling.level === "monitor") return ["monitor: nothing may be changed on this host."];
  const lines = entriesOf(ceiling).map(({ kind, target }) => {
    const row: CeilingKind = ceilingKinds[kind];
    return `  - ${row.says(target)}`;
  });
  return ["managed: plans may do this on this host, and nothing else:", ...lines, nothingAppliesYet];
}

function describeReading({ read }: Ceiling): string[] {
  if (read === undefined || read.logs.length === 0) return ["No log of this host may be read from afar."];
  return [`These logs may be read from afar: ${read.logs.join(", ")}.`];
}

function describeTerminal({ terminal }: Ceiling): string[] {
  if (terminal === undefined) return ["No terminal may be opened from afar."];
  const relayed = terminal.modes.includes("relay") ? ", also through the server, which then reads and types too" : "";
  return [`A terminal may be opened from afar as the user ${terminal.user}${relayed}.`];
}
