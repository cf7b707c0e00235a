import { byteForm, type Json } from "@gatehouse/base";
import type { ArtifactRecord } from "@gatehouse/contract/records";

const factNames = [
  "kind",
  "name",
  "version",
  "architecture",
  "sha256",
  "size",
  "publisher",
  "signature",
] as const satisfies readonly (keyof ArtifactRecord)[];

/** Facts of an artifact as somebody says them: all of them, or those that an operation of a plan has. */
export type SaidFacts = { readonly [Name in (typeof factNames)[number]]?: Json | undefined };

/** The facts that are said of it and that it does not have. */
export function differingFacts(said: SaidFacts, record: ArtifactRecord): readonly string[] {
  return factNames.filter((name) => said[name] !== undefined && !isSame(said[name], record[name]));
}

function isSame(one: Json, other: Json | undefined): boolean {
  return other !== undefined && Buffer.compare(byteForm(one), byteForm(other)) === 0;
}
