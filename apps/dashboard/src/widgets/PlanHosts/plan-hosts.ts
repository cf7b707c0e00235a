import type { Node } from "@gatehouse/contract/routes";
import { type AgentBuild, runsBuild } from "../Fleet/agent-builds.ts";
import { compareNames } from "../Fleet/fleet-groups.ts";

/** For which hosts a plan is wanted: those of tags, those that are named, and whom somebody left out again. */
export interface HostChoice {
  readonly tags: readonly string[];
  /** Ids. */
  readonly nodes: readonly string[];
  /** By the agent that they run. */
  readonly agents: readonly ChosenAgent[];
  readonly leftOut: readonly string[];
}

/** Hosts that run one build of the agent: all of them, or those with a tag. */
export interface ChosenAgent extends AgentBuild {
  readonly tag: string | undefined;
}

export const noHosts: HostChoice = { tags: [], nodes: [], agents: [], leftOut: [] };

/** The hosts of a choice, each once. What is not asked is there with its reason. */
export interface ChosenHosts {
  /** Connected, and lets itself be asked. */
  readonly here: readonly Node[];
  /** Cannot say what it is like now. */
  readonly away: readonly Node[];
  /** Its root lets it be looked at and nothing else: no plan can name it. */
  readonly monitor: readonly Node[];
  readonly leftOut: readonly Node[];
  /** Of those here: root has named nobody who may approve, so that the host will refuse. */
  readonly closed: readonly Node[];
}

export function sortHosts(nodes: readonly Node[], { tags, nodes: ids, agents, leftOut }: HostChoice): ChosenHosts {
  const isMeant = (node: Node) =>
    ids.includes(node.id) ||
    node.tags.some((tag) => tags.includes(tag)) ||
    agents.some((agent) => runsBuild(node, agent) && (agent.tag === undefined || node.tags.includes(agent.tag)));
  const meant = nodes
    .filter((node) => node.state !== "revoked" && isMeant(node))
    .toSorted((a, b) => compareNames(a.name, b.name));
  const groups = Object.groupBy(meant, (node) => {
    if (leftOut.includes(node.id)) return "leftOut";
    if (node.facts?.mode === "monitor") return "monitor";
    return node.state === "online" ? "here" : "away";
  });
  const here = groups.here ?? [];
  return {
    here,
    away: groups.away ?? [],
    monitor: groups.monitor ?? [],
    leftOut: groups.leftOut ?? [],
    closed: here.filter(({ facts }) => facts?.accepts === "none"),
  };
}

/** What can be typed to choose hosts: every tag, and every host that is not revoked. */
export function hostWords(nodes: readonly Node[]): readonly string[] {
  const live = nodes.filter(({ state }) => state !== "revoked");
  const tags = [...new Set(live.flatMap(({ tags }) => tags))].toSorted(compareNames);
  return [...tags.map((tag) => `tag ${tag}`), ...live.map(({ name }) => name).toSorted(compareNames)];
}

export type FoundHosts = { readonly choice: HostChoice } | { readonly wrong: string };

/** "tag edge", or the name of a host; a word alone may be either, and a host comes first. */
export function addHosts(nodes: readonly Node[], choice: HostChoice, typed: string): FoundHosts {
  const text = typed.trim();
  const live = nodes.filter(({ state }) => state !== "revoked");
  const [, tag] = /^tag[: ]\s*(\S+)$/.exec(text) ?? [];
  const named = tag === undefined ? live.find(({ name, id }) => name === text || id === text) : undefined;
  if (named !== undefined) {
    return { choice: { ...choice, ...withOne(choice, named.id), leftOut: without(choice.leftOut, named.id) } };
  }
  const wanted = tag ?? text;
  if (live.some(({ tags }) => tags.includes(wanted))) {
    return { choice: { ...choice, tags: [...new Set([...choice.tags, wanted])] } };
  }
  if (text === "") return { wrong: "Name a tag or a host." };
  return { wrong: tag === undefined ? `No host has the name or the tag ${text}.` : `No host has the tag ${tag}.` };
}

export function dropTag(choice: HostChoice, tag: string): HostChoice {
  return { ...choice, tags: without(choice.tags, tag) };
}

export function dropNode(choice: HostChoice, id: string): HostChoice {
  return { ...choice, nodes: without(choice.nodes, id) };
}

export function dropAgent(choice: HostChoice, agent: ChosenAgent): HostChoice {
  return { ...choice, agents: choice.agents.filter((one) => sayAgent(one) !== sayAgent(agent)) };
}

/** "0.2.1 for x64, tag edge" */
export function sayAgent({ version, architecture, tag }: ChosenAgent): string {
  return `${version} for ${architecture}${tag === undefined ? "" : `, tag ${tag}`}`;
}

export function leaveOut(choice: HostChoice, ids: readonly string[]): HostChoice {
  return { ...choice, leftOut: [...new Set([...choice.leftOut, ...ids])] };
}

/** Those that are sent. Who is away is sent too: the server names it, or skips it and says so in the plan. */
export function wantedNodes({ here, away }: Pick<ChosenHosts, "here" | "away">): Node[] {
  return [...here, ...away];
}

function withOne({ nodes }: HostChoice, id: string): Pick<HostChoice, "nodes"> {
  return { nodes: [...new Set([...nodes, id])] };
}

function without(items: readonly string[], one: string): readonly string[] {
  return items.filter((item) => item !== one);
}
