import { findNetwork } from "@gatehouse/plan";
import type { PlanWish } from "../../api/plans.ts";
import { truncateMiddle } from "../../ui/middle.ts";
import {
  changeKinds,
  changeTitle,
  emptyChanges,
  type HostChange,
  mostTitle,
  operationOf,
  trimChange,
} from "../../widgets/ChangeFields/host-change.ts";
import { readInput } from "../../widgets/DraftPlan/read-input.ts";
import { type FirewallFields, readFirewall } from "./firewall-form.ts";
import type { NetworkHost } from "./network-hosts.ts";
import { sayChanges } from "./say-changes.ts";
import { readNetwork, type WireguardFields } from "./wireguard-form.ts";

export interface KeyedChange {
  readonly key: number;
  readonly change: HostChange;
}

/** What somebody has typed so far. */
export interface Composed {
  readonly title: string;
  readonly why: string;
  readonly changes: readonly KeyedChange[];
  readonly firewall: FirewallFields;
  readonly wireguard: WireguardFields;
  /** JSON, for plugins that have no form here. */
  readonly input: string;
  /** Networks from which people reach the hosts. */
  readonly management: string;
}

/** By whom the plan is drawn up, and how its part is typed. */
export type Source =
  | { readonly form: "hand" }
  | { readonly form: "firewall" | "wireguard" | "json"; readonly plugin: string; readonly title: string };

export interface WantedHosts {
  /** Whoever was chosen and can be changed; the server says who of them is away. */
  readonly chosen: readonly NetworkHost[];
  /** Without those that are away and left out. */
  readonly asked: readonly NetworkHost[];
  readonly skipsAway: boolean;
}

export interface ComposedWish {
  readonly wish: PlanWish;
  /** Nothing is asked of any host while something is wrong. */
  readonly isWhole: boolean;
  readonly wrong: Readonly<Partial<Record<"hosts" | "why" | "input" | "management", string>>>;
}

/** Whether it matters from where people reach the hosts: an interface is judged by who is connected alone. */
export function takesManagement({ form }: Source): boolean {
  return form !== "wireguard";
}

/** One more, in its place among the kinds; within its kind it is the last. An update is alone: it takes the place of what is still empty. */
export function addChange(changes: readonly KeyedChange[], kind: HostChange["kind"]): readonly KeyedChange[] {
  const key = Math.max(0, ...changes.map((one) => one.key)) + 1;
  const isEmpty = changes.every(({ change }) => JSON.stringify(change) === JSON.stringify(emptyChanges[change.kind]));
  if (kind === "agent.update" && isEmpty) return [{ key, change: emptyChanges[kind] }];
  const rank = ({ change }: KeyedChange): number => changeKinds.indexOf(change.kind);
  return [...changes, { key, change: emptyChanges[kind] }].toSorted((one, other) => rank(one) - rank(other));
}

/** What is sent to read the hosts: a plan that nobody is asked to review yet. */
export function composeWish(typed: Composed, source: Source, hosts: WantedHosts): ComposedWish {
  const management = takesManagement(source) ? typed.management.split(/[\s,]+/).filter(Boolean) : [];
  const noNetwork = management.find((text) => findNetwork(text) === undefined);
  const common = {
    nodes: hosts.chosen.map(({ id }) => id).toSorted(),
    review: false,
    ...(hosts.skipsAway && { skipOffline: true }),
    ...(management.length > 0 && { management }),
  };
  const part = composePart(typed, source, hosts);
  const wrong = {
    ...(hosts.chosen.length === 0 && { hosts: "Name a tag or a host: the plan is for somebody." }),
    ...(noNetwork !== undefined && { management: `${noNetwork} is no network, such as 192.0.2.0/24.` }),
    ...part.wrong,
  };
  return { wish: { ...part.wish, ...common }, wrong, isWhole: part.isWhole && Object.keys(wrong).length === 0 };
}

type Part = {
  readonly wish:
    | { readonly title: string; readonly summary: string; readonly operations: { kind: string }[] }
    | { readonly plugin: string; readonly input: never };
  readonly isWhole: boolean;
  readonly wrong: ComposedWish["wrong"];
};

function composePart(typed: Composed, source: Source, hosts: WantedHosts): Part {
  if (source.form === "hand") {
    const changes = typed.changes.map(({ change }) => trimChange(change));
    const summary = oneLine(typed.why);
    return {
      wish: {
        title:
          oneLine(typed.title) ||
          composedTitle(
            changes,
            hosts.asked.map(({ name }) => name),
          ),
        summary,
        operations: changes.map(operationOf),
      },
      isWhole: changes.length > 0 && sayChanges(changes).every(({ wrong }) => Object.keys(wrong).length === 0),
      wrong: summary === "" ? { why: "Say why: reviewers read it first." } : {},
    };
  }
  const { plugin } = source;
  if (source.form === "firewall") {
    const { input, wrong } = readFirewall(typed.firewall);
    return { wish: { plugin, input: input as never }, isWhole: Object.keys(wrong).length === 0, wrong: {} };
  }
  if (source.form === "wireguard") {
    const { input, wrong } = readNetwork(typed.wireguard, hosts);
    return { wish: { plugin, input: input as never }, isWhole: Object.keys(wrong).length === 0, wrong: {} };
  }
  const read = readInput(typed.input);
  return {
    wish: { plugin, input: (read.ok ? read.value : null) as never },
    isWhole: read.ok,
    wrong: read.ok ? {} : { input: read.why },
  };
}

/** What a plan is called that nobody gave a title: "Write /etc/motd and restart ssh.service on 3 hosts". */
export function composedTitle(changes: readonly HostChange[], names: readonly string[]): string {
  const parts = changes
    .map(changeTitle)
    .map((title, at) => (at === 0 ? title : title.replace(/^./, (first) => first.toLowerCase())));
  const last = parts.pop() ?? "";
  const what = parts.length === 0 ? last : `${parts.join(", ")} and ${last}`;
  const where = names.length === 1 ? names[0] : `${names.length.toLocaleString("en-GB")} hosts`;
  return truncateMiddle(`${what} on ${where}`, mostTitle);
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ");
}
