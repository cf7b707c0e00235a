import type { OverviewItem, OverviewList } from "../../api/overview.ts";
import type { State } from "../../ui/StateMark.tsx";
import { approvalsHref, plansHref } from "../../widgets/Plans/plans-href.ts";

type Kind = OverviewItem["kind"];

/** The mark of a kind, and the list in which all of it stand. */
const places: Readonly<Record<Kind, readonly [State, href?: string, label?: string]>> = {
  chain: ["bad", "/audit", "The audit log"],
  witness: ["bad", "/audit", "The audit log"],
  store: ["bad"],
  disk: ["warn"],
  unread: ["unheard"],
  measured: ["warn"],
  plan_failed: ["bad", plansHref("done"), "Plans that ended"],
  plan_rolled_back: ["back", plansHref("done"), "Plans that ended"],
  rival: ["warn", "/nodes?state=rival", "Two machines"],
  offline: ["off", "/nodes?state=offline", "Hosts that are offline"],
  alert: ["warn", "/alerts", "Alerts"],
  drift: ["warn", "/nodes?state=drifted", "Hosts that differ"],
  clock: ["warn", "/nodes", "All nodes"],
  plugin: ["bad", "/plugins?state=failing", "Plugins that fail"],
  bundle: ["refused", "/plugins?state=rejected", "Rejected bundles"],
  webhook: ["bad", "/settings/webhooks", "Webhooks"],
  review: ["wait", approvalsHref, "Approvals"],
  decision: ["wait", "/plugins?state=waiting", "Plugins that wait"],
  old_agent: ["idle", "/nodes", "All nodes"],
  running: ["run", plansHref("running"), "Plans"],
  halted: ["warn", plansHref("halted"), "Plans"],
  approved: ["idle", plansHref("approved"), "Plans"],
  token_expiring: ["warn", "/tokens", "Tokens"],
  key_expiring: ["warn", "/plugins", "Plugins"],
  bundle_expiring: ["warn", "/plugins", "Plugins"],
};

/** Plans lead to those of their hosts that are meant. */
const tasks: Partial<Record<Kind, string>> = {
  plan_failed: "?task=failed_after_change",
  plan_rolled_back: "?task=rolled_back",
};

const byType: Partial<Record<OverviewItem["subject"]["type"], (id: string) => string>> = {
  node: (id) => `/nodes/${id}`,
  plan: (id) => `/plans/${id}`,
  plugin: (id) => `/plugins/${id}`,
  bundle: (id) => `/plugins?state=rejected#rejected-${encodeURIComponent(id)}`,
};

export function markOf(kind: Kind): State {
  return places[kind][0];
}

/** Where one of them is, or else the list in which it stands. */
export function hrefOf({ kind, subject }: OverviewItem): string | undefined {
  // What to do about another log stands on the page of the log, and not on that of the host that saw it.
  const own = kind === "witness" ? undefined : byType[subject.type]?.(subject.id);
  return own === undefined ? listHref(kind) : `${own}${tasks[kind] ?? ""}`;
}

export function listHref(kind: Kind): string | undefined {
  return places[kind][1];
}

export interface OverviewLink {
  readonly href: string;
  readonly label: string;
}

/** The lists in which what is found stands, each once, in the order in which it is found. */
export function linksOf({ counts }: Pick<OverviewList, "counts">): readonly OverviewLink[] {
  const found = counts.flatMap(({ kind }) => {
    const [, href, label] = places[kind];
    return href === undefined || label === undefined ? [] : [{ href, label }];
  });
  const first = found.filter(({ label }, at) => found.findIndex((one) => one.label === label) === at);
  // More would push each other out of the head; what they lead to stands in the rows as well.
  return first.slice(0, 2).map((one) => (one.label === "Plans" ? { ...one, href: plansHref() } : one));
}
