import type { JsonObject } from "@gatehouse/base";
import type { Report } from "@gatehouse/command-line";
import { readKeptHead } from "./judge-head.ts";
import type { KeptDays, KeptWitness } from "./kept-witness.ts";
import { standingOf, type WitnessStanding } from "./take-head.ts";

export interface ShownWitness {
  /** What the server calls this host. */
  readonly node: string | undefined;
  readonly kept: KeptWitness | undefined;
  readonly days: KeptDays;
}

/** What this host holds of the log. With --json it is the file that `gatehouse audit verify --witness` takes. */
export function witnessReport({ node, kept, days }: ShownWitness): Report {
  if (kept === undefined) {
    return { ok: true, lines: ["This host holds no head of the log yet."], json: fileOf(node, undefined, days) };
  }
  const { conflicts, trouble } = kept;
  return {
    ok: trouble === null,
    lines: [
      `This host holds ${headWords(kept.held)}`,
      ...standingLines(standingOf(kept)).slice(1),
      `Heads of earlier days: ${days.length}`,
      `Pairs that do not fit: ${conflicts.length}`,
      ...conflicts.map(({ at, code, held, told }) => `  ${iso(at)} ${code}: ${headWords(held)} / ${headWords(told)}`),
    ],
    json: fileOf(node, kept, days),
  };
}

/** For `status`: the first line is what is held. */
export function standingLines({ held, code, detail }: WitnessStanding, now?: number): string[] {
  const age =
    held === null || now === undefined ? "" : `, ${Math.max(0, Math.round((now - held.at) / 1_000))} seconds old`;
  const first = held === null ? "no head yet" : `head ${held.n} at position ${held.position}${age}`;
  const refusal = `NOT BELIEVED: ${code}: ${detail}. Root ends this with: gatehouse-agent witness accept`;
  return [`Log of the server: ${first}`, ...(code === null ? [] : [refusal])];
}

export function headWords(signed: string | null): string {
  const head = signed === null ? undefined : readKeptHead(signed)?.value;
  if (head === undefined) return "no head";
  return `head ${head.n}: position ${head.position}, link ${head.link.toHex().slice(0, 16)}…, of ${iso(head.at)}`;
}

/** Signed messages: whoever has the server's key can check each of them. */
function fileOf(node: string | undefined, kept: KeptWitness | undefined, days: KeptDays): JsonObject {
  const heads = [...days.map(({ head }) => head), ...(typeof kept?.held === "string" ? [kept.held] : [])];
  return {
    kind: "gatehouse-witness",
    schema: 1,
    node: node ?? null,
    server: kept?.server ?? null,
    heads: [...new Set(heads)],
    trouble: kept?.trouble ?? null,
    conflicts: kept?.conflicts.map((one) => ({ ...one })) ?? [],
  };
}

function iso(at: number): string {
  return new Date(Math.min(at, 8_640_000_000_000_000)).toISOString();
}
