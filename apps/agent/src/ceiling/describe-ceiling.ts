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

/** Whoever allows a change also lets be told what it would change, and has to know it. */
export const whatIsTold =
  "The server may ask what these are like: it is told rules of a firewall table, hashes of files, and who is connected by SSH.";

/** `opened` are the directories that the kernel leaves open for these entries: for a single file, the one it stands in. */
export function warningsOf(ceiling: Ceiling, opened: readonly string[]): string[] {
  const written = entriesOf(ceiling).filter(({ kind }) => kind === "file.write");
  const equal = written.filter(equalsRoot).map(({ target }) => target);
  const wide = opened.filter((path) => !equal.includes(path) && equalsRoot({ kind: "file.write", target: path }));
  return [
    ...equal.map(
      (path) => `Warning: file.write:${path} equals root: whoever writes there can become root of this host.`,
    ),
    ...wide.map(
      (path) =>
        `Warning: the kernel leaves all of ${path} open to the helper; only its own check is as narrow as the entry.`,
    ),
  ];
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
  return ["managed: plans may do this on this host, and nothing else:", ...lines, whatIsTold, nothingAppliesYet];
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
