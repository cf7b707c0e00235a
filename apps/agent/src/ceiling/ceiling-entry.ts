import { type CeilingKind, type CeilingKindName, ceilingKindNames, ceilingKinds } from "./kinds.ts";

export interface CeilingEntry {
  readonly kind: CeilingKindName;
  /** Empty for an operation without a target. */
  readonly target: string;
}

/** Reads `KIND:TARGET`, or says what is wrong with it. */
export function parseCeilingEntry(text: string): CeilingEntry | { readonly wrong: string } {
  const colon = text.indexOf(":");
  const [name, target] = colon === -1 ? [text, ""] : [text.slice(0, colon), text.slice(colon + 1)];
  const kind = ceilingKindNames.find((known) => known === name);
  if (kind === undefined)
    return { wrong: `there is no operation of that kind; there are ${ceilingKindNames.join(", ")}` };
  const row: CeilingKind = ceilingKinds[kind];
  if (!row.form.test(target) || (row.target === null) !== (colon === -1)) {
    return { wrong: `expected ${row.target === null ? kind : `${kind}:${row.target}`}, with ${row.expects}` };
  }
  return { kind, target };
}

export function writeCeilingEntry({ kind, target }: CeilingEntry): string {
  return target === "" ? kind : `${kind}:${target}`;
}
