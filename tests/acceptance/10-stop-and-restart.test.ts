import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { describe, expect, onTestFinished } from "vitest";
import { ask, askHalf } from "./ask.ts";
import { verifyAudit } from "./audit-verify.ts";
import { newestFixture } from "./fixtures.ts";
import { type Operator, signIn, withToken } from "./plugin-yard.ts";
import { gatehouse, runServer, startServer, testWithControl as test } from "./server-under-test.ts";

/** What contract 10 relies on: a server that is stopped, killed and started again as containers are. */
const fixture = newestFixture();

describe("a server that is asked to stop", () => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    test(`finishes the requests under way and ends with 0 (${signal})`, async () => {
      const server = await startServer();
      const half = await askHalf(server.baseUrl);
      server.signal(signal);
      await server.log.waitFor(/\bstopping\b/);
      const answer = await half.finish();
      expect({ status: answer.status, connection: answer.headers.connection }).toEqual({
        status: 204,
        connection: "close",
      });
      expect(await server.ended).toEqual({ code: 0, signal: null });
      expect(server.log.all.at(-1)).toMatch(/ info +stopped$/);
    });
  }

  test("takes no new connection while it finishes", async () => {
    const server = await startServer();
    const half = await askHalf(server.baseUrl);
    server.signal("SIGTERM");
    await server.log.waitFor(/\bstopping\b/);
    // Refused, or cut when it came in the moment before the door was shut; in no case answered.
    const late = ask(server.baseUrl, "/api/health");
    await expect(late).rejects.toMatchObject({ code: expect.stringMatching(/^ECONN(REFUSED|RESET)$/) });
    await half.finish();
    expect((await server.ended).code).toBe(0);
  });

  test("does not wait for idle connections", async () => {
    const server = await startServer();
    const agent = new Agent({ keepAlive: true, maxSockets: 3 });
    onTestFinished(() => agent.destroy());
    const responses = Array.from({ length: 3 }, () => once(get(`${server.baseUrl}/api/health`, { agent }), "response"));
    const closed = (await Promise.all(responses)).map(async ([response]) => {
      const { socket } = response as IncomingMessage;
      await once((response as IncomingMessage).resume(), "end");
      if (!socket.destroyed) await once(socket, "close");
    });
    // They end while a request is still under way, and not when everything is cut.
    const half = await askHalf(server.baseUrl);
    server.signal("SIGTERM");
    await Promise.all(closed);
    expect((await half.finish()).status).toBe(204);
    expect((await server.ended).code).toBe(0);
  });

  test("makes a checkpoint: the state is whole and the log begins anew behind it", async () => {
    const dataDir = fixture.copy();
    const server = await startServer({ dataDir });
    expect((await server.stop()).code).toBe(0);
    const head = JSON.parse(firstLine(join(dataDir, "state.json.audit-wal"))) as { base: number };
    expect(head.base).toBeGreaterThanOrEqual(fixture.head.position);
    expect(firstLine(join(dataDir, "state.json"))).toContain(`"seq":${head.base},`);
  });
});

describe("a server that is killed", () => {
  test("starts again on the same directory, and its audit log is whole", async () => {
    const dataDir = fixture.copy();
    for (let time = 0; time < 3; time += 1) {
      const server = await startServer({ dataDir });
      expect((await ask(server.baseUrl, "/api/health")).status).toBe(200);
      expect(await server.stop("SIGKILL")).toEqual({ code: null, signal: "SIGKILL" });
    }
    const { ok, records } = await verifyAudit(dataDir);
    expect({ ok, kept: records >= fixture.records }).toEqual({ ok: true, kept: true });
    const server = await startServer({ dataDir });
    expect((await ask(server.baseUrl, "/api/ready")).json).toMatchObject({ status: "ready" });
  });

  test("on its very first start leaves nothing that stops the second", async () => {
    const server = await startServer();
    await server.stop("SIGKILL");
    const again = await startServer({ dataDir: server.dataDir });
    expect((await ask(again.baseUrl, "/api/ready")).status).toBe(200);
  });
});

describe("when credentials were last used", () => {
  /** A token and a session that were used, on a server that was stopped since; and a second session that looks at them. */
  const useAndStop = async () => {
    const server = await startServer();
    const [idle, owner] = [await signIn(server), await signIn(server)];
    const token = await withToken(owner, ["plugin:admin"]);
    for (const user of [token, idle]) expect((await user.get("/api/auth/whoami")).status).toBe(200);
    const before = await lastUses(server.baseUrl, owner);
    expect(before.token).toMatchObject({ lastUsedAt: expect.any(String), lastAddress: expect.any(String) });
    expect(before.session).toEqual(expect.any(String));
    expect((await server.stop()).code).toBe(0);
    return { owner, before, dataDir: server.dataDir };
  };

  test("is known after a stop and a start: of tokens with their address, and of sessions", async () => {
    const { owner, before, dataDir } = await useAndStop();
    const again = await startServer({ dataDir });
    expect(await lastUses(again.baseUrl, owner)).toEqual(before);
  });

  for (const harm of ["damaged", "lost"] as const) {
    test(`and a telemetry.db that is ${harm} costs that and nothing else`, async () => {
      const { owner, dataDir } = await useAndStop();
      const file = join(dataDir, "telemetry.db");
      rmSync(file);
      if (harm === "damaged") writeFileSync(file, "no database at all".repeat(1_000), { mode: 0o600 });
      const again = await startServer({ dataDir });
      expect(await lastUses(again.baseUrl, owner)).toEqual({
        token: expect.objectContaining({ lastUsedAt: null, lastAddress: null }),
        session: null,
      });
      expect(existsSync(`${file}.damaged`)).toBe(harm === "damaged");
      if (harm === "damaged") await again.log.waitFor(/ warn .*telemetry\.db\.damaged/);
      expect((await again.stop()).code).toBe(0);
      expect(await verifyAudit(dataDir)).toMatchObject({ ok: true });
    });
  }
});

describe("one data directory belongs to one server", () => {
  test("a second server on it is refused, and the first goes on", async () => {
    const first = await startServer();
    const { code, out, err } = await runServer([], { dataDir: first.dataDir });
    expect({ code, out, lines: err.split("\n").length }).toEqual({ code: 1, out: "", lines: 1 });
    expect(err).toMatch(/[Ss]top the other process/);
    expect((await ask(first.baseUrl, "/api/ready")).status).toBe(200);
    expect((await first.stop()).code).toBe(0);
  });

  test("the offline commands keep away from a directory that a server uses", async () => {
    const server = await startServer();
    for (const verb of [
      ["audit", "verify"],
      ["state", "recover"],
      ["state", "recover", "--apply"],
    ]) {
      const { code, err } = await gatehouse([...verb, "--data-dir", server.dataDir]);
      expect({ verb, code }).toEqual({ verb, code: 1 });
      expect(err).toContain("store.locked");
    }
  });
});

function firstLine(file: string): string {
  return readFileSync(file, "utf8").split("\n")[0] ?? "";
}

/** As a second session sees them: the first one, and the only token. */
async function lastUses(baseUrl: string, { headers }: Operator) {
  const itemsOf = async (path: string) =>
    (await ask(baseUrl, { path, headers })).json["items"] as Record<string, unknown>[];
  const [token] = await itemsOf("/api/tokens");
  const [session] = await itemsOf("/api/auth/sessions");
  expect(session?.["current"]).toBe(false);
  return { token, session: session?.["lastUsedAt"] };
}
