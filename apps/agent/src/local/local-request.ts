import { type JsonObject, parseStrictJsonBytes } from "@gatehouse/base";
import { fault } from "@gatehouse/contract/faults";
import * as z from "zod";

export interface LocalRequest {
  readonly id: number;
  readonly verb: string;
  /** What the verb itself has to judge. */
  readonly fields: JsonObject;
}

const envelope = z.looseObject({
  v: z.literal(1),
  id: z
    .int()
    .min(1)
    .max(2 ** 32 - 1),
  verb: z.string().max(64),
});

/** Reads one request. `last` is the id before it on this connection: ids only grow, so that none is answered twice. */
export function parseLocalRequest(bytes: Uint8Array, last: number): LocalRequest {
  const read = parseStrictJsonBytes(bytes, { depth: 16, keys: 1_000, items: 10_000 });
  if (!read.ok) throw fault("local.frame", `expected strict JSON, found ${read.reason} at ${read.at}`);
  const parsed = envelope.safeParse(read.value);
  if (!parsed.success) throw fault("local.frame", "expected an object with v 1, an id and a verb");
  const { v: _, id, verb, ...fields } = parsed.data;
  if (id <= last) throw fault("local.frame", `expected an id above ${last}, found ${id}`);
  return { id, verb, fields: fields as JsonObject };
}

/** One answer for every id. A refusal of what has no id that could be read carries 0. */
export type LocalAnswer =
  | (JsonObject & { readonly v: 1; readonly id: number; readonly ok: true })
  | { readonly v: 1; readonly id: number; readonly ok: false; readonly code: string; readonly detail: string };
