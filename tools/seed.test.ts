import { memoryStore } from "@gatehouse/store/far";
import { expect, test } from "vitest";
import { seed } from "./seed.ts";

test("a seeded store has a whole chain, more than one page, and all three outcomes", async () => {
  const store = memoryStore();
  const records = await seed(store, Date.UTC(2026, 0, 8));
  expect(await store.verifyAudit()).toMatchObject({ ok: true, records });
  const page = await store.searchAudit({ limit: 50 });
  expect(page.next).toBeDefined();
  const all = await store.searchAudit({ limit: 1_000 });
  const outcomes = new Set(all.items.map((item) => item.outcome ?? "done"));
  expect([...outcomes].sort()).toEqual(["done", "failed", "refused"]);
  await store.close();
});
