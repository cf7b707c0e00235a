import { describeOperation } from "../plugins/describe-operation.ts";
import type { CheckedSection } from "./check-section.ts";

export interface OperationWords {
  /** Made here, of the checked document. */
  readonly head: string;
  readonly words: readonly string[];
}

/**
 * What a section does, operation by operation. The only place that decides whose words are shown: the heads are made here of the
 * checked document; the words below them are the server's.
 */
export function sectionWords({ view, section }: CheckedSection): OperationWords[] {
  return section.operations.map((operation, index) => ({
    head: `${index + 1}. ${describeOperation(operation)}`,
    words: view.operations[index]?.words ?? [],
  }));
}

export interface OperationDiff {
  readonly head: string;
  readonly lines: readonly string[];
}

const marks = { same: " ", added: "+", removed: "-" } as const;

/** What differs before and after, operation by operation. The only place that decides whose comparison is shown: the server's. */
export function sectionDiff({ view, section }: CheckedSection): OperationDiff[] {
  return section.operations.map((operation, index) => ({
    head: `${index + 1}. ${describeOperation(operation)}`,
    lines: (view.operations[index]?.diff ?? []).map(({ mark, text }) => `${marks[mark]} ${text}`),
  }));
}
