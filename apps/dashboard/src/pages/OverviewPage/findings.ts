import type { BundleRejection, Node, Plan, Plugin } from "@gatehouse/contract/routes";
import type { AuditCheck } from "../../api/audit.ts";
import type { Lifecycle } from "../../api/plugins.ts";
import type { State } from "../../ui/StateMark.tsx";
import { changeWords } from "../../widgets/Capabilities/capability-rows.ts";
import { type Disbelief, whyOf } from "../../widgets/disbelief.ts";
import { sayStanding, standingOf } from "../../widgets/Fleet/standing.ts";
import { plansHref } from "../../widgets/Plans/plans-href.ts";
import { type PluginFilter, summaryOf } from "../../widgets/PluginSummary/plugin-summary.ts";

/** One thing that is broken or waits for somebody, and where it is. */
export interface Finding {
  readonly key: string;
  readonly state: State;
  readonly word: string;
  readonly title: string;
  readonly line: string;
  readonly at: string | null;
  readonly href: string;
}

/** What is broken: the audit log, changes that ended badly, hosts that are away, plugins that fail, then bundles that were turned away. */
export function brokenOf(
  { items, rejections }: Pick<Lifecycle, "items" | "rejections">,
  check: AuditCheck | undefined,
  nodes: readonly Node[],
  plans: readonly Plan[] = [],
): Finding[] {
  const plugins = [...filterPlugins(items, "failing").map(failing), ...rejections.map(rejected)];
  return [...editedLog(check), ...plans.flatMap(endedBadly), ...rivals(nodes), ...away(nodes), ...plugins];
}

export interface FindingsLink {
  readonly href: string;
  readonly label: string;
}

/** Where all of a kind are, by the address of one of them. */
const wholeLists: Readonly<Record<string, FindingsLink>> = {
  audit: { href: "/audit", label: "The audit log" },
  plans: { href: plansHref("done"), label: "Plans that ended" },
  nodes: { href: "/nodes?state=offline", label: "Hosts that are offline" },
  plugins: { href: "/plugins", label: "All plugins" },
};

/** The lists in which what is found stands, in the order in which it is found. */
export function linksOf(findings: readonly Pick<Finding, "href">[]): readonly FindingsLink[] {
  const kinds = new Set(findings.map(({ href }) => href.split(/[/?#]/)[1] ?? ""));
  return [...kinds].flatMap((kind) => wholeLists[kind] ?? []);
}

const dayMs = 86_400_000;

/** A host that a change has left otherwise than it was is broken for a week; one that put back what was there, for a day. */
export function endedBadly({ id, title, stateAt, ended }: Plan): Finding[] {
  const age = Date.now() - Date.parse(stateAt);
  const [half, back] = [ended?.failed_after_change ?? 0, ended?.rolled_back ?? 0];
  const common = { key: id, at: stateAt };
  if (half > 0 && age < 7 * dayMs) {
    const line = `${hosts(half)} neither as before nor as planned: look there now.`;
    const href = `/plans/${id}?task=failed_after_change`;
    return [{ ...common, state: "bad", word: "Failed after change", title, line, href }];
  }
  if (back === 0 || age >= dayMs) return [];
  const line = `${hosts(back)} as before: the change was taken back.`;
  return [{ ...common, state: "back", word: "Rolled back", title, line, href: `/plans/${id}?task=rolled_back` }];
}

function hosts(count: number): string {
  return count === 1 ? "1 host is" : `${count.toLocaleString("en-GB")} hosts are`;
}

export function offlineOf(nodes: readonly Node[]): Node[] {
  return nodes.filter((node) => standingOf(node) === "offline");
}

/** Above this the hosts would hide everything else: then they are one line that leads to all of them. */
const mostHosts = 3;

function away(nodes: readonly Node[]): Finding[] {
  const offline = offlineOf(nodes);
  if (offline.length <= mostHosts) return offline.map(offlineHost);
  const sinces = offline.flatMap(({ since }) => since ?? []).sort();
  return [
    {
      key: "offline",
      state: "off",
      word: "Offline",
      title: `${offline.length.toLocaleString("en-GB")} hosts are offline`,
      line: `${offline
        .slice(0, mostHosts)
        .map(({ name }) => name)
        .join(", ")} and ${(offline.length - mostHosts).toLocaleString("en-GB")} more.`,
      at: sinces.at(-1) ?? null,
      href: "/nodes?state=offline",
    },
  ];
}

function offlineHost({ id, name, since, address }: Node): Finding {
  return {
    key: id,
    state: "off",
    word: "Offline",
    title: `${name} is offline`,
    line: address === null ? "It was not heard since the server's start." : `Last from ${address}.`,
    at: since,
    href: `/nodes/${id}`,
  };
}

function rivals(nodes: readonly Node[]): Finding[] {
  return nodes
    .filter((node) => standingOf(node) === "rival")
    .map((node) => ({
      key: `rival ${node.id}`,
      state: "warn",
      word: "Two machines",
      title: `${node.name}: ${sayStanding(node, 0).word.toLowerCase()}`,
      line: `Connections from ${node.address ?? "an unknown address"} and ${node.rival?.address ?? "another"} take each other's place.`,
      at: node.rival?.at ?? null,
      href: `/nodes/${node.id}`,
    }));
}

/** Before everything else: what the log says of the rest may not be so. */
export function otherLog(disbelief: Disbelief | undefined): Finding[] {
  if (disbelief === undefined) return [];
  const { first, hosts } = disbelief;
  const others = hosts.length - 1;
  const more =
    others > 0 ? ` ${others.toLocaleString("en-GB")} more ${others === 1 ? "refuses" : "refuse"} it too.` : "";
  return [
    {
      key: "other log",
      state: "bad",
      word: "Not the same log",
      title: `The audit log is not the one that ${first.name} saw`,
      line: `${whyOf(first)}${more} Approve nothing because of what the log says.`,
      at: first.since,
      href: "/audit",
    },
  ];
}

function editedLog(check: AuditCheck | undefined): Finding[] {
  if (check?.state !== "failed" || check.broken === null) return [];
  const { file, position, todo } = check.broken;
  return [
    {
      key: file,
      state: "bad",
      word: "Broken",
      title: `${file} is damaged or was edited`,
      line: `From #${position.toLocaleString("en-GB")} on. ${todo}`,
      at: check.endedAt,
      href: "/audit",
    },
  ];
}

/** As the filters of the list have it, so that a count leads to as many. */
export function filterPlugins(items: readonly Plugin[], filter: PluginFilter): Plugin[] {
  return items.filter((item) => summaryOf(item).filter === filter);
}

/** Plans that the reader could approve and has not. */
export function waitingPlans(plans: readonly Plan[]): Finding[] {
  return plans.map(({ id, title, nodes, stateAt, approvals }) => ({
    key: id,
    state: "wait",
    word: "Waiting",
    title,
    line: `A plan for ${nodes === 1 ? "1 host" : `${nodes.toLocaleString("en-GB")} hosts`}, ${approvals.length === 0 ? "approved by nobody yet" : "approved in part"}. Approve it or reject it.`,
    at: stateAt,
    href: `/plans/${id}`,
  }));
}

export function waitingOf(items: readonly Plugin[]): Finding[] {
  return filterPlugins(items, "waiting").map((plugin) => {
    const { id, name, version, status, change, installedAt, verifiedAt } = plugin;
    const common = { key: id, state: "wait", word: "Waiting", href: `/plugins/${id}` } as const;
    if (status === "installed") {
      return {
        ...common,
        title: `${name} ${version}: accepted, not activated`,
        line: "Activate it, or disable it. Nothing of it runs.",
        at: installedAt,
      };
    }
    if (change === undefined) {
      return {
        ...common,
        title: `${name} ${version}: verified, not accepted`,
        line: `Accept or leave closed. By ${plugin.publisher}, ${reachWords(plugin)}.`,
        at: verifiedAt,
      };
    }
    const down = change.downgrade ? "It is a downgrade. " : "";
    return {
      ...common,
      title: `${name} ${version}: ${change.downgrade ? "older digest" : "new digest"}`,
      line: `${down}Accept or leave closed. Against ${change.from.version}: ${difference(change)}.`,
      at: verifiedAt,
    };
  });
}

function failing(plugin: Plugin): Finding {
  const { state, word, cause } = summaryOf(plugin);
  const last = plugin.runtime.lastErrors[0];
  return {
    key: plugin.id,
    state,
    word,
    title: `${plugin.name} ${word.toLowerCase()}`,
    line: [cause ?? word, ...(last === undefined ? [] : [`Last, ${last.action}: ${last.reason}`])].join(". "),
    at: last?.at ?? plugin.disabledAt ?? plugin.updatedAt,
    href: `/plugins/${plugin.id}`,
  };
}

function rejected({ name, code, detail, rejectedAt }: BundleRejection): Finding {
  return {
    key: `${name} ${code}`,
    state: "refused",
    word: "Rejected",
    title: `${name} rejected`,
    line: `${detail.charAt(0).toUpperCase()}${detail.slice(1)}. Not loaded.`,
    at: rejectedAt,
    href: `/plugins?state=rejected#rejected-${encodeURIComponent(name)}`,
  };
}

function difference(change: NonNullable<Plugin["change"]>): string {
  const { addedCapabilities: added, removedCapabilities: removed } = change;
  if (added.length + removed.length === 0) return changeWords(change);
  const parts = [
    added.length > 0 ? `adds ${added.join(", ")}` : "",
    removed.length > 0 ? `removes ${removed.join(", ")}` : "",
  ];
  return parts.filter((part) => part !== "").join("; ");
}

function reachWords({ capabilities }: Plugin): string {
  if (capabilities.some(({ risk }) => risk === "host")) return "reaches hosts by plans";
  if (capabilities.some(({ risk }) => risk === "network")) return "reaches the network";
  if (capabilities.some(({ risk }) => risk === "fleet")) return "reads about nodes";
  return capabilities.length === 0 ? "declares nothing" : "reaches its own data only";
}
