import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import type { AttackedMachine } from "./attacked-machine.ts";

/** Somebody has given the manager of the host an environment: every unit has it that does not unset it. */
export const withEnvironment =
  (environment: Readonly<Record<string, string>>) =>
  async ({ host, undo }: AttackedMachine): Promise<void> => {
    const set = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
    undo.push(() => host.run("systemctl", "unset-environment", ...Object.keys(environment)));
    await host.run("systemctl", "set-environment", ...set);
  };

/** Where somebody has laid programs that leave a trace. */
export const evilPlace = "/opt/lab/evil";
const trace = "/etc/evil-was-here";

/** Programs of the host's own names, a library and a script, each of which writes what no change names. */
export function layEvilPrograms({ host, undo }: AttackedMachine): void {
  undo.push(() => rmSync(host.place(trace), { force: true }));
  mkdirSync(host.place(evilPlace), { recursive: true });
  for (const name of ["nft", "systemctl", "systemd-run"]) {
    writeFileSync(host.place(`${evilPlace}/${name}`), `#!/bin/sh\ntouch ${trace}\n`, { mode: 0o755 });
  }
  writeFileSync(host.place(`${evilPlace}/preload.js`), `require("node:fs").writeFileSync("${trace}", "");\n`);
}
