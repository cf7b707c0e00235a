import { expect, test } from "vitest";
import { runAll } from "./run-all.ts";

test("every step runs even when an earlier one fails", async () => {
  const ran: string[] = [];
  const stuck = runAll([
    () => ran.push("first"),
    () => {
      throw new Error("stuck");
    },
    async () => {
      await Promise.resolve();
      ran.push("last");
    },
  ]);
  await expect(stuck).rejects.toThrow("stuck");
  expect(ran).toEqual(["first", "last"]);
});

test("several failures are reported together", async () => {
  const fail = (name: string) => () => Promise.reject(new Error(name));
  const failure = await runAll([fail("a"), fail("b")]).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(AggregateError);
  expect((failure as AggregateError).errors.map((error: Error) => error.message)).toEqual(["a", "b"]);
});

test("nothing is thrown when every step succeeds", async () => {
  await expect(runAll([() => 1, async () => {}])).resolves.toBeUndefined();
});
