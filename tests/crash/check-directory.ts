import { openFileStore } from "@gatehouse/store";
import { inventedKinds } from "../support/invented-kinds.ts";
import type { Verdict } from "./harms.ts";
import { gapIn, type Place } from "./model.ts";
import { expectedText, readBack } from "./read-back.ts";

export interface Promised {
  /** By position. */
  readonly acknowledged: ReadonlyMap<number, Place>;
  /** Refused with the word that nothing was changed: these must not be there. */
  readonly refused?: readonly Place[];
  /** Commits whose fate nobody was told may be missing; only needed where a client went on after a refusal. */
  readonly mayMiss?: (place: Place) => boolean;
}

/** Opens a real data directory and compares it with what was promised. Undefined when all is well. */
export async function checkDirectory(directory: string, promised: Promised): Promise<Verdict | undefined> {
  let store: Awaited<ReturnType<typeof openFileStore>>;
  const fatal: unknown[] = [];
  try {
    store = await openFileStore({ directory, kinds: inventedKinds, onFatal: (error) => fatal.push(error) });
  } catch (error) {
    return { kind: "other", what: `the start failed: ${String(error)}` };
  }
  try {
    const { head, places, text } = await readBack(store);
    for (const [position, { run, n }] of promised.acknowledged) {
      const found = places[position - 1];
      if (found?.run === run && found.n === n) continue;
      const there = found === undefined ? `the log ends at ${head.position}` : `found ${JSON.stringify(found)}`;
      return { kind: "lost", what: `commit ${n} of run ${run} was acknowledged at ${position}, but ${there}` };
    }
    for (const { run, n } of promised.refused ?? []) {
      if (!places.some((place) => place.run === run && place.n === n)) continue;
      return { kind: "undetected", what: `commit ${n} of run ${run} was refused, but is there` };
    }
    const gap = gapIn(places, promised.mayMiss);
    if (gap !== undefined) return { kind: "undetected", what: gap };
    if (text !== expectedText(places))
      return { kind: "undetected", what: `the records at ${head.position} do not follow from the log` };
    const report = await store.verifyAudit();
    if (!report.ok) return { kind: "undetected", what: `the chain does not verify: ${JSON.stringify(report.broken)}` };
    if (fatal.length > 0) return { kind: "other", what: `the store failed: ${String(fatal[0])}` };
    return undefined;
  } catch (error) {
    return { kind: "other", what: `reading failed: ${String(error)}` };
  } finally {
    await store.abandon();
  }
}
