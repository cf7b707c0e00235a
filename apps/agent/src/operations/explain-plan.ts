import { join } from "node:path";
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
  wordsOf,
} from "@gatehouse/plan";
import { sha256 } from "../local/sha256.ts";
import type { ChangeStep, ExplainedChange } from "./host-operation.ts";
import { findHostChange } from "./host-operations.ts";

/**
 * What this version would do for a plan or for one section of it, for people and for machines. Made of the bytes alone: nothing of
 * the host is read. `snapshots` is where each task has a directory of its own.
 */
export function explainPlan(bytes: Uint8Array, snapshots: string): Report {
  const { digest, head, sections } = readExplained(bytes);
  const directory = join(snapshots, "TASK");
  const read = sections.map(({ node, operations }) => ({
    node,
    operations: operations.map((operation, index) => explainOperation(operation, index, directory)),
  }));
  return {
    ok: read.every(({ operations }) => operations.every(({ change }) => change !== null)),
    lines: [`${head} ${digest}`, ...read.flatMap(sectionLines)],
    json: { digest, sections: read.map(jsonOf) },
  };
}

interface ExplainedOperation {
  readonly kind: Operation["kind"];
  readonly title: string;
  readonly words: readonly string[];
  /** Null where this version cannot make it. */
  readonly change: ExplainedChange | null;
}

interface ExplainedSection {
  readonly node: string;
  readonly operations: readonly ExplainedOperation[];
}

function explainOperation(operation: Operation, index: number, directory: string): ExplainedOperation {
  const change = findHostChange(operation.kind)?.explain(directory, operation) ?? null;
  return { kind: operation.kind, title: operationTitle(operation, index), words: wordsOf(operation), change };
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

const stepWords: Readonly<Record<ChangeStep, string>> = {
  validate: "whether it can be made",
  snapshot: "what is there now",
  prove: "whether that could be put back",
  apply: "the change",
  check: "whether it is made",
  restore: "only to take it back",
};

function sectionLines({ node, operations }: ExplainedSection): string[] {
  return ["", node, ...operations.flatMap(operationLines)];
}

/** Title and words stand as in the command line's `plan show`. */
function operationLines({ title, words, change }: ExplainedOperation): string[] {
  const said = [`  ${title}`, ...words.map((line) => `       ${line}`)];
  if (change === null) return [...said, `     ${notMade}`];
  return [
    ...said,
    ...change.files.flatMap(({ path, text }) => [
      `     writes ${path}:`,
      ...text
        .trimEnd()
        .split("\n")
        .map((line) => `       ${line}`),
    ]),
    ...(change.programs.length > 0 ? ["     starts:"] : []),
    ...change.programs.map(({ step, argv }) => `       ${argv.join(" ")}  # ${stepWords[step]}`),
  ];
}

const notMade =
  "This version of the agent cannot make it: it refuses the whole change (plan.kind_unknown), and the approval is not spent.";

function jsonOf({ node, operations }: ExplainedSection): JsonObject {
  return {
    node,
    operations: operations.map(
      ({ kind, words, change }): JsonObject => ({
        kind,
        words,
        made: change !== null,
        files: (change?.files ?? []).map(({ path, text }) => ({ path, text })),
        programs: (change?.programs ?? []).map(({ step, argv }) => ({ step, argv })),
      }),
    ),
  };
}
