import { channelLimits } from "@gatehouse/channel";
import type { Clock } from "@gatehouse/base";
import type { NodeState } from "@gatehouse/contract/routes";
import { fleetLimits } from "./limits.ts";
import type { ToldStates } from "./state-question.ts";
import type { TaskQuestion } from "./task-question.ts";

/** A connection whose hello was good. */
export interface Channel {
  readonly address: string;
  /** Ends it: nothing that still comes over it is taken. */
  end(code: string): void;
  /** What the host says of parts of itself. */
  readStates(subjects: readonly string[]): Promise<ToldStates>;
  /** Only of hosts that take tasks. */
  readonly tasks: Pick<TaskQuestion, "offer"> | undefined;
}

/** What is known of a node by its connection. Not a record: it is measured, and forgotten with the process. */
export interface Seen {
  readonly state: Exclude<NodeState, "revoked">;
  /** Wall clock; undefined when nobody saw it begin. */
  readonly since: number | undefined;
  readonly lastSeenAt: number | undefined;
  readonly address: string | undefined;
  readonly skewMs: number | undefined;
  readonly rival: { readonly address: string; readonly at: number } | undefined;
}

interface Entry {
  channel: Channel | undefined;
  since: number;
  lastSeenAt: number;
  /** Of the monotonic clock: silence is measured by this one. */
  heardAt: number;
  address: string;
  skewMs: number | undefined;
  replacedAt: number | undefined;
  rival: { address: string; at: number } | undefined;
}

export interface Presence {
  /** The node is here; a connection that it had is told that another one took its place. */
  arrive(nodeId: string, channel: Channel): void;
  heard(nodeId: string, channel: Channel, hostTime: number): void;
  /** The connection ended; one that was replaced before says nothing about the node. */
  leave(nodeId: string, channel: Channel): void;
  /** Ends a node's connection and forgets it. */
  cut(nodeId: string, code: string): void;
  seen(nodeId: string): Seen;
  findChannel(nodeId: string): Channel | undefined;
  online(): number;
  close(): void;
}

export interface PresenceDeps {
  readonly clock: Clock;
  readonly every: (ms: number, act: () => void) => () => void;
  readonly beatSeconds: number;
  readonly windowSeconds: number;
  /** A node's state has changed. */
  readonly onChange: (nodeId: string) => void;
}

/**
 * Who is connected: a map and one timer for all. After a start nobody knows who is gone until agents have had their window to
 * come back, so that nobody is told of ten thousand outages that are none.
 */
export function openPresence(deps: PresenceDeps): Presence {
  const { clock } = deps;
  const entries = new Map<string, Entry>();
  const startedAt = clock.now();
  const startedMono = clock.monotonic();
  // Half a beat more than the last one that may be missing: a beat that is a little late is not missing.
  const silentMs = deps.beatSeconds * (channelLimits.missedBeats + 0.5) * 1_000;
  const knownFrom = startedMono + deps.windowSeconds * 1_000;

  const sweep = () => {
    const now = clock.monotonic();
    for (const [, { channel, heardAt }] of entries) {
      if (channel !== undefined && now - heardAt > silentMs) channel.end("channel.silent");
    }
  };
  const stop = deps.every(fleetLimits.sweepMs, sweep);

  return {
    arrive: (nodeId, channel) => {
      const before = entries.get(nodeId);
      const now = clock.now();
      const isReplacing = before?.channel !== undefined;
      const isAgain = isReplacing && before.replacedAt !== undefined && now - before.replacedAt < fleetLimits.rivalMs;
      entries.set(nodeId, {
        channel,
        since: isReplacing ? before.since : now,
        lastSeenAt: now,
        heardAt: clock.monotonic(),
        address: channel.address,
        skewMs: before?.skewMs,
        replacedAt: isReplacing ? now : before?.replacedAt,
        rival: isAgain ? { address: before.address, at: now } : freshRival(before, now),
      });
      before?.channel?.end("channel.replaced");
      deps.onChange(nodeId);
    },
    heard: (nodeId, channel, hostTime) => {
      const entry = entries.get(nodeId);
      if (entry?.channel !== channel) return;
      entry.lastSeenAt = clock.now();
      entry.heardAt = clock.monotonic();
      entry.skewMs = hostTime - entry.lastSeenAt;
    },
    leave: (nodeId, channel) => {
      const entry = entries.get(nodeId);
      if (entry?.channel !== channel) return;
      entry.channel = undefined;
      entry.since = clock.now();
      deps.onChange(nodeId);
    },
    cut: (nodeId, code) => {
      const entry = entries.get(nodeId);
      entries.delete(nodeId);
      entry?.channel?.end(code);
      deps.onChange(nodeId);
    },
    seen: (nodeId) => {
      const entry = entries.get(nodeId);
      if (entry === undefined) {
        const isKnown = clock.monotonic() >= knownFrom;
        const nothing = { lastSeenAt: undefined, address: undefined, skewMs: undefined, rival: undefined };
        return { state: isKnown ? "offline" : "unknown", since: isKnown ? undefined : startedAt, ...nothing };
      }
      const { channel, since, lastSeenAt, address, skewMs, rival } = entry;
      return { state: channel === undefined ? "offline" : "online", since, lastSeenAt, address, skewMs, rival };
    },
    findChannel: (nodeId) => entries.get(nodeId)?.channel,
    online: () => [...entries.values()].filter(({ channel }) => channel !== undefined).length,
    close: stop,
  };
}

function freshRival(before: Entry | undefined, now: number): Entry["rival"] {
  const rival = before?.rival;
  return rival !== undefined && now - rival.at < fleetLimits.rivalMs ? rival : undefined;
}
