import { expect, test } from "vitest";
import { openSlots } from "./open-slots.ts";

const never = new AbortController().signal;

test("work beyond the slots waits in order; work about other things does not", async () => {
  const inSlot = openSlots(1);
  const first = Promise.withResolvers<void>();
  const begun: string[] = [];
  const work =
    (name: string, until: Promise<void> = Promise.resolve()) =>
    async () => {
      begun.push(name);
      await until;
    };
  const all = [
    inSlot("a", never, work("1", first.promise)),
    inSlot("a", never, work("2")),
    inSlot("a", never, work("3")),
    inSlot("b", never, work("other")),
  ];
  await new Promise((done) => setImmediate(done));
  expect(begun).toEqual(["1", "other"]);
  first.resolve();
  await Promise.all(all);
  expect(begun).toEqual(["1", "other", "2", "3"]);
});

test("who gives up waiting leaves the line, and a failure leaves its slot", async () => {
  const inSlot = openSlots(1);
  const first = Promise.withResolvers<void>();
  const failing = inSlot("a", never, async () => {
    await first.promise;
    throw new Error("failed");
  });
  const controller = new AbortController();
  const waiting = inSlot("a", controller.signal, () => Promise.resolve("ran"));
  controller.abort(new Error("gave up"));
  await expect(waiting).rejects.toThrow("gave up");
  await expect(inSlot("a", controller.signal, () => Promise.resolve("ran"))).rejects.toThrow("gave up");
  const next = inSlot("a", never, () => Promise.resolve("next"));
  first.resolve();
  await expect(failing).rejects.toThrow("failed");
  expect(await next).toBe("next");
  expect(await inSlot("a", never, () => Promise.resolve("free"))).toBe("free");
});
