import type { JournalKind } from "../../apps/agent/src/safety/journal-record.ts";
import { until } from "../support/until.ts";
import { lookMs, untilJournal } from "./change-on-host.ts";
import type { ManagedHost } from "./managed-host.ts";

/** Gone when the power is cut, so that nothing is held when the host boots. */
const directory = "/run/lab";

/** Waits as long as the newest record of the journal is of the kind that is held, or it is started with the words that are, then runs the program. */
const script = `#!/bin/sh
newest() { tail -qc 2000 /var/lib/gatehouse/journal/[0-9]* | grep -ao '"kind": "[a-z-]*"' | tail -n 1; }
isAfter() { [ -e ${directory}/hold ] && [ "$(newest)" = "\\"kind\\": \\"$(cat ${directory}/hold)\\"" ]; }
isWith() { [ -e ${directory}/words ] && case "\${0##*/} $*" in "$(cat ${directory}/words)"*) true ;; *) false ;; esac }
while isAfter || isWith "$@"; do
  sleep 0.05
done
exec "$(readlink -f "$0").real" "$@"
`;

/** Puts something before programs of a host that can hold them. What the lab runs itself is held too. */
export async function holdable(host: ManagedHost, ...programs: readonly string[]): Promise<void> {
  for (const name of programs) {
    const program = (await host.shell(`readlink -f ${name}`)).trim();
    await host.shell(`mv ${program} ${program}.real`);
    await host.write(program, script, "755");
  }
}

/** From now on whatever starts one of them after such a record waits. */
export async function hold(host: ManagedHost, after: JournalKind): Promise<void> {
  await host.write(`${directory}/hold`, after);
}

/** Waits until somebody is held after a record beyond this number. */
export async function untilHeld(host: ManagedHost, kind: JournalKind, beyond: number): Promise<void> {
  await untilJournal(host, kind, beyond);
  const isHeld = async () => (await host.run("pgrep", "--full", "^/bin/sh /usr/s?bin/")).code === 0;
  await until(`somebody waits after ${kind} on ${host.name}`, isHeld, lookMs);
}

/** From now on one of them that is started with words that begin so waits: `wg setconf`. */
export async function holdStart(host: ManagedHost, words: string): Promise<void> {
  await host.write(`${directory}/words`, words);
}

export async function untilStartHeld(host: ManagedHost, words: string): Promise<void> {
  const isHeld = async () => (await host.run("pgrep", "--full", `^/bin/sh /usr/s?bin/${words}`)).code === 0;
  await until(`${words} waits on ${host.name}`, isHeld, lookMs);
}

export async function release(host: ManagedHost): Promise<void> {
  await host.shell(`rm -f ${directory}/hold`);
}
