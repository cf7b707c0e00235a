import { channelLimits, type FrameOf } from "@gatehouse/channel";
import { fault } from "@gatehouse/contract";

/**
 * From where an agent's outbox goes on: from what the server has, unless the agent has begun anew and never had that many. Then its
 * own word counts, or it could never be heard again.
 */
export function beginOutbox(agent: { readonly acked: number; readonly last: number }, kept: number): number {
  return kept <= agent.last ? kept : agent.acked;
}

export interface OutboxEndDeps {
  /** Up to where both sides agree at the beginning. */
  readonly acked: number;
  /** Keeps one; when it resolves it is durable. */
  readonly take: (sent: FrameOf<"out">) => Promise<void>;
  readonly acknowledge: (seq: number) => void;
  /** How long the next one has to wait, whichever connection it comes over. */
  readonly pause: () => number;
  readonly later: (ms: number) => Promise<void>;
  readonly isOpen: () => boolean;
}

/** The server's end of an agent's outbox, over one connection. */
export interface OutboxEnd {
  take(sent: FrameOf<"out">): Promise<void>;
}

/** Takes one after the other. What was taken before is acknowledged again; more at once than may be ends the connection. */
export function openOutboxEnd({ acked, take, acknowledge, pause, later, isOpen }: OutboxEndDeps): OutboxEnd {
  let [newest, done, waiting] = [acked, acked, 0];
  let before: Promise<void> = Promise.resolve();

  const keep = async (sent: FrameOf<"out">) => {
    const ms = pause();
    if (ms > 0) await later(ms);
    if (!isOpen()) return;
    await take(sent);
    waiting -= 1;
    done = sent.seq;
    if (isOpen()) acknowledge(done);
  };

  return {
    take: async (sent) => {
      if (sent.seq <= newest) {
        // Not before what is still being kept: an acknowledgement is a promise.
        await before;
        return acknowledge(done);
      }
      waiting += 1;
      if (waiting > channelLimits.unacknowledged) {
        throw fault("frame.rate", `more than ${channelLimits.unacknowledged} messages that were not acknowledged`);
      }
      // Numbers rise, and may leave some out: the agent says with an event of its own what it had to drop.
      newest = sent.seq;
      before = before.then(() => keep(sent));
      return before;
    },
  };
}
