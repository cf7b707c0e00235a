import { auditFloorKind, defineKind, type RecordKey, type RecordKind, witnessKind } from "@gatehouse/contract/records";
import type { Kinds } from "@gatehouse/store";
import * as z from "zod";

/** The store's own records keep their kinds. */
const kinds = new Map<string, RecordKind>([auditFloorKind, witnessKind].map((kind) => [kind.name, kind]));

/** A kind for tests of the store itself, which keeps whatever it is given: any JSON object is a value of it. */
export function inventedKind(name: string): RecordKind {
  const known = kinds.get(name);
  if (known !== undefined) return known;
  const kind = defineKind({ name, says: "For tests.", schema: z.record(z.string(), z.json()), kept: "for ever" });
  kinds.set(name, kind);
  return kind;
}

/** `kind/id` as a key of an invented kind. */
export function inventedKey(text: string): RecordKey {
  const end = text.indexOf("/");
  return inventedKind(text.slice(0, end)).key(text.slice(end + 1));
}

/** For a store that keeps records of whatever kind a test invents. */
export const inventedKinds: Kinds = { find: inventedKind };
