import { isApiError } from "../../api/api-error.ts";

export interface HostWithoutWay {
  readonly node: string;
  readonly name: string;
  readonly why: readonly string[];
}

/** Which hosts a refusal to undo names, and how many it does not. Any other refusal names none. */
export function noWayBack(error: unknown): { readonly hosts: readonly HostWithoutWay[]; readonly more: number } {
  if (!isApiError(error, "plan.not_undoable")) return { hosts: [], more: 0 };
  const { nodes, more } = error.fields;
  return {
    hosts: Array.isArray(nodes) ? nodes.filter(isHost) : [],
    more: typeof more === "number" ? more : 0,
  };
}

function isHost(value: unknown): value is HostWithoutWay {
  if (typeof value !== "object" || value === null) return false;
  const { node, name, why } = value as Partial<Record<keyof HostWithoutWay, unknown>>;
  return typeof node === "string" && typeof name === "string" && Array.isArray(why);
}
