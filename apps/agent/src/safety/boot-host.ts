import type { Report } from "@gatehouse/command-line";
import type { ChangeDeps } from "./change.ts";
import { settledReport } from "./run-deadman.ts";
import { settleOpenChange } from "./settle-change.ts";

/**
 * Before the host has a network: what is open is brought to its end, and then the firewall tables and the interfaces that were
 * confirmed are loaded. Neither keeps the other from being done. There is no systemd to talk to yet, and no timer has outlived the boot.
 */
export async function bootHost(given: ChangeDeps): Promise<Report> {
  const deps = { ...given, deadman: { ...given.deadman, stop: () => Promise.resolve() } };
  const flaws: string[] = [];
  const settled = await tryTo(flaws, () => settleOpenChange(deps, { isBoot: true }));
  const kept = await tryTo(flaws, () => deps.host.loadKept());
  for (const { name, why } of kept?.failed ?? []) flaws.push(`${name} could not be loaded: ${why}`);
  if (settled === undefined) return { ok: false, lines: flaws, json: { changes: [], damage: null, flaws } };
  const { lines, json } = settledReport(settled, "No change was open.");
  const isSound = flaws.length === 0 && settled.damage === undefined;
  return { ok: isSound, lines: [...flaws, ...lines], json: { ...json, flaws } };
}

async function tryTo<Value>(flaws: string[], work: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await work();
  } catch (error) {
    flaws.push((error as Error).message);
    return undefined;
  }
}
