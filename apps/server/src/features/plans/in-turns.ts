import { setImmediate as othersTurn } from "node:timers/promises";
import { plansLimits } from "./limits.ts";

/** Does it for one host of a plan after the other. Ten thousand take seconds: after every few, others have their turn. */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  act: (item: Item, index: number) => Result | Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    if (index % plansLimits.hostsRead === 0) await othersTurn();
    const result = act(item, index);
    results.push(result instanceof Promise ? await result : result);
  }
  return results;
}
