import type { JsonObject } from "@gatehouse/base";
import { type FrameOf, readControlFrame } from "@gatehouse/channel";
import { openLogFollower } from "../src/logs/open-log-follower.ts";
import type { SentLogsQuestion } from "../src/operations/read-sent-logs.ts";
import { manualTimers } from "./manual-timers.ts";
import { makeLogGround } from "./log-ground.ts";

type Ground = ReturnType<typeof makeLogGround>;

/** What sends logs, before a helper that reads real files; what the server says is the test's. */
export function startFollowing({ clock, read }: Pick<Ground, "clock" | "read">) {
  const timers = manualTimers();
  const frames: FrameOf<"logs">[] = [];
  const lines: string[] = [];
  const asked: SentLogsQuestion[] = [];
  const open = new Set<Promise<unknown>>();
  /** Set by a test: whether the connection has enough to send, and what is asked in place of the helper. */
  const held: { isCrowded: boolean; answer: ((question: SentLogsQuestion) => Promise<object>) | undefined } = {
    isCrowded: false,
    answer: undefined,
  };
  const answer = async (question: SentLogsQuestion) =>
    JSON.parse(JSON.stringify(await (held.answer ?? read)(question))) as JsonObject;
  const follower = openLogFollower({
    ask: (_, fields) => {
      const question = fields as unknown as SentLogsQuestion;
      asked.push(question);
      const answered = answer(question);
      const settled = answered.catch(() => undefined).finally(() => open.delete(settled));
      open.add(settled);
      return answered;
    },
    clock,
    timers,
    random: () => 0.5,
    isCrowded: () => held.isCrowded,
    send: ({ seq, text }) => {
      const frame = readControlFrame(text, "agent");
      if (frame?.t !== "logs" || frame.seq !== seq) throw new Error(`not the message ${seq}: ${text}`);
      frames.push(frame);
    },
    log: (line) => void lines.push(line),
  });
  /** Until the helper has answered all that it was asked. */
  const settled = async () => {
    do {
      await Promise.all(open);
      await new Promise((done) => setImmediate(done));
    } while (open.size > 0);
  };
  return {
    follower,
    timers,
    frames,
    lines,
    asked,
    held,
    settled,
    want: async (checkpoint: string | null, linesPerSecond = 100) => {
      follower.want({ t: "want-logs", checkpoint, linesPerSecond, behindSeconds: 300 });
      await settled();
    },
    list: async (...sources: string[]) => {
      follower.listed(sources);
      await settled();
    },
    acknowledge: async (more: Partial<FrameOf<"logs-ack">> = {}) => {
      follower.acknowledged({ t: "logs-ack", seq: frames.at(-1)?.seq ?? 1, pauseMs: 0, kept: true, ...more });
      await settled();
    },
    /** Lets the pause pass that runs now; says how long it was. */
    rest: async (): Promise<number | undefined> => {
      const [ms] = timers.running();
      if (ms === undefined) return undefined;
      clock.advance(ms);
      timers.end(ms);
      await settled();
      return ms;
    },
  };
}

/** One that a server has wanted, of which it has the first place. */
export async function startFollowed(...sources: string[]) {
  const ground = makeLogGround(...sources);
  for (const source of sources) if (source.startsWith("/")) ground.append(source, "old\n");
  const following = startFollowing(ground);
  await following.list(...sources);
  await following.want(null);
  await following.acknowledge();
  return { ...ground, ...following };
}

export const linesOf = (frames: readonly FrameOf<"logs">[]): string[] =>
  frames.flatMap(({ lines }) => lines.map(({ text }) => text));
