import * as z from "zod";
import { visibleText } from "./visible-text.ts";

/** How people call a node. */
export const nodeName = visibleText(64);

export const nodeTag = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,31}$/, "must be 1 to 32 of a-z 0-9 . _ - and begin with a letter or digit");

export const nodeTags = z.array(nodeTag).max(16);

/** What the agent is built for. */
export const agentArchitectures = ["x64", "arm64"] as const;
export type AgentArchitecture = (typeof agentArchitectures)[number];

/** What a host lets its server do, chosen by its root. */
export const ceilingLevels = ["monitor", "managed"] as const;
export type CeilingLevel = (typeof ceilingLevels)[number];

/** `unknown`: nobody knows yet, as after a start of the server until agents have had time to come back. */
export const nodeStates = ["online", "offline", "unknown", "revoked"] as const;
export type NodeState = (typeof nodeStates)[number];
