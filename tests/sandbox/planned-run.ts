import { Random } from "../support/random.ts";
import { behaviours } from "./probe-list.ts";

export interface PlannedRun {
  readonly name: string;
  readonly deadlineMs: number;
}

const names = Object.keys(behaviours);
/** Long enough for whatever ends by itself, also on a busy machine; it only stops what hangs. */
const patientMs = 120_000;

/** As many runs as it takes to see every behaviour. */
export const everyBehaviour = names.length;

/**
 * What the run of this number does. It depends on the seed and the number alone, not on which run asks first; the first ones
 * are every behaviour in turn.
 */
export function plannedRun(seed: number, number: number): PlannedRun {
  const random = new Random(seed, number);
  const drawn = random.pick(names);
  const name = number < names.length ? (names[(number + seed) % names.length] ?? drawn) : drawn;
  // Those that end only by their deadline get a short one; the others need not be hurried to be ended.
  const isEndless = behaviours[name]?.includes("deadline") ?? false;
  return { name, deadlineMs: isEndless ? 60 + random.below(300) : patientMs };
}
