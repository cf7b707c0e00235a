import { expect, test } from "vitest";
import { makeChangeBench, untilIdle, untilRestarted } from "../../test/change-bench.ts";
import { fault } from "@gatehouse/contract/faults";
import { changeJson, describeChange, readChangeStatus } from "./change-status.ts";

async function bench() {
  const host = await makeChangeBench();
  const { host: directory, openJournal } = host;
  const deps = { openJournal, findUptime: directory.judgeDeps.findUptime };
  const read = (more: object = {}) =>
    readChangeStatus({ isRoot: true, journal: directory.root, load: async () => deps, ...more });
  return { ...host, read };
}

test("the open change is told with its state and its deadline, and then how it ended", async () => {
  const host = await bench();
  const { judged, read } = host;
  expect(describeChange(await read())).toEqual([]);
  const changes = host.open();
  await changes.begin(judged);
  await untilRestarted(host);
  host.host.time.uptimeMs += 10_001;
  const since = new Date(host.host.time.wall).toISOString().replace(".000Z", "Z");
  const open = await read();
  expect(describeChange(open)).toEqual([
    `Open change: ${judged.task}, checking, since ${since}, taken back in 50 seconds unless it is proved`,
  ]);
  expect(changeJson(open)).toEqual({
    open: { task: judged.task, state: "checking", since, deadlineSeconds: 50 },
    last: null,
  });
  host.host.time.boot = "another";
  expect(describeChange(await read())).toEqual([`Open change: ${judged.task}, checking, since ${since}`]);
  host.host.time.boot = "11111111-2222-3333-4444-555555555555";
  await changes.prove(await host.prove());
  await untilIdle(changes);
  const ended = await read();
  expect(describeChange(ended)).toEqual([`Last change: ${judged.task}, applied at ${since}`]);
  expect(changeJson(ended)).toMatchObject({ open: null, last: { outcome: "applied", code: "", at: since } });
});

test("why a change failed stands beside its end", async () => {
  const host = await bench();
  host.failing.set("validate", fault("validate.failed", "nft says no"));
  const changes = host.open();
  await changes.begin(host.judged);
  await untilIdle(changes);
  const [line] = describeChange(await host.read());
  expect(line).toMatch(/^Last change: task_0+7, failed_before_change at .*Z, validate\.failed: nft says no$/);
});

test("who is not root is told that root is needed, and no journal is made by asking", async () => {
  const { read, disk } = await bench();
  const untold = await read({ isRoot: false });
  expect(describeChange(untold)).toEqual(["Changes cannot be told: only root of this host can see its changes."]);
  expect(changeJson(untold)).toEqual({ untold: "only root of this host can see its changes" });
  expect(describeChange(await read({ journal: "/nowhere/journal" }))).toEqual([]);
  expect(await disk.list("/state")).toEqual([]);
});

test("a journal that is not sound is told as such, and a defect is not hidden", async () => {
  const { read } = await bench();
  const failing = (why: Error) => ({ load: async () => ({ openJournal: () => Promise.reject(why) }) });
  expect(describeChange(await read(failing(fault("journal.unsound", "other bytes"))))).toEqual([
    "Changes cannot be told: journal.unsound: other bytes.",
  ]);
  await expect(read(failing(new TypeError("x is not a function")))).rejects.toThrow(TypeError);
});
