import { type LintAround, type LintFinding, lintFinding } from "./lint-finding.ts";
import { lintOperation } from "./operations/review.ts";
import { type Operation, subjectOf } from "./operations/table.ts";
import { lintSiblings } from "./operations/wireguard/lint-siblings.ts";

/** With the place of the operation in its section, from 0. */
export interface SectionFinding extends LintFinding {
  readonly operation: number;
}

export interface NodeFinding extends SectionFinding {
  readonly node: string;
}

/** The findings of every section, in the order of the plan. What is known around each node is the caller's to say. */
export function lintPlan(
  sections: readonly { readonly node: string; readonly operations: readonly Operation[] }[],
  aroundOf: (node: string) => LintAround,
): NodeFinding[] {
  return sections.flatMap(({ node, operations }) =>
    lintSection(operations, aroundOf(node)).map((finding) => ({ node, ...finding })),
  );
}

/** The findings of one node's operations, in their order. */
export function lintSection(operations: readonly Operation[], around: LintAround): SectionFinding[] {
  const subjects = operations.map(subjectOf);
  const siblings = lintSiblings(operations);
  const ofHost = operations.length === 0 ? [] : acceptsFindings(around.accepts);
  const found = operations.flatMap((one, operation) => {
    const subject = subjects[operation] ?? null;
    const earlier = subject === null ? -1 : subjects.indexOf(subject);
    const twice = earlier === -1 || earlier === operation ? [] : [twiceFinding(subject ?? "", earlier)];
    const alone = one.kind === "agent.update" && operations.length > 1 ? [aloneFinding(operations.length)] : [];
    return [...lintOperation(one, around), ...(siblings[operation] ?? []), ...twice, ...alone].map((finding) => ({
      operation,
      ...finding,
    }));
  });
  return [...ofHost.map((finding) => ({ operation: 0, ...finding })), ...found];
}

function acceptsFindings(accepts: LintAround["accepts"]): LintFinding[] {
  if (accepts === "none") {
    const says = "Root of this host has named nobody who approves changes: it will refuse this one.";
    return [lintFinding("host.takes_none", says)];
  }
  if (accepts !== "server") return [];
  const says = "This host takes this server's word: whoever has the server can change what its ceiling lists.";
  return [lintFinding("host.server_trusted", says)];
}

function aloneFinding(count: number): LintFinding {
  return lintFinding(
    "agent.alone",
    `A host updates its agent alone: it will refuse this section of ${count} operations.`,
  );
}

function twiceFinding(subject: string, earlier: number): LintFinding {
  return lintFinding(
    "section.subject_twice",
    `Operation ${earlier + 1} of this section is already about ${subject}: what stays is what the last one does.`,
  );
}
