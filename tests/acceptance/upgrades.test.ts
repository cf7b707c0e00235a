import { describe, expect } from "vitest";
import { ask } from "./ask.ts";
import { verifyAudit } from "./audit-verify.ts";
import { dataFixtures } from "./fixtures.ts";
import { startServer, testWithControl as test } from "./server-under-test.ts";

/** The data of every released version, taken over by this one. */
describe.each(dataFixtures())("the data directory of $version", (fixture) => {
  test("this version starts on it, and everything in its audit log is still there and whole", async () => {
    const dataDir = fixture.copy();
    const server = await startServer({ dataDir });
    expect((await ask(server.baseUrl, "/api/ready")).json).toMatchObject({ status: "ready" });
    expect((await server.stop()).code).toBe(0);
    const { ok, records, head } = await verifyAudit(dataDir);
    // A newer version may add records of its own; it never loses one.
    expect({ ok, kept: records >= fixture.records, head: head.position >= fixture.head.position }).toEqual({
      ok: true,
      kept: true,
      head: true,
    });
  });

  test("a second start finds nothing more to do", async () => {
    const dataDir = fixture.copy();
    await (await startServer({ dataDir })).stop();
    const first = await verifyAudit(dataDir);
    await (await startServer({ dataDir })).stop();
    expect(await verifyAudit(dataDir)).toEqual(first);
  });

  test("the offline commands read it before any server has", async () => {
    const expected = { code: 0, ok: true, records: fixture.records, head: fixture.head };
    expect(await verifyAudit(fixture.copy())).toMatchObject(expected);
  });
});
