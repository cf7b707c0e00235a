import type { HostRun, RunOnHost } from "../src/host/run-on-host.ts";

type Answers = Readonly<Record<string, Partial<HostRun> | undefined>>;

const good = {
  "systemctl --version": { stdout: "systemd 257 (257.8-1)\n+PAM\n" },
  "getconf GNU_LIBC_VERSION": { stdout: "glibc 2.41\n" },
  "nft --version": { stdout: "nftables v1.1.3 (Commodore Bullmoose #4)\n" },
  "timedatectl show --property=NTPSynchronized --value": { stdout: "yes\n" },
} as const;

/**
 * A host whose programs are a table: the longest beginning of the line that is known answers, everything else ends well and says
 * nothing. `undefined` is a program that is not there. What was run is kept in its order.
 */
export function recordedHost(answers: Answers = {}): { readonly run: RunOnHost; readonly lines: string[] } {
  const table: Answers = { ...good, ...answers };
  const lines: string[] = [];
  const run: RunOnHost = async (program, args) => {
    const line = [program, ...args].join(" ");
    lines.push(line);
    const known = Object.keys(table)
      .filter((beginning) => line.startsWith(beginning))
      .toSorted((one, other) => other.length - one.length)[0];
    if (known === undefined) return { code: 0, stdout: "", stderr: "" };
    const answer = table[known];
    return answer === undefined
      ? { code: null, stdout: "", stderr: "not found" }
      : { code: 0, stdout: "", stderr: "", ...answer };
  };
  return { run, lines };
}

/** What `systemctl show` prints for a unit. */
export function shownUnit(active: string, load = "loaded"): { readonly stdout: string } {
  const sub = active === "active" ? "running" : "dead";
  return {
    stdout: `LoadState=${load}\nActiveState=${active}\nSubState=${sub}\nUnitFileState=enabled\nActiveEnterTimestamp=\nNRestarts=2\n`,
  };
}
