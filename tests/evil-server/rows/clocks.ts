import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { putClockFloor } from "../../../apps/agent/src/tasks/clock-floor.ts";
import type { AttackedHost } from "../attacked-host.ts";

const bootId = "proc/sys/kernel/random/boot_id";

/** What the kernel says of this run of the machine, as it says it everywhere. */
function layUptime(root: string): { readonly boot: string; readonly ms: number } {
  const [boot, uptime] = [bootId, "proc/uptime"].map((name) => {
    const text = readFileSync(join("/", name), "utf8");
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
    return text;
  }) as [string, string];
  return { boot: boot.trim(), ms: Math.round(Number.parseFloat(uptime) * 1_000) };
}

/** The clock was set back by so much, in this run of the machine: the host has been sure of a later time. */
export const setBack =
  (ms: number) =>
  async ({ paths }: AttackedHost): Promise<void> => {
    const uptime = layUptime(paths.root);
    const place = { paths, owner: process.getuid?.() ?? 0 };
    await putClockFloor(place, { schema: 1, wall: Date.now() + ms, uptime });
  };
