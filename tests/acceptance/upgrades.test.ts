import { createHash } from "node:crypto";
import { parsePlan, planDigest } from "@gatehouse/plan";
import { describe, expect } from "vitest";
import { fixtureHost } from "../fixtures/fixture-host.ts";
import { helloOf } from "../support/fake-host.ts";
import { type Answer, ask } from "./ask.ts";
import { verifyAudit } from "./audit-verify.ts";
import { expectBelieved, expectGoesOn } from "./expect-goes-on.ts";
import { expectWatched } from "./expect-watched.ts";
import { dataFixtures, type Fixture } from "./fixtures.ts";
import { startServer, testWithControl as test } from "./server-under-test.ts";

/** The data of every released version, taken over by this one. */
describe.each(dataFixtures())("the data directory of $version", (fixture) => {
  test("this version starts on it, and everything in its audit log is still there and whole", async () => {
    const dataDir = fixture.copy();
    const server = await startServer({ dataDir });
    expect((await ask(server.baseUrl, "/api/ready")).json).toMatchObject({ status: "ready" });
    const read = fixture.signIn && (await enter(server.baseUrl, fixture.signIn));
    if (read !== undefined) {
      if (fixture.plugin !== undefined) {
        expect((await read("/api/plugins/lifecycle")).json["items"]).toMatchObject([fixture.plugin]);
      }
      if (fixture.plan !== undefined) {
        const { id, digest } = fixture.plan;
        const shown = await read(`/api/plans/${id}`);
        // A plan is forgotten some time after its end; until then it has the bytes of its digest.
        if (shown.status === 404) expect(shown.json["code"]).toBe("plan.unknown");
        else expect(shown.json).toMatchObject({ id, digest });
        const document = await read(`/api/plans/${id}/document`);
        if (document.status === 200) expect(digestOf(document.text)).toBe(digest);
        else expect(shown.status).toBe(404);
      }
      if (fixture.undo !== undefined) {
        const { applied, plan } = fixture.undo;
        const [waves, undo] = [await read(`/api/plans/${applied}/waves`), await read(`/api/plans/${plan}`)];
        if (waves.status === 404) expect(waves.json["code"]).toBe("plan.unknown");
        else
          expect(waves.json).toMatchObject({ items: [{ state: "ended", tasks: { applied: 1 } }], halt: { after: 1 } });
        if (undo.status === 404) expect(undo.json["code"]).toBe("plan.unknown");
        else expect(undo.json).toMatchObject({ undoes: applied });
      }
      await expectWatched(fixture, read);
    }
    if (fixture.node !== undefined) {
      const { id, server: key, acked } = fixture.node;
      const host = fixtureHost();
      expect(host.nodeId).toBe(id);
      const body = {
        agentVersion: fixture.version,
        cursor: { acked: 0, last: acked + 1 },
        features: fixture.held ? ["witness"] : [],
      };
      const connection = await helloOf(server.baseUrl, Buffer.from(key, "base64url"), host, { body });
      expect(connection.welcome.acked).toBe(acked);
      if (fixture.held !== undefined) await expectGoesOn(connection, Buffer.from(key, "base64url"), fixture.held);
      await connection.sendFacts();
      if (fixture.held !== undefined && read !== undefined) await expectBelieved(read, id, fixture.held);
      await connection.close();
    }
    expect((await server.stop()).code).toBe(0);
    await expectWhole(dataDir);
    // What the first start of a new version changed, the second one takes.
    expect((await (await startServer({ dataDir })).stop()).code).toBe(0);
    await expectWhole(dataDir);
  });

  /** A newer version may add records of its own; it never loses one. */
  async function expectWhole(dataDir: string): Promise<void> {
    const { ok, records, head } = await verifyAudit(dataDir);
    expect(ok).toBe(true);
    expect(records).toBeGreaterThanOrEqual(fixture.records);
    expect(head.position).toBeGreaterThanOrEqual(fixture.head.position);
  }

  test("the offline commands read it before any server has", async () => {
    const expected = { code: 0, ok: true, records: fixture.records, head: fixture.head };
    expect(await verifyAudit(fixture.copy())).toMatchObject(expected);
  });
});

/** As the owner of the fixture. */
async function enter(
  baseUrl: string,
  signIn: NonNullable<Fixture["signIn"]>,
): Promise<(path: string) => Promise<Answer>> {
  const headers = { "Content-Type": "application/json" };
  const question = { method: "POST", path: "/api/auth/login", headers, body: JSON.stringify(signIn) };
  const entered = await ask(baseUrl, question);
  expect(entered.status).toBe(200);
  const Cookie = entered.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
  return (path) => ask(baseUrl, { path, headers: { Cookie } });
}

/** As whoever approves computes it, from the bytes of a plan. */
function digestOf(text: string): string {
  const plan = parsePlan(Buffer.from(text));
  if (!plan.ok) throw new Error(plan.reason);
  return planDigest((bytes) => createHash("sha256").update(bytes).digest(), plan.value);
}
