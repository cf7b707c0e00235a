import { fault } from "@gatehouse/contract/faults";
import type { RunOnHost } from "./run-on-host.ts";

export interface HostCheck {
  readonly name: string;
  /** `missing` is worth a word and keeps nothing from working yet; `unfit` does. */
  readonly verdict: "good" | "missing" | "unfit";
  readonly found: string;
  /** What to do; empty when it is good. */
  readonly todo: string;
}

interface Floor {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  /** The version in what the command prints. */
  readonly version: RegExp;
  readonly least: string;
  readonly why: string;
  /** Whether the agent can do without. */
  readonly optional: boolean;
}

/** What a host must have. The floors are those of Debian 11, the oldest that any of this was built for. */
const floors: readonly Floor[] = [
  {
    name: "systemd",
    command: ["systemctl", "--version"],
    version: /^systemd (\d+)/,
    least: "247",
    why: "its units are what keeps the two parts of the agent apart",
    optional: false,
  },
  {
    name: "glibc",
    command: ["getconf", "GNU_LIBC_VERSION"],
    version: /^glibc (\d+\.\d+)/,
    least: "2.17",
    why: "the agent is compiled against it",
    optional: false,
  },
  {
    name: "nft",
    command: ["nft", "--version"],
    version: /^nftables v(\d+\.\d+\.\d+)/,
    least: "0.9.8",
    why: "plans for a firewall are checked and applied with it",
    optional: true,
  },
];

export async function checkHost(run: RunOnHost): Promise<HostCheck[]> {
  const checks: HostCheck[] = [];
  for (const floor of floors) checks.push(judge(floor, await run(floor.command[0], floor.command.slice(1))));
  return checks;
}

/** Refuses a host on which the agent could not keep its promises, before anything is written. */
export async function needFitHost(run: RunOnHost): Promise<HostCheck[]> {
  const checks = await checkHost(run);
  const unfit = checks.filter(({ verdict }) => verdict === "unfit");
  if (unfit.length > 0) throw fault("host.unsuitable", unfit.map(({ found, todo }) => `${found}. ${todo}`).join(" "));
  return checks;
}

function judge(floor: Floor, { code, stdout }: { readonly code: number | null; readonly stdout: string }): HostCheck {
  const { name, least, why, optional } = floor;
  const version = code === 0 ? floor.version.exec(stdout)?.[1] : undefined;
  if (version === undefined) {
    const verdict = optional ? "missing" : "unfit";
    return { name, verdict, found: `${name} was not found`, todo: `Install ${name} ${least} or newer: ${why}.` };
  }
  if (isOlder(version, least)) {
    const found = `${name} ${version} is too old, expected ${least} or newer`;
    return { name, verdict: "unfit", found, todo: `Update ${name}: ${why}.` };
  }
  return { name, verdict: "good", found: `${name} ${version}`, todo: "" };
}

/** By their numbers, part by part. */
export function isOlder(version: string, least: string): boolean {
  const [have, want] = [version, least].map((text) => text.split(".").map(Number));
  for (const [index, wanted] of (want ?? []).entries()) {
    const found = have?.[index] ?? 0;
    if (found !== wanted) return found < wanted;
  }
  return false;
}
