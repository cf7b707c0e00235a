import { createHash } from "node:crypto";
import type { Clock } from "@gatehouse/base";
import {
  channelLimits,
  encodeBase64url,
  type FrameOf,
  noHead,
  packHeadRows,
  type WitnessHead,
  witnessHeadFrame,
} from "@gatehouse/channel";
import { isFault } from "@gatehouse/contract";
import { auditFloorKey } from "@gatehouse/contract/records";
import { joinSigned } from "@gatehouse/keys/frame";
import type { KeptHead, KeptHeads, ServerIdentity, Store } from "@gatehouse/store";
import type { Log } from "../../platform/log/index.ts";
import { witnessLimits } from "./limits.ts";

export interface HeadLineDeps {
  readonly store: Pick<Store, "commit" | "get" | "head" | "linkAt">;
  readonly heads: KeptHeads;
  readonly identity: () => Promise<ServerIdentity>;
  readonly clock: Clock;
  readonly log: Pick<Log, "info" | "error">;
  readonly every: (ms: number, act: () => void) => () => void;
  readonly later: (ms: number) => Promise<void>;
}

/** A signed message, as it travels. */
type SignedHead = (signed: string) => void;

/** The line of signed heads, and who is told of each. */
export interface HeadLine {
  newest(): { readonly head: KeptHead; readonly signed: string } | undefined;
  /** True for the newest head and the one before it. */
  isNew(held: Pick<KeptHead, "n" | "position" | "link">): boolean;
  page(from: number): Promise<FrameOf<"heads"> | undefined>;
  onHead(listener: SignedHead): () => void;
  close(): Promise<void>;
}

/**
 * Signs a head when the log has moved, once a minute. It is durable before anybody sees it: after a power cut no second head can have
 * its number.
 *
 * A log that is not the one that was signed is not passed over: its heads begin another line, which goes on from nothing, so that no
 * host can take it for the one that it holds.
 */
export function openHeadLine(deps: HeadLineDeps): HeadLine {
  const { store, heads, clock } = deps;
  const listeners = new Set<SignedHead>();
  let newest: { readonly head: KeptHead; readonly signed: string } | undefined;
  let before: KeptHead | undefined;
  let isLooked = false;
  const closing = new AbortController();
  let underWay: Promise<void> | undefined;
  let nextPageAt = 0;
  let untold = "";
  let isSaid = false;

  const show = async (head: KeptHead): Promise<void> => {
    before = newest?.head;
    newest = { head, signed: await signHead(deps, head) };
  };
  const make = async (): Promise<void> => {
    const last = await heads.newest();
    const broken = isLooked || last === undefined ? undefined : await findBreak(store, last);
    if (broken !== undefined && last !== undefined && !isSaid) await sayBroken(deps, last, broken);
    isSaid = broken !== undefined;
    const { position, link } = await store.head();
    if (position === 0) return;
    const isMoved = broken !== undefined || last === undefined || position !== last.position;
    if (isMoved) {
      const prev = last === undefined || broken !== undefined ? noHead.toHex() : digestOf(last);
      const head = { n: (last?.n ?? 0) + 1, prev, position, link, at: clock.now() };
      await heads.keep(head);
      await show(head);
    } else if (newest === undefined) await show(last);
    // Only now: what could not be written down or signed is looked at again.
    isLooked = true;
    if (isMoved && newest !== undefined) await tellAll(newest.signed);
  };
  const tellAll = async (signed: string): Promise<void> => {
    const all = [...listeners];
    for (let at = 0; at < all.length && !closing.signal.aborted; at += witnessLimits.toldAtOnce) {
      if (at > 0) await deps.later(1);
      for (const tell of all.slice(at, at + witnessLimits.toldAtOnce)) if (listeners.has(tell)) tell(signed);
    }
  };
  const run = async (): Promise<void> => {
    try {
      await make();
      untold = "";
    } catch (error) {
      if (isFault(error, "store.closed")) return;
      const why = error instanceof Error ? error.message : String(error);
      if (why !== untold) deps.log.error("no head of the audit log was signed", {}, error);
      untold = why;
    } finally {
      underWay = undefined;
    }
  };
  const begin = (): void => {
    underWay ??= run();
  };
  begin();
  const stop = deps.every(witnessLimits.headEveryMs, begin);

  return {
    newest: () => newest,
    isNew: ({ n, position, link }) =>
      [newest?.head, before].some((head) => head?.n === n && head.position === position && head.link === link),
    page: async (from) => {
      const now = clock.monotonic();
      const at = Math.max(now, nextPageAt);
      nextPageAt = at + witnessLimits.pageEveryMs;
      if (at > now) await deps.later(at - now);
      const rows = await heads.list(from, channelLimits.headRows);
      const last = rows.at(-1);
      if (last === undefined) return newest && { t: "heads", from, rows: "", signed: newest.signed };
      const packed = packHeadRows(rows.map(frameOf));
      return { t: "heads", from, rows: encodeBase64url(packed), signed: await signHead(deps, last) };
    },
    onHead: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => {
      closing.abort();
      stop();
      await underWay;
    },
  };
}

/** Why the chain is not the one that was signed; undefined when it is, or when that position was pruned. */
async function findBreak(store: HeadLineDeps["store"], signed: KeptHead): Promise<string | undefined> {
  const { position } = await store.head();
  if (signed.position > position)
    return `the log ends at ${position}, and head ${signed.n} was signed at ${signed.position}`;
  const floor = await store.get(auditFloorKey);
  if (signed.position < (floor?.value.position ?? 0)) return undefined;
  const link = signed.position === floor?.value.position ? floor.value.link : await store.linkAt(signed.position);
  if (link === signed.link) return undefined;
  return `at ${signed.position} the log has another link than head ${signed.n}, which was signed there`;
}

async function sayBroken({ store, clock, log }: HeadLineDeps, last: KeptHead, reason: string): Promise<void> {
  const detail = { after: last.n, position: last.position, reason };
  log.error("the audit log is not the one whose heads were signed", detail);
  await store.commit({
    at: clock.now(),
    actor: "system",
    action: "witness.line_begun",
    subject: "witness/main",
    detail,
  });
}

async function signHead({ identity }: Pick<HeadLineDeps, "identity">, head: KeptHead): Promise<string> {
  const framed = witnessHeadFrame(frameOf(head));
  return encodeBase64url(joinSigned(framed, (await identity()).sign(framed)));
}

function digestOf(head: KeptHead): string {
  return createHash("sha256")
    .update(witnessHeadFrame(frameOf(head)))
    .digest("hex");
}

function frameOf({ n, prev, position, link, at }: KeptHead): WitnessHead {
  return { n, prev: Uint8Array.fromHex(prev), position, link: Uint8Array.fromHex(link), at };
}
