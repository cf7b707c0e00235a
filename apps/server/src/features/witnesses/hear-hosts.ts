import type { Clock } from "@gatehouse/base";
import { nodeKind, type WitnessedRecord, witnessedKind } from "@gatehouse/contract/records";
import type { Store } from "@gatehouse/store";
import { create, type Decide, put, remove } from "@gatehouse/store/decide";
import { entryOf, type RequestFacts } from "../../platform/route/index.ts";
import type { HeadLine } from "./head-line.ts";
import { type Disbelief, type HeldHead, judgeHeld, type TellsHeld } from "./judge-held.ts";
import { witnessLimits } from "./limits.ts";

export interface HearHostsDeps {
  readonly store: Pick<Store, "get" | "head" | "linkAt">;
  readonly decide: Decide;
  readonly clock: Pick<Clock, "monotonic">;
  readonly line: Pick<HeadLine, "isNew">;
}

/** What a connected host holds, as it told it last. */
export interface ToldHead {
  readonly held: HeldHead | undefined;
  readonly toldAt: number;
  readonly disbelief: Disbelief | undefined;
}

/** What hosts say of the log: in memory while they are connected, and as a record while one does not believe it. */
export interface HeardHosts {
  told(nodeId: string, word: TellsHeld, request: RequestFacts): Promise<void>;
  left(nodeId: string): void;
  find(nodeId: string): ToldHead | undefined;
  /** Of those that are connected. */
  isAnyRefusing(): boolean;
}

export function openHeardHosts(deps: HearHostsDeps): HeardHosts {
  const heard = new Map<string, ToldHead>();
  const here = new Set<string>();
  const changes = new Map<string, { readonly hour: number; readonly count: number }>();
  /** False for a host whose word was written down too often in this hour. */
  const mayChange = (nodeId: string): boolean => {
    const hour = Math.floor(deps.clock.monotonic() / hourMs);
    const counted = changes.get(nodeId);
    const count = counted?.hour === hour ? counted.count + 1 : 1;
    // Only this hour counts: what stands there of others is let go, so that nobody stays for ever.
    for (const [node, { hour: other }] of changes) if (other !== hour) changes.delete(node);
    changes.set(nodeId, { hour, count: Math.min(count, witnessLimits.changesPerHour + 1) });
    return count <= witnessLimits.changesPerHour;
  };
  return {
    told: async (nodeId, word, request) => {
      const held = word.held ?? undefined;
      here.add(nodeId);
      await keepWord(deps, nodeId, { held, request, mayChange: () => mayChange(nodeId) }, async () => {
        const isKnown = word.code === null && held !== undefined && deps.line.isNew(held);
        const disbelief = isKnown ? undefined : await judgeHeld(deps.store, word);
        // Who has left while the chain was asked is not known here any more; what it said last is written down all the same.
        if (here.has(nodeId)) heard.set(nodeId, { held, toldAt: request.now, disbelief });
        return disbelief;
      });
    },
    left: (nodeId) => {
      here.delete(nodeId);
      heard.delete(nodeId);
    },
    find: (nodeId) => heard.get(nodeId),
    isAnyRefusing: () => heard.values().some(({ disbelief }) => disbelief !== undefined),
  };
}

const hourMs = 60 * 60_000;

interface Word {
  readonly held: HeldHead | undefined;
  readonly request: RequestFacts;
  readonly mayChange: () => boolean;
}

/** Only what is new is written: a host says the same every minute. Judged in its turn: of two words the later one stays. */
function keepWord(
  { decide }: HearHostsDeps,
  nodeId: string,
  { held, request, mayChange }: Word,
  judge: () => Promise<Disbelief | undefined>,
): Promise<void> {
  return decide([`witnessed/${nodeId}`], async (read) => {
    const disbelief = await judge();
    const key = witnessedKind.key(nodeId);
    const before = await read.get(key);
    const nothing = { result: () => undefined };
    if (disbelief?.code === before?.value.code) return nothing;
    const node = await read.get(nodeKind.key(nodeId));
    if (node === undefined || node.value.revokedAt !== undefined || !mayChange()) return nothing;
    const about = { actor: `node:${nodeId}`, subject: node.key.text };
    const { name } = node.value;
    if (disbelief === undefined) {
      if (before === undefined) return nothing;
      const { code, since } = before.value;
      return {
        entry: entryOf(request, { ...about, action: "witnessed.agreed", detail: { name, code, since } }),
        changes: [remove(before)],
        result: () => undefined,
      };
    }
    const { code, reason } = disbelief;
    const value: WitnessedRecord = {
      code,
      since: before?.value.since ?? request.now,
      reason,
      ...(held !== undefined && { held }),
    };
    const detail = { name, code, reason, ...(held !== undefined && { position: held.position }) };
    return {
      entry: { ...entryOf(request, { ...about, action: "witnessed.refused", detail }), outcome: "refused" as const },
      changes: [before === undefined ? create(key, value) : put(before, value)],
      result: () => undefined,
    };
  });
}
