import { commandDefiner, type CommandOf, type Flags } from "@gatehouse/command-line";
import type { AgentVerbs, ApproversRequest, Place } from "./verbs.ts";

export interface AgentSurroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly verbs: AgentVerbs;
}

export type AgentCommand = CommandOf<AgentSurroundings>;

export const defineAgentCommand = commandDefiner<AgentSurroundings>();

/** For tests: another directory in place of `/`. Whoever may call the agent as root could do without it. */
export const rootFlag = {
  root: { value: "DIR", about: "Use this directory in place of /.", hidden: true },
} as const satisfies Flags;

/** How root names those who approve changes. */
export const approverFlags = {
  approver: {
    value: "KEY",
    list: true,
    whole: true,
    about: "A line of a .pub file: the SSH key of somebody who approves. Give it again for more.",
  },
  fingerprint: {
    value: "SHA256:…",
    list: true,
    about: "Where nobody can type: the fingerprint of each --approver, as its owner reads it out.",
  },
  publisher: {
    value: "ID=KEY",
    list: true,
    about: "Whose programs plans may bring: a publisher and its public key in base64. Give it again for more.",
  },
} as const satisfies Flags;

/** The same as the verbs take it. */
export function approversOf(given: {
  readonly approver: readonly string[];
  readonly fingerprint?: readonly string[];
  readonly publisher?: readonly string[];
}): ApproversRequest {
  const { approver: lines, fingerprint: fingerprints = [], publisher: publishers } = given;
  return { lines, fingerprints, ...(publishers === undefined ? {} : { publishers }) };
}

export function placeOf(given: { readonly root?: string }): Place {
  return { root: given.root ?? "/" };
}
