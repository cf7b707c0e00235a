import type { ManagedHost } from "./managed-host.ts";

/**
 * Where the agent and systemd write while a host lives: what each of the two parts keeps, logs, what is gone after a restart, and what
 * the lab itself has put there.
 */
const written = [
  "/var/lib/gatehouse",
  "/var/lib/private/gatehouse-agent",
  "/var/lib/systemd",
  "/var/log/journal",
  "/var/tmp",
  "/opt/lab",
  "/tmp",
];

/** All of a host that a server would like to change: every file with its rights and when it was written, the rules of the kernel, the units. */
export async function readOutside(host: ManagedHost): Promise<ReadonlyMap<string, string>> {
  const pruned = written.map((path) => `-path ${path}`).join(" -o ");
  const form = "%p\\t%y %m %U:%G %s bytes, written %T@ as %i, %l\\n";
  // Directories change with the names of temporary files; what stands in them is looked at anyway.
  const files = await host.shell(`find / -xdev \\( ${pruned} \\) -prune -o ! -type d -printf '${form}'`);
  const rules = await host.shell("nft -s list ruleset");
  const units = await host.shell("systemctl list-unit-files --no-legend --no-pager --plain");
  const timers = await host.shell("systemctl list-units --type=timer --all --no-legend --no-pager --plain");
  return new Map([
    ...files
      .split("\n")
      .filter(Boolean)
      .map((line) => line.split("\t") as [string, string]),
    ["the ruleset", rules],
    ["the unit files", units],
    ["the timers", timers],
  ]);
}

/** What is otherwise than before, a sentence each. */
export async function findOutsideChanges(host: ManagedHost, before: ReadonlyMap<string, string>): Promise<string[]> {
  const after = await readOutside(host);
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => `${name} was ${before.get(name) ?? "absent"}, is ${after.get(name) ?? "absent"}`);
}
