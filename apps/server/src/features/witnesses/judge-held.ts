import type { WitnessCode } from "@gatehouse/contract";
import { auditFloorKey } from "@gatehouse/contract/records";
import type { FrameOf } from "@gatehouse/channel";
import type { Store } from "@gatehouse/store";

export type TellsHeld = Pick<FrameOf<"~witness">, "held" | "code">;
export type HeldHead = NonNullable<TellsHeld["held"]>;

/** Why a host does not take this log for the one that it saw, or why it cannot be that one. */
export interface Disbelief {
  readonly code: WitnessCode;
  readonly reason: string;
}

/** Holds what a host says against the chain itself. The host's own word counts too: it may have been shown what this server never made. */
export async function judgeHeld(
  store: Pick<Store, "get" | "head" | "linkAt">,
  { held, code }: TellsHeld,
): Promise<Disbelief | undefined> {
  const found = held === null ? undefined : await compare(store, held);
  // The chain itself says it best; without a difference there, what the host was shown did not come from here.
  return found ?? (code === null ? undefined : { code, reason: ownWords[code] });
}

async function compare(store: Pick<Store, "get" | "head" | "linkAt">, held: HeldHead): Promise<Disbelief | undefined> {
  const { position } = await store.head();
  if (held.position > position) {
    const missing = held.position - position;
    const reason = `the log ends at ${position}, and this host saw it at ${held.position}: shorter by ${missing} ${missing === 1 ? "entry" : "entries"}`;
    return { code: "witness.regressed", reason };
  }
  const floor = (await store.get(auditFloorKey))?.value;
  // What was pruned nobody can compare any more.
  if (floor !== undefined && held.position < floor.position) return undefined;
  const link = held.position === floor?.position ? floor.link : await store.linkAt(held.position);
  if (link === held.link) return undefined;
  // What is gone may have been pruned since the floor was read.
  if (link === undefined && held.position < ((await store.get(auditFloorKey))?.value.position ?? 0)) return undefined;
  return { code: "witness.fork", reason: `at ${held.position} this host saw another entry than the log has there` };
}

const ownWords: Readonly<Record<WitnessCode, string>> = {
  "witness.damaged": "what the host kept of the log cannot be read",
  "witness.fork": "the host was shown a head that does not go on from the one that it holds",
  "witness.gap": "nobody could prove to the host that the log goes on from what it holds",
  "witness.regressed": "the host was shown an older head than it holds",
  "witness.signature": "the host was shown a head that this server's key did not sign",
};
