import { nodeId, pluginId, sha256Hex, visibleText } from "@gatehouse/contract";
import * as z from "zod";
import { isDistinct, semanticVersion } from "./fields.ts";
import { operation, subjectOf } from "./operations/table.ts";

/** What one plan may hold. More than that is several plans. */
export const planLimits = {
  /** Of the byte form. */
  bytes: 16 * 1024 * 1024,
  sections: 10_000,
  operationsOfSection: 64,
} as const;

/**
 * The state a plan was made from: the part of the host it replaces, and the hash of that part as it was. The agent hashes the
 * part again before it applies anything; a host that has changed since refuses the plan as stale.
 */
export const precondition = z.strictObject({
  subject: z
    .string()
    .regex(/^[a-z]{2,16}:[\x21-\x7e]{1,520}$/, "must be the subject of an operation, such as file:/etc/motd"),
  state: z.union([z.literal("absent"), sha256Hex]),
});
export type Precondition = z.output<typeof precondition>;

const sectionFields = {
  node: nodeId,
  preconditions: z.array(precondition).max(planLimits.operationsOfSection),
  /** In the order in which they are applied. */
  operations: z.array(operation).min(1).max(planLimits.operationsOfSection),
};

/** What is to be done on one node. */
export const planSection = z.strictObject(sectionFields).superRefine((section, context) => {
  const known = section.preconditions.map(({ subject }) => subject);
  const changed = [...new Set(section.operations.flatMap((one) => subjectOf(one) ?? []))];
  const wrong = (message: string) => context.addIssue({ code: "custom", path: ["preconditions"], message });
  if (!isDistinct(known)) wrong("must not name a subject twice");
  // Silence is a refusal: an operation without a precondition would overwrite whatever it finds.
  for (const subject of changed.filter((one) => !known.includes(one))) wrong(`must have one for ${subject}`);
  for (const subject of known.filter((one) => !changed.includes(one))) wrong(`must not have one for ${subject}`);
});
export type PlanSection = z.output<typeof planSection>;

const words = { title: visibleText(120), summary: visibleText(500) };
const sections = z
  .array(planSection)
  .min(1)
  .max(planLimits.sections)
  .refine((all) => isDistinct(all.map(({ node }) => node)), "must have one section for each node");

/** What a plugin's action `plan` returns: the words, and a section for each node in any order. */
export const planDraft = z.strictObject({ ...words, sections });
export type PlanDraft = z.output<typeof planDraft>;

/** Where a plan comes from. With a plugin's digest and the digest of the recorded input, anybody can draw it up again. */
export const planSource = z.discriminatedUnion("from", [
  z.strictObject({
    from: z.literal("plugin"),
    plugin: pluginId,
    version: semanticVersion,
    artifactSha256: sha256Hex,
    inputSha256: sha256Hex,
  }),
  z.strictObject({ from: z.literal("person") }),
]);
export type PlanSource = z.output<typeof planSource>;

/** Neither times nor names of people nor ids: the same plan is the same bytes whenever and by whomever it was made. */
export const planHeader = z.strictObject({ schema: z.literal(1), ...words, source: planSource });
export type PlanHeader = z.output<typeof planHeader>;

/** A plan as it is reviewed, approved by its digest, and applied. Sections are sorted by node, preconditions by subject. */
export const planDocument = z.strictObject({
  header: planHeader,
  sections: sections
    .refine((all) => isSorted(all.map(({ node }) => node)), "must be sorted by node")
    .refine(
      (all) => all.every(({ preconditions }) => isSorted(preconditions.map(({ subject }) => subject))),
      "must have preconditions that are sorted by subject",
    ),
});
export type PlanDocument = z.output<typeof planDocument>;

/** Turns what a plugin returned, or a person asked for, into the document that has one byte form. */
export function finishPlan({ title, summary, sections }: PlanDraft, source: PlanSource): PlanDocument {
  const by = (a: string, b: string) => (a < b ? -1 : 1);
  return {
    header: { schema: 1, title, summary, source },
    sections: sections
      .map((section) => ({
        ...section,
        preconditions: section.preconditions.toSorted((a, b) => by(a.subject, b.subject)),
      }))
      .toSorted((a, b) => by(a.node, b.node)),
  };
}

function isSorted(items: readonly string[]): boolean {
  return items.every((item, index) => index === 0 || (items[index - 1] ?? "") < item);
}
