import { manualClock } from "@gatehouse/base";
import { type PlanRecord, planKind } from "@gatehouse/contract/records";
import { finishPlan, type Operation, serialisePlan, stateDigest } from "@gatehouse/plan";
import { memoryBlobs } from "@gatehouse/store/blobs";
import { create } from "@gatehouse/store/decide";
import { farDatabase } from "@gatehouse/store/far";
import { expect, test } from "vitest";
import { findUndoContents, type UndoneHost } from "./find-undo-contents.ts";
import { hashBytes } from "./hash-bytes.ts";
import { plansLimits } from "./limits.ts";
import { setUpRuns } from "./plan-run-cases.ts";

const node = `node_${"0".repeat(26)}`;
const other = `node_${"0".repeat(25)}1`;
const rights = { mode: "0644", owner: "root", group: "root" } as const;
const write = (text: string): Operation => ({ kind: "file.write", path: "/etc/motd", text, ...rights });
const sha256 = hashBytes(Buffer.from("Hello\n")).toString("hex");
const state = { sha256, ...rights };

/** A server that keeps these plans, from the oldest to the one that is taken back. */
async function setUpFor(plans: readonly (Partial<PlanRecord> & { readonly text?: string; readonly of?: string })[]) {
  const { plan: sample } = await setUpRuns().keepPlan();
  const clock = manualClock();
  const blobs = memoryBlobs({ clock });
  const { store } = farDatabase({ slow: 0 }).openReplica();
  const kept: PlanRecord[] = [];
  let opened = 0;
  for (const [at, { text = "Bye\n", of = node, ...more }] of plans.entries()) {
    const draft = { title: "t", summary: "s", sections: [{ node: of, operations: [write(text)] }] };
    const bytes = serialisePlan(finishPlan(draft, { from: "person" }, () => "absent"));
    const id = `plan_${String(at).padStart(26, "0")}`;
    const document = await blobs.put([bytes]);
    const record = { ...sample, id, createdAt: at, document, kinds: ["file.write"], bytes: bytes.byteLength, ...more };
    kept.push(record);
  }
  const detail = { digest: sample.digest, title: "t", nodes: 1, kinds: [], state: "in_review", refusals: 0 } as const;
  const entry = { at: 0, actor: "usr_ada", action: "plan.created", subject: "plan", detail } as const;
  for (let first = 0; first < kept.length; first += 100) {
    const some = kept.slice(first, first + 100);
    await store.commit(
      entry,
      some.map((record) => create(planKind.key(record.id), record)),
    );
  }
  const deps = {
    store,
    blobs: { ...blobs, open: (digest: string) => ((opened += 1), blobs.open(digest)) },
    findProgram: () => Promise.resolve(undefined),
  };
  const preconditions = [{ subject: "file:/etc/motd", state: stateDigest(hashBytes, "file:/etc/motd", state) }];
  const host: UndoneHost = {
    index: 0,
    node,
    name: "web-1",
    state: "applied",
    stateAt: new Date(0).toISOString(),
    section: { node, operations: [write("Bye\n")], preconditions },
    told: [{ subject: "file:/etc/motd", state }],
  };
  const hosts = (async function* () {
    yield await Promise.resolve(host);
  })();
  const contentsOf = await findUndoContents(deps, kept.at(-1) as PlanRecord, hosts);
  return { text: contentsOf(node).findText("/etc/motd", sha256), opened };
}

test("a text is found in the newest plan that has it for this host and path, and no plan is read beyond it", async () => {
  const hello = { text: "Hello\n" };
  expect(await setUpFor([hello, hello, {}, {}])).toEqual({ text: "Hello\n", opened: 3 });
  expect(await setUpFor([{ ...hello, of: other }, {}])).toMatchObject({ text: undefined });
});

test("a plan that came later is no source, and one without such an operation is not read", async () => {
  expect(await setUpFor([{ text: "Hello\n", createdAt: 9 }, {}])).toMatchObject({ text: undefined, opened: 1 });
  expect(await setUpFor([{ text: "Hello\n", kinds: ["service.restart"] }, {}])).toMatchObject({ opened: 1 });
});

test("a plan whose bytes were not restored is passed over", async () => {
  expect(await setUpFor([{ text: "Hello\n" }, { document: "0".repeat(64) }, {}])).toEqual({
    text: "Hello\n",
    opened: 3,
  });
});

test("no more plans and no more bytes are looked through than one request may", async () => {
  const older = Array.from({ length: plansLimits.undoPlans }, () => ({}));
  expect(await setUpFor([{ text: "Hello\n" }, ...older])).toEqual({ text: undefined, opened: plansLimits.undoPlans });
  expect(await setUpFor([{ text: "Hello\n" }, ...older.slice(1)])).toMatchObject({ text: "Hello\n" });
  const large = { bytes: plansLimits.undoBytes };
  expect(await setUpFor([{ text: "Hello\n" }, large, {}])).toEqual({ text: undefined, opened: 1 });
});
