import type { FrameOf } from "@gatehouse/channel";
import { describe, expect, test } from "vitest";
import { Random } from "../../../../tests/support/random.ts";
import { startFollowing } from "../../test/following-logs.ts";
import { makeLogGround } from "../../test/log-ground.ts";

const sources = ["/var/log/web.log", "web.service", "/var/log/other.log", "db.service"] as const;
const steps = 400;

/** What a server has kept of each source: numbers of lines, and gaps that were counted. */
class Keeper {
  checkpoint: string | null = null;
  readonly kept = new Map<string, (number | "gap")[]>(sources.map((source) => [source, []]));

  take({ sources: named, lines, dropped, checkpoint }: FrameOf<"logs">): void {
    this.checkpoint = checkpoint;
    for (const { s, lines: count } of dropped) {
      expect(count).not.toBeNull();
      for (let n = 0; n < (count ?? 0); n += 1) this.kept.get(named[s] ?? "")?.push("gap");
    }
    for (const { s, text } of lines) this.kept.get(named[s] ?? "")?.push(Number.parseInt(text, 10));
  }
}

describe.each(Array.from({ length: 5 }, (_, seed) => seed))("with seed %d", (seed) => {
  test("over rotation, lost acknowledgements, other connections and restarts the server has each line once and in order, or a count", async () => {
    const random = new Random(seed, 1);
    const ground = makeLogGround(...sources);
    const written = new Map<string, number>(sources.map((source) => [source, 0]));
    const server = new Keeper();
    let agent = startFollowing(ground);
    let answered = 0;
    const rate = random.pick([20, 100, 1_000]);
    const write = (source: string) => {
      const n = written.get(source) ?? 0;
      written.set(source, n + 1);
      const text = `${n} ${"x".repeat(random.below(random.chance(0.05) ? 20_000 : 100))}`;
      if (source.startsWith("/")) ground.append(source, `${text}\n`);
      else ground.journal.write(source, text);
    };
    const connect = async () => {
      answered = agent.frames.length;
      await agent.want(server.checkpoint, rate);
    };
    const answer = async (isHonest: boolean) => {
      const frame = agent.frames[answered];
      if (frame === undefined) return;
      answered += 1;
      const what = isHonest ? 1 : random.next();
      if (what < 0.1) return agent.acknowledge({ kept: false, pauseMs: random.below(5_000) });
      if (what > 0.2) server.take(frame);
      if (what > 0.3) return agent.acknowledge();
      // The acknowledgement is lost, and with it the connection.
      agent.follower.end();
      if (random.chance(0.3)) agent = startFollowing(ground);
      await agent.list(...sources);
      await connect();
    };
    await agent.list(...sources);
    await connect();
    await answer(true);
    for (let step = 0; step < steps; step += 1) {
      const what = random.below(20);
      if (what < 6) for (let count = random.below(60); count >= 0; count -= 1) write(random.pick(sources));
      else if (what < 7) ground.rotate(random.pick([sources[0], sources[2]]), 1_000);
      else if (what < 13) await agent.rest();
      else await answer(false);
    }
    for (const source of sources) write(source);
    for (let quiet = 0; quiet < 8; quiet += 1) {
      if (agent.frames.length > answered) quiet = 0;
      await answer(true);
      await agent.rest();
    }
    for (const source of sources) {
      const numbers = (server.kept.get(source) ?? []).map((n, at) => (n === "gap" ? at : n));
      expect(numbers, source).toEqual(Array.from({ length: written.get(source) ?? 0 }, (_, n) => n));
    }
    expect(agent.lines).toEqual([]);
  });
});
