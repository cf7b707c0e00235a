import { chmod } from "node:fs/promises";
import { dirname } from "node:path";
import { parseStrictJsonBytes } from "@gatehouse/base";
import { fault } from "@gatehouse/contract/faults";
import { makeDirectoryDurably, nodeVfs, replaceDurably, type Vfs } from "@gatehouse/files";
import type * as z from "zod";
import { findOwnedFile } from "../host/read-owned-file.ts";

/** A small JSON file of the agent: where it stands, what it holds, and who alone may have written it. */
export interface JsonFile<Value> {
  readonly path: string;
  readonly owner: number;
  /** 0600 for what nobody else may read, 0644 for what all may. */
  readonly mode: 0o600 | 0o644;
  /** Closed: a field that this version does not know makes the file unusable. */
  readonly form: z.ZodType<Value>;
  /** What of JSON it may hold; little unless said otherwise. */
  readonly limits?: { readonly depth: number; readonly keys: number; readonly items: number };
  /** Where it is written; tests alone have another disk. */
  readonly vfs?: Vfs | undefined;
}

/** What the file holds; undefined when there is none. A file that is not as it was written is refused, never guessed at. */
export function findJsonFile<Value>({ path, owner, mode, form, limits = usual }: JsonFile<Value>): Value | undefined {
  const forbidden = mode === 0o600 ? 0o077 : 0o022;
  const bytes = findOwnedFile({ path, owner, forbidden, unsafe: "agent.file_unusable" });
  if (bytes === undefined) return undefined;
  const read = parseStrictJsonBytes(bytes, limits);
  const parsed = read.ok ? form.safeParse(read.value) : undefined;
  if (parsed?.success === true) return parsed.data;
  throw fault("agent.file_unusable", `${path} does not hold what the agent writes there`);
}

const usual = { depth: 8, keys: 256, items: 256 };

/** Replaced whole or not at all, and on the disk when this returns. Its mode is part of it: after a cut nobody would set it. */
export async function putJsonFile<Value>({ path, mode, vfs = nodeVfs }: JsonFile<Value>, value: Value): Promise<void> {
  await makeDirectoryDurably(vfs, dirname(path));
  // The network part has a user of its own, and reads what is for all.
  if (mode !== 0o600) await chmod(dirname(path), 0o755);
  await replaceDurably(vfs, path, async (file, temporary) => {
    await file.write(new TextEncoder().encode(`${JSON.stringify(value)}\n`), 0);
    if (mode !== 0o600) await chmod(temporary, mode);
  });
}
