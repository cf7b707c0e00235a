/**
 * One small edit that breaks one sentence of the contract. If the test that the sentence's row names stays green with it, the
 * test does not hold the sentence.
 */
export interface Edit {
  /** The row of `docs/contract.md`; a second edit of one row has a letter behind it: `3-7`, `3-7b`. */
  readonly id: string;
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly old: string;
  readonly new: string;
  /** The test that must fail: words of one name in the row. */
  readonly by: string;
  /** Really made and run in the gate too; of the others the gate checks that they still apply. */
  readonly inGate?: true;
}

export function rowOf({ id }: Pick<Edit, "id">): string {
  return id.replace(/[a-z]$/, "");
}

/** The edits of one file. */
export function editsIn(file: string, edits: readonly Omit<Edit, "file">[]): Edit[] {
  return edits.map((edit) => ({ ...edit, file }));
}
