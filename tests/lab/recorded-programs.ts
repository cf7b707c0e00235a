import type { ManagedHost } from "./managed-host.ts";

/** The only place where the helper, the boot and what takes changes back may all write. */
const file = "/var/lib/gatehouse/started-by-lab";

/** Writes down each word, then runs the program. A unit that may write nothing there is not the agent's. */
const script = `#!/bin/sh
{ printf '%s\\037' "\${0##*/}" "$@" && printf '\\n'; } 2>/dev/null >> ${file}
exec "$(readlink -f "$0").real" "$@"
`;

/** From now on every start of one of these programs is written down. */
export async function recordPrograms(host: ManagedHost, ...programs: readonly string[]): Promise<void> {
  for (const name of programs) {
    const program = (await host.shell(`readlink -f ${name}`)).trim();
    await host.shell(`mv ${program} ${program}.real`);
    await host.write(program, script, "755");
  }
}

/** What was started since it was last asked, each list of words once. */
export async function takeStarted(host: ManagedHost): Promise<ReadonlySet<string>> {
  const lines = (await host.shell(`cat ${file} && rm ${file}`)).split("\n").filter(Boolean);
  return new Set(lines.map((line) => JSON.stringify(line.split("\u001f").slice(0, -1))));
}
