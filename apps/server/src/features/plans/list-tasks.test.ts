import { expect, test } from "vitest";
import { keepRows } from "./evidence.ts";
import { listTasks } from "./list-tasks.ts";
import { setUpRuns } from "./plan-run-cases.ts";

/** Less than any client takes in one answer. */
const clientBytes = 16 * 1024 * 1024;

/** A plan that has ended, with so much said of each of its tasks. */
async function endedPlan(texts: readonly string[]) {
  const runs = setUpRuns();
  const { plan } = await runs.keepPlan();
  const rows = texts.map((detail, index) => ({ id: `task_${index}`, plan: plan.id, index, state: "refused", detail }));
  return { runs, plan: { ...plan, outcomes: await keepRows(runs.blobs, rows) } };
}

test("a page ends before it is more than a client takes, and the next one goes on there", async () => {
  const { runs, plan } = await endedPlan(Array.from({ length: 500 }, () => "x".repeat(40_000)));
  const seen: number[] = [];
  let pages = 0;
  for (let cursor: string | null = "0"; cursor !== null; pages += 1) {
    const { items, nextCursor } = await listTasks(runs, plan, { first: Number(cursor), limit: 500 });
    expect(JSON.stringify(items).length).toBeLessThan(clientBytes / 2);
    seen.push(...items.map(({ index }) => index));
    cursor = nextCursor;
  }
  expect(seen).toEqual(Array.from({ length: 500 }, (_, index) => index));
  expect(pages).toBeLessThan(10);
});

test("one that is large alone has a page of its own, and small ones stand together", async () => {
  const { runs, plan } = await endedPlan(["x".repeat(5 * 1024 * 1024), ...Array.from({ length: 300 }, () => "y")]);
  const first = await listTasks(runs, plan, { first: 0, limit: 500 });
  expect([first.items.length, first.nextCursor]).toEqual([1, "1"]);
  const second = await listTasks(runs, plan, { first: 1, limit: 500 });
  expect([second.items.length, second.nextCursor]).toEqual([300, null]);
});
