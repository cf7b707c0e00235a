import { manualClock } from "@gatehouse/base";
import type { BundleRejection } from "@gatehouse/contract/routes";
import { fault } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { farStore } from "../../../test/far-store.ts";
import { openLog } from "../../platform/log/index.ts";
import { lifecycleLimits } from "./limits.ts";
import { tellRejections } from "./tell-rejections.ts";

const rejectionOf = (name: string, detail = "no signature"): BundleRejection => ({
  name,
  code: "bundle.unsigned",
  title: "-",
  detail,
  todo: "-",
  rejectedAt: "2026-01-01T00:00:00.000Z",
});

function setUp() {
  const store = farStore();
  const logLines: string[] = [];
  const log = openLog({ format: "text", write: (line) => logLines.push(line) });
  const start = (rejections: readonly BundleRejection[], more: Partial<Parameters<typeof tellRejections>[0]> = {}) =>
    tellRejections({ store, bundles: { rejections }, clock: manualClock(), log, ...more });
  const told = async () => (await store.searchAudit({ order: "oldest", limit: 100 })).items.map(({ detail }) => detail);
  return { store, start, told, logLines };
}

test("rejections are told when they are others than at the start before, in whatever order they are found", async () => {
  const { start, told } = setUp();
  const [a, b] = [rejectionOf("acme-a"), rejectionOf("acme-b")];
  await start([]);
  expect(await told()).toEqual([]);
  await start([a, b]);
  await start([b, a]);
  expect(await told()).toHaveLength(1);
  await start([b]);
  await start([]);
  await start([]);
  await start([b]);
  expect((await told()).map((detail) => detail?.["rejections"])).toMatchObject([
    [{ name: "acme-a", code: "bundle.unsigned" }, { name: "acme-b" }],
    [{ name: "acme-b" }],
    [],
    [{ name: "acme-b" }],
  ]);
});

test("a directory full of them makes one entry that fits", async () => {
  const { start, told } = setUp();
  await start(Array.from({ length: 500 }, (_, n) => rejectionOf(`acme-${n}`, "x".repeat(5_000))));
  const [detail] = await told();
  expect(detail?.["rejections"]).toHaveLength(lifecycleLimits.toldRejections);
  expect(detail?.["more"]).toBe(500 - lifecycleLimits.toldRejections);
});

test("a log that takes no entry keeps no server from starting", async () => {
  const { store, start, logLines } = setUp();
  const commit = () => Promise.reject(fault("store.disk_full", "there is no room"));
  await start([rejectionOf("acme-a")], { store: { commit, searchAudit: (query) => store.searchAudit(query) } });
  expect(logLines.join("")).toContain("was not written into the audit log");
});
