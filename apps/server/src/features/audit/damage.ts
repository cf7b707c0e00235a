import { Fault } from "@gatehouse/base";
import { isFault } from "@gatehouse/contract";
import type { Broken } from "@gatehouse/store";

const fileOf = {
  "store.log_damaged": "state.json.audit-wal",
  "store.archive_damaged": "logs.db",
  "store.files_of_different_moments": "state.json.audit-wal",
} as const;

/** What a refused read says of the files; undefined when it was refused for another reason. */
export function damageOf(error: unknown): Broken | undefined {
  const code = (Object.keys(fileOf) as (keyof typeof fileOf)[]).find((known) => isFault(error, known));
  if (code === undefined || !(error instanceof Fault)) return undefined;
  const { file = fileOf[code], position = 0, expected = "what was written", found = error.detail } = error.fields;
  return { file: String(file), position: Number(position), expected: String(expected), found: String(found) };
}
