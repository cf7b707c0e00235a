import { type Json, type JsonObject, readByteForm } from "@gatehouse/base";
import { fault } from "@gatehouse/contract/faults";
import {
  headerDigest,
  planDigestOf,
  type PlanHeader,
  planLimits,
  type PlanSection,
  readOwnSection,
  sectionDigest,
} from "@gatehouse/plan";
import { sha256 } from "../local/sha256.ts";
import { hostOperations } from "../operations/host-operations.ts";
import type { WholeTask } from "./task.ts";

/** The plan as the host has it: the header, its own section, and the digests of all. */
export interface OwnPlan {
  readonly header: PlanHeader;
  readonly section: PlanSection;
  readonly digests: readonly string[];
}

/** What is read before anybody has approved it. */
type PlanParts = Omit<WholeTask, "artifacts">;

export const digestBytes = 32;
const mostHeaderBytes = 64 * 1024;
/**
 * In a byte form every key and every item has a line of its own. Nobody has approved anything yet when they are read, and what a reader
 * takes for each of them is a multiple of its bytes: the helper's memory must suffice for the worst.
 */
export const mostSectionLines = 100_000;
const formLimits = { depth: 32, keys: mostSectionLines, items: mostSectionLines };

/** Whether the bytes are this host's part of the plan that was named. Nothing of it is approved yet. */
export function judgePlan(task: PlanParts, nodeId: string): OwnPlan {
  checkSizes(task); // 6
  const raw = { header: formOf(task.header, "the header"), section: formOf(task.section, "the section") }; // 7
  const { header, section } = schemaOf(raw); // 8
  if ("together" in header)
    throw fault("plan.together", "expected a plan of single hosts, found one of hosts together"); // 8
  const plan = { header, section, digests: digestsOf(task.digests) };
  const own = checkDigest(plan, task.planDigest); // 9
  checkIndex(plan.digests, own, task.index); // 10
  if (section.node !== nodeId) throw fault("plan.other_node", `expected ${nodeId}, found ${section.node}`); // 11
  return plan;
}

function checkSizes({ header, section, digests }: PlanParts): void {
  const limits = [
    ["a header", header.byteLength, mostHeaderBytes],
    ["a section", section.byteLength, planLimits.bytes],
    ["digests", digests.byteLength, planLimits.sections * digestBytes],
  ] as const;
  for (const [what, size, most] of limits) {
    if (size > most) throw fault("plan.too_large", `expected ${what} of at most ${most} bytes, found ${size}`);
  }
  const lines = countLines(section);
  if (lines > mostSectionLines) {
    throw fault("plan.too_large", `expected a section of at most ${mostSectionLines} lines, found ${lines}`);
  }
}

const lineFeed = 0x0a;

function countLines(bytes: Uint8Array): number {
  return bytes.reduce((count, byte) => (byte === lineFeed ? count + 1 : count), 0);
}

function formOf(bytes: Uint8Array, what: string): Json {
  const value = readByteForm(bytes, formLimits);
  if (value === undefined) throw fault("plan.form", `expected ${what} in its byte form, found other bytes`);
  return value;
}

/** A kind that this version cannot do is told apart from a section that is wrong: a later agent may know it. */
function schemaOf({ header, section }: { readonly header: Json; readonly section: Json }) {
  const unknown = kindsIn(section).find((kind) => !canDo(kind));
  if (unknown !== undefined) {
    const known = Object.keys(hostOperations).filter(canDo).join(", ");
    const found = unknown.replaceAll(/[^a-z.]/g, "?").slice(0, 40);
    throw fault("plan.kind_unknown", `expected ${known}, found ${found}`);
  }
  const reading = readOwnSection(header, section);
  if (!reading.ok) throw fault("plan.schema", `expected a plan of schema 1 or 2, found ${reading.reason}`);
  return reading.value;
}

function kindsIn(section: Json): string[] {
  const operations = fieldOf(section, "operations");
  const kinds = Array.isArray(operations) ? operations.map((one) => fieldOf(one, "kind")) : [];
  return kinds.filter((kind) => typeof kind === "string");
}

function fieldOf(value: Json, name: string): Json | undefined {
  const isHeld = typeof value === "object" && value !== null && Object.hasOwn(value, name);
  return isHeld ? (value as JsonObject)[name] : undefined;
}

function canDo(kind: string): boolean {
  return Object.hasOwn(hostOperations, kind);
}

function digestsOf(bytes: Uint8Array): string[] {
  const count = bytes.byteLength / digestBytes;
  return Array.from({ length: count }, (_, index) =>
    bytes.subarray(index * digestBytes, (index + 1) * digestBytes).toHex(),
  );
}

/** Computed again from what came, and never taken from anybody. Gives the digest of the own section. */
function checkDigest({ header, section, digests }: OwnPlan, named: string): string {
  const found = planDigestOf(sha256, headerDigest(sha256, header), digests);
  if (found !== named) throw fault("plan.digest", `expected ${named}, found ${found}`);
  const own = sectionDigest(sha256, section);
  if (!digests.includes(own)) throw fault("plan.digest", `expected a section of the plan, found ${own}`);
  return own;
}

function checkIndex(digests: readonly string[], own: string, index: number): void {
  const places = digests.flatMap((digest, place) => (digest === own ? [place] : []));
  if (places.length === 1 && places[0] === index) return;
  throw fault("plan.index", `expected the section at ${index} and nowhere else, found it at ${places.join(", ")}`);
}
