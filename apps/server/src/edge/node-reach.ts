import { fault } from "@gatehouse/contract";
import type { NodeReach } from "@gatehouse/contract/routes";
import { NodeFilter } from "../platform/route/index.ts";

/**
 * May a credential that is limited to these nodes make a call of this reach? Refusals are thrown. `params` are those of the
 * path as the handler will get them: what is judged is what is used.
 */
export function requireReach(
  reach: NodeReach,
  own: ReadonlySet<string>,
  params: Readonly<Record<string, unknown>>,
): void {
  if (reach === "every") return new NodeFilter(own).requireEvery();
  if (reach === "filtered" || "none" in reach) return;
  const node = params[reach.param];
  if (typeof node === "string" && own.has(node)) return;
  throw fault("auth.node_limited", `the credential is limited to some nodes, and ${reach.param} is not one of them`);
}
