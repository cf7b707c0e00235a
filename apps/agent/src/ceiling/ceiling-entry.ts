import { pluginIdPattern } from "@gatehouse/contract";
import { type CeilingKind, type CeilingKindName, ceilingKindNames, ceilingKinds } from "./kinds.ts";

export interface CeilingEntry {
  readonly kind: CeilingKindName;
  /** Empty for an operation without a target. */
  readonly target: string;
  /** The only publisher whose programs may come there; absent: everyone whom the trust file names. */
  readonly publisher?: string;
}

/** Reads `KIND:TARGET`, for programs also `KIND:TARGET=PUBLISHER`, or says what is wrong with it. */
export function parseCeilingEntry(text: string): CeilingEntry | { readonly wrong: string } {
  const [name, rest] = splitAt(text, ":");
  const kind = ceilingKindNames.find((known) => known === name);
  if (kind === undefined)
    return { wrong: `there is no operation of that kind; there are ${ceilingKindNames.join(", ")}` };
  const row: CeilingKind = ceilingKinds[kind];
  const [target, publisher] = row.takesPublisher === true ? splitAt(rest ?? "", "=") : [rest ?? "", undefined];
  const isWhole = (row.target === null) === (rest === undefined);
  if (!isWhole || !row.form.test(target) || (publisher !== undefined && !pluginIdPattern.test(publisher))) {
    return { wrong: `expected ${row.target === null ? kind : `${kind}:${row.target}`}, with ${row.expects}` };
  }
  return { kind, target, ...(publisher === undefined ? {} : { publisher }) };
}

export function writeCeilingEntry({ kind, target, publisher }: CeilingEntry): string {
  const place = target === "" ? kind : `${kind}:${target}`;
  return publisher === undefined ? place : `${place}=${publisher}`;
}

/** What stands before the first of these characters, and what stands behind it. */
function splitAt(text: string, character: string): readonly [string, string | undefined] {
  const at = text.indexOf(character);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
