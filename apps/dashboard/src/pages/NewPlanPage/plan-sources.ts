import type { ComponentKey } from "@gatehouse/contract";
import type { AgentBuild } from "../../widgets/Fleet/agent-builds.ts";
import { type HostChoice, noHosts } from "../../widgets/PlanHosts/plan-hosts.ts";
import type { Source } from "./compose-wish.ts";

/** What the address says to begin with: `?node=`, `?tag=`, `?plugin=`, and of an update whose agents it is for. */
export interface Start {
  readonly hosts: HostChoice;
  readonly plugin: string | undefined;
  /** The agents that are to be updated. */
  readonly update: AgentBuild | undefined;
}

export function readStart(search: Readonly<Record<string, unknown>>): Start {
  const text = (name: string) => (typeof search[name] === "string" && search[name] !== "" ? search[name] : undefined);
  const [node, tag] = [text("node"), text("tag")];
  const [version, architecture] = [text("version"), text("architecture")];
  if (search["change"] === "agent.update" && version !== undefined && architecture !== undefined) {
    const update = { version, architecture };
    return { hosts: { ...noHosts, agents: [{ ...update, tag }] }, plugin: undefined, update };
  }
  return {
    hosts: { ...noHosts, nodes: node === undefined ? [] : [node], tags: tag === undefined ? [] : [tag] },
    plugin: text("plugin"),
    update: undefined,
  };
}

interface Contributed {
  readonly plugin: string;
  readonly kind: string;
  readonly component: string;
  readonly title?: string | null | undefined;
}

/** Which pages of plugins stand for plans that hosts can do, and how what they are asked is typed. */
const forms: Readonly<Partial<Record<ComponentKey, "firewall" | "wireguard" | "json">>> = {
  "netguard.firewall": "firewall",
  "wireguard.mesh": "wireguard",
  "plugin.page": "json",
};

/** By hand, and every active plugin that has a page; also one that the address alone names: the server knows whether it is there. */
export function sourcesOf(contributed: readonly Contributed[], named: string | undefined): readonly Source[] {
  const plugins = contributed.flatMap(({ plugin, kind, component, title }): Source[] => {
    const form = Object.hasOwn(forms, component) ? forms[component as ComponentKey] : undefined;
    return kind !== "nav" || form === undefined ? [] : [{ form, plugin, title: title ?? plugin }];
  });
  const isKnown = plugins.some((source) => source.form !== "hand" && source.plugin === named);
  const alone: Source[] = named === undefined || isKnown ? [] : [{ form: "json", plugin: named, title: named }];
  return [{ form: "hand" }, ...plugins, ...alone];
}
