import type { Clock, JsonObject } from "@gatehouse/base";
import { channelLimits, type FrameOf, writeControlFrame } from "@gatehouse/channel";
import { witnessCodes } from "@gatehouse/contract";
import { fault, isFault } from "@gatehouse/contract/faults";
import * as z from "zod";
import type { StopTimer, Timers } from "../host/timers.ts";
import type { AskHelper } from "../local/ask-helper.ts";
import type { HostEvents } from "./host-events.ts";

/** What the helper says of the heads that it keeps. */
const answerForm = z.object({
  held: z
    .object({ n: z.int().min(1), position: z.int().nonnegative(), link: z.string(), at: z.int().nonnegative() })
    .nullable(),
  code: z.enum(witnessCodes).nullable(),
  detail: z.string(),
  acceptedAt: z.int().nonnegative().nullable(),
  state: z.enum(["taken", "same", "missing", "refused"]).optional(),
  from: z.int().min(1).nullish(),
});
type Answer = z.output<typeof answerForm>;

export interface WitnessFollowerDeps {
  readonly ask: AskHelper;
  readonly clock: Pick<Clock, "monotonic">;
  readonly timers: Timers;
  readonly events: Pick<HostEvents, "witness">;
  readonly send: (text: string) => void;
  readonly log: (line: string) => void;
}

/** Brings the helper the heads that the server shows, asks for what it missed, and tells both sides' word to the other. */
export interface WitnessFollower {
  /** A connection was made: what the host holds is told. */
  connected(): void;
  take(frame: FrameOf<"head"> | FrameOf<"heads">): void;
  /** The connection is over. */
  end(): void;
}

/** So many times in a minute is asked for rows, and no more. */
const wantPauseMs = Math.ceil(60_000 / channelLimits.headPagesPerMinute) + 500;
/** Heads that may come while rows are waited for: with one more of them nobody can prove anything. */
const patience = 2;
/** Below what the helper takes in a minute; a server that shows more is not followed so fast. */
const bringPauseMs = 4_000;

export function openWitnessFollower(deps: WitnessFollowerDeps): WitnessFollower {
  /** The newest head that was not brought yet, and the page that was asked for: never more than one of each. */
  let head: string | undefined;
  let page: FrameOf<"heads"> | undefined;
  let newest: string | undefined;
  let wanted: { readonly from: number; readonly heads: number } | undefined;
  let isConnected = false;
  let isWorking = false;
  let mustTell = false;
  let told = "";
  let [wantedAt, broughtAt] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let stopTimer: StopTimer = () => undefined;
  let waiting: StopTimer | undefined;
  let epoch = 0;

  const tell = async (answer: Answer): Promise<void> => {
    const { held, code } = answer;
    const text = writeControlFrame({ t: "~witness", held, code });
    // A host that holds nothing and refuses nothing has nothing to say.
    if (isConnected && text !== told && (held !== null || code !== null)) {
      told = text;
      deps.send(text);
    }
    await deps.events.witness(answer);
  };
  const want = (from: number): void => {
    const wait = wantedAt + wantPauseMs - deps.clock.monotonic();
    stopTimer();
    if (wait > 0) {
      stopTimer = deps.timers.after(wait, () => want(from));
      return;
    }
    wantedAt = deps.clock.monotonic();
    wanted = { from, heads: 0 };
    deps.send(writeControlFrame({ t: "want-heads", from }));
  };
  const put = async (fields: JsonObject): Promise<Answer> => {
    broughtAt = deps.clock.monotonic();
    return readAnswer(await deps.ask("head.put", fields));
  };
  const bringPage = async ({ from, rows, signed }: FrameOf<"heads">): Promise<void> => {
    const before = epoch;
    const answer = await put({ signed, from, rows });
    await tell(answer);
    if (before !== epoch || answer.state !== "taken" || newest === undefined) return;
    // More may be missing than one page has.
    head ??= newest;
  };
  const bringHead = async (signed: string): Promise<void> => {
    const before = epoch;
    newest = signed;
    const answer = await put({ signed });
    await tell(answer);
    if (before !== epoch || answer.state !== "missing" || typeof answer.from !== "number") return;
    if (wanted?.from !== answer.from) return want(answer.from);
    wanted = { ...wanted, heads: wanted.heads + 1 };
    if (wanted.heads <= patience) return;
    wanted = undefined;
    await tell(await put({ signed, from: answer.from, rows: "" }));
  };
  const step = async (): Promise<boolean> => {
    if (!isConnected) return false;
    if (mustTell) {
      mustTell = false;
      await tell(readAnswer(await deps.ask("head.get")));
    } else if (page !== undefined) {
      const next = page;
      page = undefined;
      await bringPage(next);
    } else if (head !== undefined) {
      const next = head;
      head = undefined;
      await bringHead(next);
    } else return false;
    return true;
  };
  const work = async (): Promise<void> => {
    if (isWorking) return;
    isWorking = true;
    try {
      while (await step());
    } catch (error) {
      if (!isFault(error)) throw error;
      deps.log(`the helper did not take a head of the log: ${error.code}: ${error.detail}`);
    } finally {
      isWorking = false;
    }
  };
  return {
    connected: () => {
      isConnected = true;
      mustTell = true;
      told = "";
      void work();
    },
    take: (frame) => {
      if (frame.t === "head") {
        head = frame.signed;
        const wait = broughtAt + bringPauseMs - deps.clock.monotonic();
        if (wait <= 0) void work();
        // One timer, however many heads come.
        else
          waiting ??= deps.timers.after(wait, () => {
            waiting = undefined;
            void work();
          });
      } else if (wanted?.from === frame.from) {
        // What nobody asked for is not looked at.
        wanted = undefined;
        page = frame;
        void work();
      }
    },
    end: () => {
      isConnected = false;
      epoch += 1;
      stopTimer();
      [head, page, wanted, newest] = [undefined, undefined, undefined, undefined];
    },
  };
}

function readAnswer(answer: JsonObject): Answer {
  const { data } = answerForm.safeParse(answer);
  if (data === undefined) throw fault("local.unavailable", "the helper has said nothing of the heads that it keeps");
  return data;
}
