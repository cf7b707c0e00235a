import type { Vfs } from "@gatehouse/files";
import { faultyVfs, type FaultyVfs } from "@gatehouse/files/faulty";
import { expect, test } from "vitest";
import { Random } from "../../../../tests/support/random.ts";
import { openOutbox } from "./open-outbox.ts";
import type { Outbox } from "./outbox.ts";
import type { OutKind } from "./outbox-format.ts";

const directory = "/state/outbox";
const quiet = { directory, log: () => undefined, now: () => 0, mostBytes: 16 * 1024 };

/** What was true for whoever used the outbox, and from which operation on. */
interface Promised {
  readonly op: number;
  readonly what: { readonly put: number; readonly kind: OutKind; readonly body: string } | { readonly acked: number };
}

interface Run {
  readonly vfs: FaultyVfs;
  readonly promised: Promised[];
  /** How many had to go for want of room. */
  readonly dropped: number;
}

/** Puts, acknowledgements and restarts as they come; some of them on a disk that fails. */
async function run(seed: number, steps: number, failing: boolean): Promise<Run> {
  const random = new Random(seed);
  const vfs = faultyVfs({ directories: ["/state"] });
  const promised: Promised[] = [];
  let outbox = await openOutbox({ ...quiet, vfs });
  for (let step = 0; step < steps; step += 1) {
    if (failing && random.chance(0.15)) {
      vfs.failNext(
        random.pick(["write", "sync", "rename", "syncDirectory", "truncate"]),
        1 + random.below(2),
        random.pick(["EIO", "ENOSPC", "short"]),
      );
    }
    const act = random.below(12);
    if (act === 0) outbox = await restart(outbox, vfs);
    else if (act <= 3) await acknowledge(outbox, random, vfs, promised);
    else {
      const kind = random.pick(["event", "outcome", "step", "log"] as const);
      const body = `${seed} ${step} ${"x".repeat(random.below(random.chance(0.2) ? 4_000 : 60))}`;
      const put = await outbox.put(kind, body).catch(() => undefined);
      if (put !== undefined) promised.push({ op: vfs.ops, what: { put, kind, body } });
    }
  }
  return { vfs, promised, dropped: outbox.waiting().dropped };
}

async function restart(outbox: Outbox, vfs: FaultyVfs): Promise<Outbox> {
  await outbox.close();
  return openOutbox({ ...quiet, vfs });
}

async function acknowledge(outbox: Outbox, random: Random, vfs: FaultyVfs, promised: Promised[]): Promise<void> {
  const { acked = 0, last = 0 } = outbox.cursor() ?? {};
  const seq = acked + random.below(last - acked + 1);
  const isDone = await outbox.ack(seq).then(
    () => true,
    () => false,
  );
  if (isDone) promised.push({ op: vfs.ops, what: { acked: seq } });
}

async function everything(outbox: Outbox): Promise<Map<number, { kind: OutKind; body: string }>> {
  const all = new Map<number, { kind: OutKind; body: string }>();
  for (let from = 0; ; ) {
    const some = await outbox.after(from, 1_000);
    if (some.length === 0) return all;
    for (const { seq, kind, body } of some) all.set(seq, { kind, body: JSON.parse(body) as string });
    from = some.at(-1)?.seq ?? from;
  }
}

/** Opens what a power cut after operation `op` may have left, and holds it against what was promised until then. Says what is wrong. */
async function flawsOf({ vfs, promised }: Run, op: number, random: Random): Promise<string[]> {
  const flaws: string[] = [];
  const need = (isSo: boolean, what: string) => void (isSo || flaws.push(`after operation ${op}: ${what}`));
  const log = (line: string) => need(line.includes("unfinished write"), line);
  const outbox = await openOutbox({ ...quiet, log, vfs: vfs.imageAt(op, random) });
  const { acked, last } = outbox.cursor() ?? { acked: -1, last: -1 };
  const held = await everything(outbox);
  const bodies = [...held.values()].flatMap(({ body }) => (typeof body === "string" ? [body] : []));
  need(new Set(bodies).size === bodies.length, "a message has two numbers");
  for (const { what, op: at } of promised) {
    if (at > op) break;
    if ("acked" in what) need(acked >= what.acked, `${what.acked} was acknowledged, found ${acked}`);
    else {
      const found = held.get(what.put)?.body;
      need(last >= what.put, `${what.put} was put, found ${last}`);
      need(found === undefined || found === what.body, `${what.put} is another message`);
      // What may be dropped for want of room is counted; what may not is there.
      const mustBeHeld = what.put > acked && (what.kind === "event" || what.kind === "outcome");
      need(!mustBeHeld || found !== undefined, `${what.put} is lost`);
    }
  }
  await outbox.ack(last);
  need((await outbox.put("event", "after the cut")) > last, "a number was used twice");
  await outbox.close();
  return flaws;
}

async function flawsOfAll(seeds: readonly number[], steps: number, failing: boolean) {
  const flaws: string[] = [];
  let [cuts, drops] = [0, 0];
  for (const seed of seeds) {
    const recorded = await run(seed, steps, failing);
    drops += recorded.dropped;
    for (let op = 0; op <= recorded.vfs.ops; op += 1) {
      flaws.push(...(await flawsOf(recorded, op, new Random(seed, op))));
      cuts += 1;
    }
  }
  return { flaws, cuts, drops };
}

test("no power cut takes what was promised, or gives it another number", async () => {
  const { flaws, cuts, drops } = await flawsOfAll([1, 2, 3, 4, 5], 100, false);
  expect(flaws).toEqual([]);
  expect(cuts).toBeGreaterThan(1_000);
  expect(drops).toBeGreaterThan(0);
});

test("nor does one on a disk that fails as well", async () => {
  const { flaws, cuts } = await flawsOfAll([11, 12, 13, 14, 15, 16], 80, true);
  expect(flaws).toEqual([]);
  expect(cuts).toBeGreaterThan(1_000);
});

/** Puts outcomes one after the other, each with the place up to which all are put. */
async function putUpTo(vfs: Vfs, last: number): Promise<void> {
  const outbox = await openOutbox({ ...quiet, vfs });
  for (let place = Number(outbox.mark() ?? 0) + 1; place <= last; place += 1) {
    await outbox.put("outcome", `outcome ${place} ${"x".repeat(400)}`, () => String(place));
    if (place % 5 === 0) await outbox.setMark((before) => before ?? "");
    if (place % 7 === 0) await outbox.ack(Math.max(0, (outbox.cursor()?.last ?? 0) - 10));
  }
  await outbox.close();
}

test("what is remembered with a message is as new as the message, wherever the power fails: going on from it puts each once", async () => {
  const last = 60;
  const vfs = faultyVfs({ directories: ["/state"] });
  await putUpTo(vfs, last);
  for (let op = 0; op <= vfs.ops; op += 1) {
    const image = vfs.imageAt(op, new Random(op));
    await putUpTo(image, last);
    const outbox = await openOutbox({ ...quiet, vfs: image });
    const held = [...(await everything(outbox)).values()].map(({ body }) => body);
    expect(held, `after operation ${op}`).toEqual([...new Set(held)]);
    expect(held.at(-1)).toContain(`outcome ${last} `);
    expect(outbox.cursor()?.last, `after operation ${op}`).toBe(last);
    await outbox.close();
  }
});
