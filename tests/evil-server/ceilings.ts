import type { Ceiling } from "../../apps/agent/src/ceiling/ceiling.ts";
import { type CeilingKindName, ceilingKindNames } from "../../apps/agent/src/ceiling/kinds.ts";

/** A ceiling that root of the attacked host has written, or none. */
export interface WrittenCeiling {
  readonly name: string;
  readonly ceiling: Ceiling | undefined;
  /** The least or the most that there is: the others stand between these two. */
  readonly isEnd: boolean;
}

/** What each kind lets be done on the attacked host: it is all there, so that nothing is in the way but the agent. */
const entries: Readonly<Record<CeilingKindName, string>> = {
  "firewall.apply": "firewall.apply:gatehouse_filter",
  "network.wireguard": "network.wireguard:wg0",
  "file.write": "file.write:/etc/nginx",
  "binary.replace": "binary.replace:/opt/tool",
  "service.restart": "service.restart:nginx.service",
  "agent.update": "agent.update",
};

const besides: Pick<Ceiling, "read" | "send" | "terminal"> = {
  read: { logs: ["/var/log/nginx.log", "nginx.service"] },
  send: { logs: ["/var/log/nginx.log", "nginx.service"] },
  terminal: { user: "alice", modes: ["e2e", "relay"], graceSeconds: 3_600, sessions: 4 },
};

/** Of each level the least and the most that it can be; a level that is added later has to say what these are. */
const levels: Readonly<Record<Ceiling["level"], readonly WrittenCeiling[]>> = {
  monitor: [
    { name: "none written", ceiling: undefined, isEnd: true },
    { name: "monitor", ceiling: { schema: 1, level: "monitor" }, isEnd: false },
    { name: "monitor with logs and a terminal", ceiling: { schema: 1, level: "monitor", ...besides }, isEnd: false },
  ],
  managed: [
    ...ceilingKindNames.map((kind): WrittenCeiling => {
      const ceiling: Ceiling = { schema: 1, level: "managed", allow: [entries[kind]] };
      return { name: `managed, ${kind}`, ceiling, isEnd: false };
    }),
    {
      name: "managed, everything",
      ceiling: { schema: 1, level: "managed", allow: Object.values(entries), ...besides },
      isEnd: true,
    },
  ],
};

/** Every ceiling that a host is attacked under. */
export const ceilings: readonly WrittenCeiling[] = Object.values(levels).flat();
