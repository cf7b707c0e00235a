import { byteForm, parseStrictJsonBytes } from "@gatehouse/base";
import { isSameBytes } from "@gatehouse/keys/frame";
import type * as z from "zod";
import {
  type PlanDocument,
  type PlanDraft,
  type PlanHeader,
  type PlanSection,
  planDocument,
  planDraft,
  planLimits,
  planSection,
} from "./plan-document.ts";

/** The one byte form of a plan: canonical JSON in UTF-8 with a line feed at its end. docs/plugins/plan-format.md has every rule. */
export function serialisePlan(plan: PlanDocument): Uint8Array {
  return byteForm(plan);
}

/** Bytes of a part, as digests see them. */
export function serialisePart(part: unknown): Uint8Array {
  return byteForm(part);
}

export type PlanReading<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string };

/** Reads a plan, or says why it is none. Bytes that are not the byte form of what they say are refused, whatever they say. */
export function parsePlan(bytes: Uint8Array): PlanReading<PlanDocument> {
  return atOnce(parseForm(planDocument, bytes, "plan"));
}

/** The same where others wait: between steps that take as long as the plan is, they have their turn. */
export async function parsePlanInTurns(
  bytes: Uint8Array,
  othersTurn: () => Promise<unknown>,
): Promise<PlanReading<PlanDocument>> {
  const steps = parseForm(planDocument, bytes, "plan");
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await othersTurn();
  }
}

/** The same for one section: what is sent to its node, and kept there. */
export function parsePlanSection(bytes: Uint8Array): PlanReading<PlanSection> {
  return atOnce(parseForm(planSection, bytes, "section"));
}

function atOnce<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

function* parseForm<T>(
  schema: z.ZodType<T>,
  bytes: Uint8Array,
  what: string,
): Generator<undefined, PlanReading<T>, undefined> {
  if (bytes.byteLength > planLimits.bytes) return refuse(`the ${what} is larger than ${planLimits.bytes} bytes`);
  const json = parseStrictJsonBytes(bytes, { depth: 32, keys: 2_000_000, items: 2_000_000 });
  if (!json.ok) return refuse(`the ${what} is not strict JSON: ${json.reason} at ${json.at}`);
  yield undefined;
  const reading = read(schema, json.value);
  if (!reading.ok) return reading;
  yield undefined;
  if (!isSameBytes(serialisePart(reading.value), bytes))
    return refuse(`the bytes are not the one byte form of the ${what}`);
  return reading;
}

/** Reads what a plugin's `plan` returned, or says which field is not as expected. */
export function readPlanDraft(value: unknown): PlanReading<PlanDraft> {
  return read(planDraft, value);
}

/** What a host has of a plan. Held to the same as in the whole document, of which it then is the only section. */
export function readOwnSection(
  header: unknown,
  section: unknown,
): PlanReading<{ readonly header: PlanHeader; readonly section: PlanSection }> {
  const reading = read(planDocument, { header, sections: [section] });
  if (!reading.ok) return reading;
  const [own] = reading.value.sections as [PlanSection];
  return { ok: true, value: { header: reading.value.header, section: own } };
}

function read<T>(schema: z.ZodType<T>, value: unknown): PlanReading<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const issue = parsed.error.issues[0];
  const extra = issue?.code === "unrecognized_keys" ? [issue.keys[0] ?? ""] : [];
  // Keys are the sender's text: only what can be a name of ours is shown.
  const path = [...(issue?.path ?? []), ...extra].map((part) =>
    String(part)
      .replace(/[^\w.-]/g, "?")
      .slice(0, 40),
  );
  const said = issue?.code === "unrecognized_keys" ? "is no field here" : (issue?.message ?? "is not as expected");
  return refuse(`/${path.join("/")}: ${said}`);
}

function refuse(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason };
}
