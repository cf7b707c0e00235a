import { fault, type Scope } from "@gatehouse/contract";
import type { Principal } from "../../platform/route/index.ts";

type Holder = Pick<Principal, "scopes" | "nodes">;

/**
 * The one authorisation of the product: may this principal use this scope on these nodes? Refusals are thrown. A
 * principal that is limited to some nodes must name nodes, and only its own: what names none would concern them all.
 */
export function authorise(principal: Holder, scope: Scope, nodes: readonly string[] = []): void {
  if (!principal.scopes.has(scope)) {
    throw fault("auth.scope_missing", `the scope ${scope} is needed`, { fields: { scope } });
  }
  if (principal.nodes === undefined) return;
  if (nodes.length === 0) {
    throw fault("auth.node_limited", "the credential is limited to some nodes, and this concerns more than nodes");
  }
  const foreign = nodes.filter((node) => principal.nodes?.has(node) === false);
  if (foreign.length > 0) {
    const shown = foreign.slice(0, shownNodes);
    throw fault("auth.node_limited", `the credential is not for ${shown.join(", ")}`, { fields: { nodes: shown } });
  }
}

/** What of a list a principal may see. Without the scope that is nothing; lists are filtered, not refused. */
export function visibleNodes<Item>(
  principal: Holder,
  scope: Scope,
  items: readonly Item[],
  nodeOf: (item: Item) => string,
): readonly Item[] {
  if (!principal.scopes.has(scope)) return [];
  const { nodes } = principal;
  return nodes === undefined ? items : items.filter((item) => nodes.has(nodeOf(item)));
}

const shownNodes = 10;
