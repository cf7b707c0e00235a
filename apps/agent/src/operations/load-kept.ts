import type { Operation } from "@gatehouse/plan";
import type { KeptGround, LoadedParts } from "./host-operation.ts";
import { changingRows } from "./host-operations.ts";

/** From now on every boot has the part that the operation made, where the kernel would forget it. */
export async function keepForBoot(ground: KeptGround, operation: Operation): Promise<void> {
  const [, row] = changingRows.find(([kind]) => kind === operation.kind) ?? [];
  await row?.kept?.keep(ground, operation);
}

/** Everything that was kept so, in the order of the kinds: the firewall before there is a network. No kind keeps another from it. */
export async function loadKept(ground: KeptGround): Promise<LoadedParts> {
  const all: LoadedParts[] = [];
  for (const [, { prefix, kept }] of changingRows) {
    if (kept === undefined) continue;
    all.push(await kept.load(ground).catch((error: unknown) => failedWhole(prefix, error as Error)));
  }
  return {
    loaded: all.flatMap(({ loaded }) => loaded),
    failed: all.flatMap(({ failed }) => failed),
    ignored: all.flatMap(({ ignored }) => ignored),
  };
}

function failedWhole(prefix: string, { message }: Error): LoadedParts {
  return { loaded: [], failed: [{ name: `what was kept of ${prefix}`, why: message }], ignored: [] };
}
