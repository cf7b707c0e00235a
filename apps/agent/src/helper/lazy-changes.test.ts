import { expect, test } from "vitest";
import { noChanges } from "../../test/no-changes.ts";
import type { JudgedTask } from "../tasks/task.ts";
import { lazyChanges } from "./lazy-changes.ts";

const proof = { hello: new Uint8Array(1), welcome: new Uint8Array(1) };

function open(hasJournal: boolean) {
  const asked: string[] = [];
  let loads = 0;
  const note =
    <Value>(name: string, value: Value) =>
    async () => {
      asked.push(name);
      return value;
    };
  const changes = lazyChanges({
    hasJournal: () => hasJournal,
    load: async () => {
      loads += 1;
      return {
        find: note("find", { ended: undefined }),
        begin: note("begin", undefined),
        resume: note("resume", undefined),
        told: note("told", { open: "task_1", newest: 1, notes: [] }),
        applied: note("applied", undefined),
        probe: note("probe", new Uint8Array(32)),
        prove: note("prove", undefined),
        isBusy: () => true,
      };
    },
  });
  return { changes, asked, loads: () => loads };
}

test("a host that has never begun a change answers without what makes one", async () => {
  const { changes, loads } = open(false);
  await changes.resume();
  expect(await changes.find("task_1")).toEqual(await noChanges.find("task_1"));
  expect(await changes.told(0)).toEqual(await noChanges.told(0));
  expect(await changes.probe()).toBeUndefined();
  await expect(changes.prove(proof)).rejects.toThrow(/^confirm\.proof/);
  expect(changes.isBusy()).toBe(false);
  expect(loads()).toBe(0);
});

test("the first one that is begun loads it", async () => {
  const { changes, asked } = open(false);
  await changes.begin({} as JudgedTask);
  expect(asked).toEqual(["begin"]);
  expect(changes.isBusy()).toBe(true);
});

test("where there is a journal everything is asked of what reads it, which is loaded once", async () => {
  const { changes, asked, loads } = open(true);
  await changes.resume();
  expect(await changes.find("task_1")).toEqual({ ended: undefined });
  expect((await changes.told(0)).open).toBe("task_1");
  expect((await changes.probe())?.byteLength).toBe(32);
  await changes.prove(proof);
  expect(asked).toEqual(["resume", "find", "told", "probe", "prove"]);
  expect(loads()).toBe(1);
});
