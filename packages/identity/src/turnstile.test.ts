import { expect, test } from "vitest";
import { type Lane, openTurnstile, type TurnstileLimits } from "./turnstile.ts";

const limits: TurnstileLimits = {
  atOnce: 2,
  lanes: {
    "signed-in": { atOnce: 2, waiting: 3 },
    known: { atOnce: 2, waiting: 3 },
    stranger: { atOnce: 1, waiting: 4 },
  },
  refuse: (lane) => new Error(`${lane}: busy`),
};

/** Work that goes on until it is told to end, and how each piece of it came out. */
function openRig() {
  const turnstile = openTurnstile(limits);
  const running = new Map<string, { end: () => void; fail: () => void }>();
  const outcomes = new Map<string, string>();
  return {
    running: () => [...running.keys()],
    outcomes,
    ask: (name: string, lane: Lane, block = name) => {
      const work = () =>
        new Promise<string>((resolve, reject) => {
          running.set(name, { end: () => resolve("done"), fail: () => reject(new Error("broken")) });
        });
      void turnstile
        .run(work, { lane, block })
        .catch((error: Error) => error.message)
        .then((outcome) => {
          running.delete(name);
          outcomes.set(name, outcome);
        });
      return settle();
    },
    end: async (name: string, how: "end" | "fail" = "end") => {
      running.get(name)?.[how]();
      await settle();
    },
  };
}

/** Everything that follows from what was done has happened. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

test("two run at once, and whoever waits takes the place that becomes free, also when work fails", async () => {
  const rig = openRig();
  for (const name of ["a", "b", "c", "d"]) await rig.ask(name, "signed-in");
  expect(rig.running()).toEqual(["a", "b"]);
  await rig.end("a", "fail");
  expect(rig.running()).toEqual(["b", "c"]);
  await rig.end("c");
  expect(rig.running()).toEqual(["b", "d"]);
  expect(Object.fromEntries(rig.outcomes)).toEqual({ a: "broken", c: "done" });
});

test("a crowd of strangers leaves a place free: whoever is signed in, or known, does not wait at all", async () => {
  for (const lane of ["signed-in", "known"] as const) {
    const rig = openRig();
    for (let at = 0; at < 50; at += 1) await rig.ask(`stranger ${at}`, "stranger");
    expect(rig.running()).toEqual(["stranger 0"]);
    await rig.ask("me", lane);
    expect(rig.running()).toEqual(["stranger 0", "me"]);
  }
});

test("who is signed in comes before the known, and the known before strangers, whoever came first", async () => {
  const rig = openRig();
  await rig.ask("first", "known");
  await rig.ask("second", "known");
  for (const lane of ["stranger", "known", "signed-in"] as const) await rig.ask(lane, lane);
  await rig.end("first");
  await rig.end("second");
  await rig.end("signed-in");
  expect([...rig.outcomes.keys(), ...rig.running()]).toEqual(["first", "second", "signed-in", "known", "stranger"]);
});

test("a full line of strangers drops its oldest, and its newest is judged", async () => {
  const rig = openRig();
  for (let at = 0; at < 20; at += 1) await rig.ask(`stranger ${at}`, "stranger");
  await rig.ask("newcomer", "stranger");
  expect([...rig.outcomes]).toEqual(Array.from({ length: 16 }, (_, at) => [`stranger ${at + 1}`, "stranger: busy"]));
  for (let at = 0; at < 4; at += 1) await rig.end(rig.running()[0] ?? "");
  expect(rig.running()).toEqual(["newcomer"]);
});

test("one block that asks for a thousand has its share and no more", async () => {
  const rig = openRig();
  for (let at = 0; at < 1_000; at += 1) await rig.ask(`loud ${at}`, "stranger", "loud");
  await rig.ask("quiet", "stranger");
  await rig.end(rig.running()[0] ?? "");
  await rig.end(rig.running()[0] ?? "");
  expect(rig.running()).toEqual(["quiet"]);
});
