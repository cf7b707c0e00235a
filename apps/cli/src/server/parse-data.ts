import type { ResponseSpec } from "@gatehouse/contract/routes";

export type Schema = Extract<ResponseSpec, { safeParse: unknown }>;
export type ParsedData = { readonly data: unknown } | { readonly problem: string };

/**
 * Checks an answer against the row's schema. Fields that are not in it are left out, not refused: a newer server of the
 * same minor version may have more of them, while everything this program relies on is still as it was.
 */
export function parseData(schema: Schema, value: unknown): ParsedData {
  const result = schema.safeParse(value);
  if (result.success) return { data: result.data };
  const { issues } = result.error;
  const surplus = issues.filter((issue) => issue.code === "unrecognized_keys");
  const copy: unknown = surplus.length === issues.length ? structuredClone(value) : undefined;
  for (const { path, keys } of surplus) for (const key of keys) leaveOut(copy, path, key);
  const again = schema.safeParse(copy);
  if (surplus.length === issues.length && again.success) return { data: again.data };
  const [first] = issues;
  return { problem: `${["answer", ...(first?.path ?? [])].join(".")}: ${first?.message ?? "unknown"}` };
}

function leaveOut(value: unknown, path: readonly PropertyKey[], key: string): void {
  let at = value;
  for (const step of path) at = isObject(at) ? at[step] : undefined;
  if (isObject(at)) delete at[key];
}

function isObject(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === "object" && value !== null;
}
