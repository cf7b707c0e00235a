import { type JsonObject, readByteForm } from "@gatehouse/base";
import type { Report } from "@gatehouse/command-line";
import { fault } from "@gatehouse/contract/faults";
import {
  type Operation,
  operationTitle,
  parsePlan,
  parsePlanSection,
  planDigest,
  type PlanReading,
  type PlanSection,
  sectionDigest,
  type HostPlaces,
  type HostWork,
  wordsOf,
  workLines,
  workOfOperation,
} from "@gatehouse/plan";
import { sha256 } from "../local/sha256.ts";

/**
 * What this version would do for a plan or for one section of it, for people and for machines. Made of the bytes alone: nothing of
 * the host is read.
 */
export function explainPlan(bytes: Uint8Array, places: HostPlaces): Report {
  const { digest, head, sections } = readExplained(bytes);
  const read = sections.map(({ node, operations }) => ({
    node,
    operations: operations.map((operation, index) => explainOperation(operation, index, places)),
  }));
  return {
    ok: true,
    lines: [`${head} ${digest}`, ...read.flatMap(sectionLines)],
    json: { digest, sections: read.map(jsonOf) },
  };
}

interface ExplainedOperation {
  readonly kind: Operation["kind"];
  readonly title: string;
  readonly words: readonly string[];
  readonly work: HostWork;
}

interface ExplainedSection {
  readonly node: string;
  readonly operations: readonly ExplainedOperation[];
}

function explainOperation(operation: Operation, index: number, places: HostPlaces): ExplainedOperation {
  const work = workOfOperation(operation, places);
  return { kind: operation.kind, title: operationTitle(operation, index), words: wordsOf(operation), work };
}

/** A file holds what it says by its first member: a document has sections, and a section has none. */
function readExplained(bytes: Uint8Array) {
  const value = readByteForm(bytes, { depth: 32, keys: 2_000_000, items: 2_000_000 });
  if (value === undefined) throw fault("plan.form", "expected a plan or a section in its byte form, found other bytes");
  if (typeof value === "object" && value !== null && "sections" in value) {
    const plan = valueOf(parsePlan(bytes));
    return { head: "Plan", digest: planDigest(sha256, plan), sections: plan.sections };
  }
  const section: PlanSection = valueOf(parsePlanSection(bytes));
  return { head: "Section", digest: sectionDigest(sha256, section), sections: [section] };
}

function valueOf<T>(reading: PlanReading<T>): T {
  if (!reading.ok) throw fault("plan.schema", `expected a plan of schema 1, found ${reading.reason}`);
  return reading.value;
}

function sectionLines({ node, operations }: ExplainedSection): string[] {
  return ["", node, ...operations.flatMap(operationLines)];
}

/** As in the command line's `plan show --programs`. */
function operationLines({ title, words, work }: ExplainedOperation): string[] {
  return [`  ${title}`, ...words.map((line) => `       ${line}`), ...workLines(work)];
}

function jsonOf({ node, operations }: ExplainedSection): JsonObject {
  return {
    node,
    operations: operations.map(
      ({ kind, words, work }): JsonObject => ({
        kind,
        words,
        files: work.files.map(({ path, text }) => ({ path, text })),
        programs: work.programs.map(({ step, argv }) => ({ step, argv })),
      }),
    ),
  };
}
