import { byteForm } from "@gatehouse/base";
import { fault } from "@gatehouse/contract";
import type { Operation } from "@gatehouse/plan";
import { plansLimits } from "./limits.ts";

/** An artifact as operations name it: its digest, and every signed fact of it that they hold. */
export type NamedArtifact = ReturnType<typeof binaryOf> | ReturnType<typeof releaseOf>;

/** What these operations put on hosts from beside the plan, each once: two that differ in a fact are two. */
export function namedArtifacts(operations: readonly Operation[]): readonly NamedArtifact[] {
  const named = new Map<string, NamedArtifact>();
  for (const operation of operations) {
    const found = namedBy(operation);
    if (found !== undefined) named.set(Buffer.from(byteForm(found)).toString(), found);
  }
  return [...named.values()];
}

/** The digests of them, each once, in rising order. */
export function digestsOf(named: readonly NamedArtifact[]): string[] {
  return [...new Set(named.map(({ sha256 }) => sha256))].toSorted();
}

/** Refuses more of them than one commit can hold. */
export function requireFewArtifacts(artifacts: readonly string[]): void {
  if (artifacts.length <= plansLimits.artifactsOfPlan) return;
  throw fault(
    "plan.artifact",
    `expected at most ${plansLimits.artifactsOfPlan} artifacts in a plan, found ${artifacts.length}`,
  );
}

function namedBy(operation: Operation): NamedArtifact | undefined {
  if (operation.kind === "binary.replace") return binaryOf(operation);
  return operation.kind === "agent.update" ? releaseOf(operation) : undefined;
}

function binaryOf(operation: Extract<Operation, { kind: "binary.replace" }>) {
  const { path: _, ...facts } = operation;
  return { ...facts, kind: "binary" } as const;
}

function releaseOf(operation: Extract<Operation, { kind: "agent.update" }>) {
  return { ...operation, kind: "release" } as const;
}
