import type { Clock } from "@gatehouse/base";
import type { WitnessCode } from "@gatehouse/contract";
import { isFault } from "@gatehouse/contract/faults";
import { judgeHead, type OfferedHead, readKeptHead } from "./judge-head.ts";
import {
  findKeptDays,
  findKeptWitness,
  type KeptDays,
  type KeptWitness,
  newKeptWitness,
  putKeptWitness,
  witnessKeeping,
  type WitnessPlace,
} from "./kept-witness.ts";

export interface TakeHeadDeps {
  readonly place: WitnessPlace;
  readonly clock: Pick<Clock, "now">;
  /** One line for the host's own log. */
  readonly log: (line: string) => void;
}

/** How this host stands to its server's log. */
export interface WitnessStanding {
  readonly held: { readonly n: number; readonly position: number; readonly link: string; readonly at: number } | null;
  readonly code: WitnessCode | null;
  /** What was refused, in words; empty when nothing is. */
  readonly detail: string;
  /** When root took the log as it was, last. */
  readonly acceptedAt: number | null;
}

/** What came of a head, and how the host stands after it. */
export type HeadAnswer = WitnessStanding & {
  readonly state: "taken" | "same" | "missing" | "refused";
  readonly from: number | null;
};

/** Judges a head and keeps what came of it; durable when this resolves. */
export async function takeHead(deps: TakeHeadDeps, server: Uint8Array, offered: OfferedHead): Promise<HeadAnswer> {
  const { place, clock, log } = deps;
  const before = readOrDamaged(place, server);
  if (before === "damaged") return { ...damaged, state: "refused", from: null };
  const now = clock.now();
  const verdict = judgeHead(before, server, offered, now);
  if (verdict.t === "same" || verdict.t === "missing") {
    return { ...standingOf(before), state: verdict.t, from: verdict.t === "missing" ? verdict.from : null };
  }
  const { kept } = verdict;
  if (verdict.t === "taken") {
    await putKeptWitness(place, kept, withDay(findKeptDays(place, server), { now, head: kept.held }));
  } else if (JSON.stringify(kept) !== JSON.stringify(before)) await putKeptWitness(place, kept);
  const standing = standingOf(kept);
  if (kept.trouble?.code !== before.trouble?.code) {
    log(
      kept.trouble === null
        ? "the log of the server goes on from the head that this host holds"
        : `the log of the server is not believed: ${standing.code}: ${standing.detail}`,
    );
  }
  return { ...standing, state: verdict.t, from: null };
}

export function readStanding(place: WitnessPlace, server: Uint8Array): WitnessStanding {
  const kept = readOrDamaged(place, server);
  return kept === "damaged" ? damaged : standingOf(kept);
}

function readOrDamaged(place: WitnessPlace, server: Uint8Array): KeptWitness | "damaged" {
  try {
    return findKeptWitness(place, server) ?? newKeptWitness(server);
  } catch (error) {
    if (isFault(error, "witness.damaged")) return "damaged";
    throw error;
  }
}

const damaged: WitnessStanding = {
  held: null,
  code: "witness.damaged",
  detail: "what this host kept of the log cannot be read",
  acceptedAt: null,
};

export function standingOf({ held, trouble, accepted }: KeptWitness): WitnessStanding {
  const own = held === null ? undefined : readKeptHead(held)?.value;
  const told = typeof trouble?.told === "string" ? readKeptHead(trouble.told)?.value : undefined;
  const shown =
    told === undefined
      ? "was shown a head that its server did not sign"
      : `was shown head ${told.n} at ${told.position}`;
  const holds = own === undefined ? "holds no head" : `holds head ${own.n} at ${own.position}`;
  return {
    held: own === undefined ? null : { n: own.n, position: own.position, link: own.link.toHex(), at: own.at },
    code: trouble?.code ?? null,
    detail: trouble === null ? "" : `it ${holds} and ${shown}`,
    acceptedAt: accepted?.at ?? null,
  };
}

/** The first head of a day stands for it; undefined when this day has one. */
function withDay(
  days: KeptDays,
  { now, head }: { readonly now: number; readonly head: string | null },
): KeptDays | undefined {
  const day = new Date(now).toISOString().split("T")[0] ?? "";
  if (head === null || days.at(-1)?.day === day) return undefined;
  return [...days, { day, head }].slice(-witnessKeeping.days);
}
