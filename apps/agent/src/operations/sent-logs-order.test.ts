import { describe, expect, test } from "vitest";
import { Random } from "../../../../tests/support/random.ts";
import { makeLogGround } from "../../test/log-ground.ts";

const [log, other, unit, second] = ["/var/log/web.log", "/var/log/other.log", "web.service", "db.service"] as const;
const sources = [log, unit, other, second] as const;
const steps = 120;

/** A server that keeps what it acknowledges, and forgets what it does not: then reading begins again where it has lines on. */
describe.each(Array.from({ length: 6 }, (_, seed) => seed))("with seed %d", (seed) => {
  test("whatever is written, rotated, lost on the way and passed over: each line is kept once and in order, or counted", async () => {
    const random = new Random(seed);
    const { append, rotate, journal, read, clock } = makeLogGround(...sources);
    const written = new Map<string, number>(sources.map((source) => [source, 0]));
    const kept = new Map<string, (number | "gap")[]>(sources.map((source) => [source, []]));
    let places: readonly (string | null)[] = sources.map(() => null);
    const ask = async (skip: boolean) => {
      // Whose turn comes first changes, as the agent does it.
      const order = random.chance(0.5) ? sources : sources.toReversed();
      const asked = order.map((source) => ({ source, cursor: places[sources.indexOf(source)] ?? null }));
      const answer = await read({ sources: asked, lines: 1 + random.below(40), skip });
      expect(answer.refused).toEqual([]);
      const isBegun = places.every((place) => place !== null);
      // The answer was lost: nothing of it counts.
      if (isBegun && random.chance(0.2)) return false;
      places = sources.map((source) => answer.cursors[order.indexOf(source)] ?? null);
      for (const { s, lines } of answer.lost) {
        expect(lines).not.toBeNull();
        kept.get(order[s] ?? "")?.push(...Array.from({ length: lines ?? 0 }, () => "gap" as const));
      }
      for (const { s, text } of answer.lines) kept.get(order[s] ?? "")?.push(Number.parseInt(text, 10));
      return answer.lines.length === 0 && answer.more.length === 0;
    };
    const write = (source: string) => {
      const n = written.get(source) ?? 0;
      const text = `${n} ${"x".repeat(random.below(random.chance(0.1) ? 30_000 : 200))}`;
      written.set(source, n + 1);
      if (!source.startsWith("/")) return journal.write(source, text);
      const cut = random.below(text.length);
      append(source, text.slice(0, cut));
      append(source, `${text.slice(cut)}\n`);
    };
    await ask(false);
    for (let step = 0; step < steps; step += 1) {
      const what = random.below(10);
      if (what < 5) for (let count = random.below(20); count >= 0; count -= 1) write(random.pick(sources));
      else if (what < 6) rotate(random.pick([log, other]), 1_000);
      else await ask(what === 9 && random.chance(0.2));
      clock.advance(random.below(1_000));
    }
    // Somebody writes to each file at last, or nothing says that the one before it is done.
    for (const source of sources) write(source);
    for (let quiet = 0; quiet < 3; ) quiet = (await ask(false)) ? quiet + 1 : 0;
    for (const source of sources) {
      const numbers = (kept.get(source) ?? []).map((n, at) => (n === "gap" ? at : n));
      expect(numbers, source).toEqual(Array.from({ length: written.get(source) ?? 0 }, (_, n) => n));
    }
  });
});
