import { dirname } from "node:path";
import { until } from "../support/until.ts";
import { agentUnit, helperUnit } from "./agent-on-host.ts";
import { journalOn, lookMs } from "./change-on-host.ts";
import { release } from "./held-programs.ts";
import { labProgram } from "./lab-programs.ts";
import { labPlace } from "./lab-service.ts";
import type { ApprovedHost } from "./managed-lab.ts";

/** What may happen to a host in the middle of a change. */
export interface Fault {
  /** Whether the change can still be proved afterwards, within its window. */
  readonly leavesWay: boolean;
  /** Whether the host boots, which only a host with a disk of its own can. */
  readonly boots: boolean;
  readonly hit: (scene: FaultScene) => Promise<void>;
  /** How long it lasts before it is healed; where nothing says so, until the change has ended. */
  readonly last?: (scene: FaultScene) => Promise<void>;
  readonly heal?: (scene: FaultScene) => Promise<void>;
}

export interface FaultScene {
  readonly on: ApprovedHost;
  /** The newest record before the change. */
  readonly start: number;
}

/** What the agent keeps, and the files that are changed. */
const disks = ["/var/lib/gatehouse", labPlace, dirname(labProgram)];
const fillers = disks.map((disk) => `${disk}/filler`);
/** What the lab calls itself is never held. */
const systemctl = "/usr/bin/systemctl.real";

const kill = (unit: string) => async (scene: FaultScene) => {
  await scene.on.host.run(systemctl, "kill", "--kill-whom=all", "--signal=KILL", unit);
};

export const faults = {
  "the agent is killed": { leavesWay: true, boots: false, hit: kill(agentUnit) },
  "the helper is killed": { leavesWay: true, boots: false, hit: kill(helperUnit) },
  "the host restarts": {
    leavesWay: true,
    boots: true,
    hit: async ({ on }) => {
      const restarted = on.host.restart();
      // Nobody could halt with a program that is held. It may be halted already.
      await release(on.host).catch(() => undefined);
      await restarted;
    },
  },
  "the power is cut": { leavesWay: true, boots: true, hit: ({ on }) => on.host.cutPower() },
  "the disk is full": {
    leavesWay: true,
    boots: false,
    hit: async ({ on: { host } }) => {
      for (const filler of fillers) await host.run("sh", "-c", `dd if=/dev/zero of=${filler} bs=4096 2>/dev/null`);
    },
    last: untilItWasFull,
    heal: async ({ on: { host } }) => {
      await host.shell(`rm -f ${fillers.join(" ")}`);
    },
  },
  "the wire is cut": {
    leavesWay: false,
    boots: false,
    hit: ({ on }) => on.host.cut("both"),
    heal: ({ on }) => on.host.mend(),
  },
  "the server is gone": {
    leavesWay: false,
    boots: false,
    hit: ({ on }) => on.host.loseServer(),
    heal: ({ on }) => on.host.findServer(),
  },
  "the clock jumps": {
    leavesWay: true,
    boots: false,
    hit: ({ on }) => on.host.setClock("+40d"),
    heal: async ({ on }) => {
      await on.host.setClock("+0");
      // What the helper has lived through is not forgotten with the clock: root says that it was wrong.
      await on.host.shell(`${systemctl} stop ${helperUnit} && gatehouse-agent clock reset`);
    },
  },
} as const satisfies Record<string, Fault>;

export type FaultName = keyof typeof faults;
export const faultNames = Object.keys(faults) as readonly FaultName[];

/** Lets the clock of the helper be set, and gives what is written in a change small disks, which are gone with the next boot. */
export async function makeFaulty({ host }: ApprovedHost): Promise<void> {
  await host.shell(`${systemctl} stop ${helperUnit} && mkdir -p /opt/lab`);
  await host.giveClock(helperUnit);
  for (const [index, disk] of disks.entries()) {
    const copy = `/opt/lab/disk-${index}`;
    await host.shell(`cp -a ${disk} ${copy} && mount -t tmpfs -o size=32m,mode=755 lab-disk ${disk}`);
    await host.shell(`cp -a ${copy}/. ${disk}/`);
  }
}

const fullMs = 3_000;

/** For so long, unless the change ends on a full disk. */
async function untilItWasFull({ on: { host }, start }: FaultScene): Promise<void> {
  const last = performance.now() + fullMs;
  const isOver = async () => {
    const newest = (await journalOn(host)).at(-1);
    return (newest?.kind === "ended" && newest.seq > start) || performance.now() > last;
  };
  await until(`the disk of ${host.name} was full for a while`, isOver, lookMs);
}
