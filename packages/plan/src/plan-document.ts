import { nodeId, partState, partSubject, planSize, pluginId, sha256Hex, visibleText } from "@gatehouse/contract";
import * as z from "zod";
import { isDistinct, mostArtifactBytes, semanticVersion } from "./fields.ts";
import { type Operation, operation, planSchemaOf, subjectOf } from "./operations/table.ts";

/** What one plan may hold. More than that is several plans. */
export const planLimits = {
  /** Of the byte form. */
  bytes: planSize.bytes,
  sections: planSize.nodes,
  operationsOfSection: 64,
  together: 64,
  /** Of one artifact. */
  artifactBytes: mostArtifactBytes,
} as const;

/**
 * The state a plan was made from: the part of the host it replaces, and the hash of that part as it was. The agent hashes the
 * part again before it applies anything; a host that has changed since refuses the plan as stale.
 */
export const precondition = z.strictObject({ subject: partSubject, state: partState });
export type Precondition = z.output<typeof precondition>;

/** What is to be done on one node. */
export const draftSection = z.strictObject({
  node: nodeId,
  /** In the order in which they are applied. */
  operations: z.array(operation).min(1).max(planLimits.operationsOfSection),
});
export type DraftSection = z.output<typeof draftSection>;

const preconditions = z.array(precondition).max(planLimits.operationsOfSection);

/** The same with the state that it was made from. */
export const planSection = draftSection.extend({ preconditions }).superRefine((section, context) => {
  const known = section.preconditions.map(({ subject }) => subject);
  const changed = subjectsOf(section.operations);
  const wrong = (message: string) => context.addIssue({ code: "custom", path: ["preconditions"], message });
  if (!isDistinct(known)) wrong("must not name a subject twice");
  // Silence is a refusal: an operation without a precondition would overwrite whatever it finds.
  for (const subject of changed.filter((one) => !known.includes(one))) wrong(`must have one for ${subject}`);
  for (const subject of known.filter((one) => !changed.includes(one))) wrong(`must not have one for ${subject}`);
  // A host that takes them back has two minutes for all of them.
  const programs = section.operations.reduce((sum, one) => sum + (one.kind === "binary.replace" ? one.size : 0), 0);
  if (programs <= planLimits.artifactBytes) return;
  const message = `must have programs of at most ${planLimits.artifactBytes} bytes together`;
  context.addIssue({ code: "custom", path: ["operations"], message });
});
export type PlanSection = z.output<typeof planSection>;

const words = { title: visibleText(120), summary: visibleText(500) };
const sectionsOf = <Section extends typeof draftSection>(section: Section) =>
  z
    .array(section)
    .min(1)
    .max(planLimits.sections)
    .refine((all) => isDistinct(all.map(({ node }) => node)), "must have one section for each node");

/**
 * What a plugin's action `plan` returns: the words, and a section for each node in any order. Preconditions are not its to say:
 * the server adds what the hosts told.
 */
export const planDraft = z.strictObject({ ...words, sections: sectionsOf(draftSection) });
export type PlanDraft = z.output<typeof planDraft>;

/** Where a plan comes from. With a plugin's digest and the recorded question, anybody can draw it up again. */
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
export const planHeader = z.discriminatedUnion("schema", [
  z.strictObject({ schema: z.literal(1), ...words, source: planSource }),
  z.strictObject({
    schema: z.literal(2),
    ...words,
    source: planSource,
    /** The nodes of all sections, where none may stay changed unless every one is. This release makes no such plan and takes none. */
    together: z.array(nodeId).min(2).max(planLimits.together).refine(isSorted, "must be sorted").exactOptional(),
  }),
]);
export type PlanHeader = z.output<typeof planHeader>;

/** A plan as it is reviewed, approved by its digest, and applied. Sections are sorted by node, preconditions by subject. */
export const planDocument = z
  .strictObject({
    header: planHeader,
    sections: sectionsOf(planSection)
      .refine((all) => isSorted(all.map(({ node }) => node)), "must be sorted by node")
      .refine(
        (all) => all.every(({ preconditions }) => isSorted(preconditions.map(({ subject }) => subject))),
        "must have preconditions that are sorted by subject",
      ),
  })
  // A host has one section of many: the others may be why the schema is a later one.
  .refine(({ header, sections }) => header.schema >= planSchemaOf(sections.flatMap(({ operations }) => operations)), {
    path: ["header", "schema"],
    message: "must be 2 in a plan that brings artifacts",
  });
export type PlanDocument = z.output<typeof planDocument>;

/** The hash of a part of a host as the host told it, or that there was none. */
export type FindState = (node: string, subject: string) => Precondition["state"] | undefined;

/**
 * Turns what a plugin returned, or a person asked for, into the document that has one byte form. Throws a RangeError for a part
 * whose state nobody told: an operation without a precondition would overwrite whatever it finds.
 */
export function finishPlan(
  { title, summary, sections }: PlanDraft,
  source: PlanSource,
  findState: FindState,
): PlanDocument {
  return {
    header: { schema: planSchemaOf(sections.flatMap(({ operations }) => operations)), title, summary, source },
    sections: sections
      .map(({ node, operations }) => ({
        node,
        operations,
        preconditions: subjectsOf(operations).map((subject) => {
          const state = findState(node, subject);
          if (state === undefined) throw new RangeError(`nobody told the state of ${subject} on ${node}`);
          return { subject, state };
        }),
      }))
      .toSorted((a, b) => (a.node < b.node ? -1 : 1)),
  };
}

/** The parts of a host that these operations replace: each once, in the order of a document. */
export function subjectsOf(operations: readonly Operation[]): string[] {
  return [...new Set(operations.flatMap((one) => subjectOf(one) ?? []))].toSorted((a, b) => (a < b ? -1 : 1));
}

function isSorted(items: readonly string[]): boolean {
  return items.every((item, index) => index === 0 || (items[index - 1] ?? "") < item);
}
