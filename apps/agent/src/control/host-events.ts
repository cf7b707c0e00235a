import type { HostEvent } from "@gatehouse/channel";
import type { WitnessCode } from "@gatehouse/contract";
import { isFault } from "@gatehouse/contract/faults";
import type { ChangeMark, Outbox } from "../outbox/outbox.ts";
import { readMarks, withMarks } from "./marks.ts";

/** What a host tells of itself besides its facts, through the outbox. Whatever the disk does, nobody waits for it and nothing is thrown. */
export interface HostEvents {
  started(version: string, bootId: string | undefined): Promise<void>;
  /** Puts an event when it is another ceiling than the last that was told. */
  ceiling(ceiling: { readonly digest: string; readonly mode: string }): Promise<void>;
  /** Puts an event when this host stands otherwise to its server's log than it told last. */
  witness(standing: ToldStanding): Promise<void>;
}

export interface ToldStanding {
  readonly code: WitnessCode | null;
  readonly detail: string;
  /** When root took the log as it was, last. */
  readonly acceptedAt: number | null;
}

export interface HostEventsDeps {
  readonly outbox: Pick<Outbox, "put" | "mark" | "setMark">;
  readonly now: () => number;
  readonly log: (line: string) => void;
  /** Called when there is something new in the outbox. */
  readonly kept: () => void;
}

export function openHostEvents({ outbox, now, log, kept }: HostEventsDeps): HostEvents {
  let underWay: string | undefined;
  const attempt = async (work: () => Promise<unknown>) => {
    try {
      await work();
      kept();
    } catch (error) {
      if (!isFault(error)) throw error;
      log(`the outbox did not take an event: ${error.message}`);
    }
  };
  const put = (event: HostEvent, mark?: ChangeMark) => attempt(() => outbox.put("event", event, mark));
  return {
    started: (version, bootId) => {
      const boot = bootId === undefined ? "" : `, boot ${bootId.slice(0, 8)}`;
      return put({ what: "agent.started", at: now(), detail: `version ${version}${boot}` });
    },
    ceiling: async ({ digest, mode }) => {
      const { ceiling: told } = readMarks(outbox.mark());
      // Facts may be asked for twice at once; the first of them tells.
      if (told === digest || underWay === digest) return;
      underWay = digest;
      const mark = withMarks({ ceiling: digest });
      // The first ceiling ever is no change: the facts tell it.
      if (told === undefined) await attempt(() => outbox.setMark(mark));
      else await put({ what: "ceiling.changed", at: now(), detail: `${mode}, digest ${digest.slice(0, 16)}` }, mark);
      underWay = undefined;
    },
    witness: async ({ code, detail, acceptedAt }) => {
      const { witness: told } = readMarks(outbox.mark());
      const standing = code ?? `accepted ${acceptedAt ?? "never"}`;
      // A host that never refused anything has nothing to tell.
      if (told === standing || (told === undefined && code === null && acceptedAt === null)) return;
      const mark = withMarks({ witness: standing });
      const isAccepted = code === null && acceptedAt !== null;
      // What ended by itself, because the line went on, is told by the server's own look at it.
      if (code === null && !isAccepted) return attempt(() => outbox.setMark(mark));
      const what = code === null ? "witness.accepted" : "witness.refused";
      const words = code === null ? "root of this host takes the log as it is" : `${code}: ${detail}`;
      await put({ what, at: now(), detail: words.slice(0, 256) }, mark);
    },
  };
}
