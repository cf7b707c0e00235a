import { acceptsOf, type Ceiling, keepOf, logsOf, sentLogsOf } from "./ceiling.ts";
import { type CeilingEntry, parseCeilingEntry } from "./ceiling-entry.ts";
import { type CeilingKind, ceilingKinds } from "./kinds.ts";
import { equalsRoot } from "./protected.ts";

/** The ceiling in words; the first line is the answer. */
export function describeCeiling(ceiling: Ceiling): string[] {
  return [
    ...describeLevel(ceiling),
    ...describeReading(ceiling),
    ...describeSending(ceiling),
    ...describeTerminal(ceiling),
  ];
}

/** Whose word counts, in words. */
export const acceptsWords = {
  none: "Nobody's word counts: this host takes no change until its root says who approves, with ceiling set and --approver.",
  signed:
    "Only approvers of the trust file count: without their signatures this host takes no change, whatever its server says.",
  server:
    "The server's word counts: whoever has the server can change what the ceiling lists, without anybody's signature.",
} as const satisfies Record<ReturnType<typeof acceptsOf>, string>;

/** Whoever allows a change also lets be told what it would change, and has to know it. */
export const whatIsTold =
  "The server may ask what these are like: it is told rules of a firewall table, addresses and peers of an interface, hashes of files, who is connected by SSH, and who approves.";

const serverTrusted =
  "Warning: this host trusts its server: whoever has the server, also by theft, can change everything that the ceiling lists.";

/** `opened` are the directories that the kernel leaves open for these entries: for a single file, the one it stands in. */
export function warningsOf(ceiling: Ceiling, opened: readonly string[]): string[] {
  const written = entriesOf(ceiling).filter(({ kind }) => kind === "file.write");
  const equal = written.filter(equalsRoot).map(({ target }) => target);
  const wide = opened.filter((path) => !equal.includes(path) && equalsRoot({ kind: "file.write", target: path }));
  return [
    ...(acceptsOf(ceiling) === "server" ? [serverTrusted] : []),
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
  const lines = entriesOf(ceiling).map(({ kind, target, publisher }) => {
    const row: CeilingKind = ceilingKinds[kind];
    const whose = publisher === undefined ? "" : `: ${publisher}, and no other`;
    return `  - ${row.says(target)}${whose}`;
  });
  return [
    "managed: plans may do this on this host, and nothing else:",
    ...lines,
    acceptsWords[acceptsOf(ceiling)],
    describeKeep(keepOf(ceiling)),
    whatIsTold,
  ];
}

function describeKeep(keep: readonly string[]): string {
  if (keep.length === 0) return "A firewall table may close everything, SSH too.";
  return `Every firewall table has to leave open: ${keep.join(", ")}.`;
}

function describeReading(ceiling: Ceiling): string[] {
  const logs = logsOf(ceiling);
  if (logs.length === 0) return ["No log of this host may be read from afar."];
  return [
    `These logs may be read from afar: ${logs.join(", ")}. Lines that a plan reads leave this host, and its server keeps them.`,
  ];
}

/** Whoever allows it has to know that it goes on all the time, and what a thief of the server could have. */
function describeSending(ceiling: Ceiling): string[] {
  const logs = sentLogsOf(ceiling);
  if (logs.length === 0) return ["No log of this host is sent to its server."];
  return [
    `Lines of these logs leave this host as they are written, and its server keeps them: ${logs.join(", ")}. Whoever has the server, also by theft, could have them from their beginning, with the earlier files beside them.`,
  ];
}

function describeTerminal({ terminal }: Ceiling): string[] {
  if (terminal === undefined) return ["No terminal may be opened from afar."];
  const relayed = terminal.modes.includes("relay") ? ", also through the server, which then reads and types too" : "";
  return [`A terminal may be opened from afar as the user ${terminal.user}${relayed}.`];
}
