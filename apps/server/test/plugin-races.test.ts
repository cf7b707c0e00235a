import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LifecycleState, lifecycleStates } from "@gatehouse/contract";
import { openFileStore, type Store } from "@gatehouse/store";
import { describe, expect, onTestFinished, test } from "vitest";
import { startAuthServer, tokenVisitor } from "./auth-server.ts";
import { type Visitor } from "./visitor.ts";
import { lastingStore, netguard, plain, pluginFolder, startPluginServer, testRunner, trust } from "./plugin-server.ts";

/** The rows of contract 3, as audit entries tell them. */
const rows: Readonly<Record<string, readonly [from: LifecycleState, to: LifecycleState][]>> = {
  "plugin.installed": [["verified", "installed"]],
  "plugin.activated": [
    ["installed", "active"],
    ["disabled", "active"],
  ],
  "plugin.disabled": [
    ["installed", "disabled"],
    ["active", "disabled"],
  ],
};

async function storm(ids: readonly string[], store: Store = lastingStore()) {
  const folder = pluginFolder();
  for (const id of ids) folder.place(id === "netguard" ? netguard : plain(id));
  const runner = testRunner();
  const server = await startPluginServer({
    directory: folder.directory,
    store,
    runner: runner.part,
    config: { apiRate: { perSecond: 100_000, burst: 100_000 } },
  });
  const wanted = ["installed", "active", "disabled"] as const;
  const answers = await Promise.all(
    Array.from({ length: 1_000 }, async (_, i) => {
      const id = ids[i % ids.length] ?? "";
      const answer = await server.move(id, wanted[i % 3] ?? "active");
      return { id, status: answer.status, code: answer.code, body: answer.body };
    }),
  );
  return { server, runner, answers, ids };
}

async function judge({ server, runner, answers, ids }: Awaited<ReturnType<typeof storm>>) {
  expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
  const moved = answers.filter(({ status }) => status === 200);
  const all = (await server.audit()).filter(({ action }) => action !== "plugin.verified");
  const audit = all.filter(({ action }) => Object.hasOwn(rows, action));
  expect(audit, "one entry for every move that was answered, and none besides").toHaveLength(moved.length);
  expect(moved.length).toBeGreaterThan(ids.length);
  for (const id of ids) {
    let state: LifecycleState = "verified";
    for (const { action, detail } of audit.filter(({ subject }) => subject === `plugin/${id}`)) {
      expect(detail?.["from"]).toBe(state);
      const row = rows[action]?.find(([from, to]) => from === state && to === detail?.["to"]);
      expect(row, `${action} from ${state}`).toBeDefined();
      state = row?.[1] ?? state;
    }
    expect(lifecycleStates).toContain(state);
    expect((await server.plugin(id)).status).toBe(state);
    expect(runner.armed.has(id), "armed exactly when active").toBe(state === "active");
    const turns = all.filter(({ action, subject }) => subject === `plugin/${id}` && !Object.hasOwn(rows, action));
    const expected = turns.map((_, index) => (index % 2 === 0 ? "plugin.armed" : "plugin.detached"));
    expect(turns.map(({ action }) => action)).toEqual(expected);
    expect(turns.length % 2 === 1, "armed once more than detached exactly when active").toBe(state === "active");
  }
}

describe("a thousand moves at once", () => {
  test("of one plugin: no entry is lost or doubled, and each move is a row of the table", async () => {
    await judge(await storm(["netguard"]));
  });

  test("of several plugins, on a disk: the same for each of them, and the chain holds", async () => {
    const directory = mkdtempSync(join(tmpdir(), "gatehouse-storm-"));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const store = await openFileStore({ directory });
    const stormed = await storm(["netguard", "plugin-a", "plugin-b", "plugin-c", "plugin-d"], store);
    await judge(stormed);
    expect(await store.verifyAudit()).toMatchObject({ ok: true });
  });
});

test("of many who activate at once, one arms it, and a slow runner keeps nobody from other plugins", async () => {
  const folder = pluginFolder();
  folder.place(netguard);
  folder.place(plain("plugin-a"));
  const runner = testRunner();
  const server = await startPluginServer({ directory: folder.directory, runner: runner.part });
  for (const id of ["netguard", "plugin-a"]) await server.move(id, "installed");
  const { promise, resolve } = Promise.withResolvers<void>();
  runner.waitFor(() => promise);
  const attempts = Array.from({ length: 20 }, () => server.move("netguard", "active"));
  expect((await server.move("plugin-a", "disabled")).status).toBe(200);
  expect(await server.contributions(), "not before its entry is durable").toEqual([]);
  resolve();
  const statuses = (await Promise.all(attempts)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(statuses.filter((status) => status === 409)).toHaveLength(19);
  expect(runner.events).toEqual(["armed netguard"]);
});

describe("whoever asks for a move", () => {
  const setUp = async () => {
    const folder = pluginFolder();
    folder.place(netguard);
    const runner = testRunner();
    const plugins = { directory: folder.directory, trust: JSON.stringify(trust), runner: runner.part };
    const server = await startAuthServer({ plugins });
    const owner = await server.visitor().signIn();
    const move = (visitor: Visitor, status: LifecycleState) =>
      visitor.call<{ status: string }>("POST", "/api/plugins/lifecycle", { body: { id: "netguard", status } });
    return { server, owner, runner, move };
  };

  test("and has lost the right while waiting for a turn is refused, and nothing has changed", async () => {
    const { server, owner, runner, move } = await setUp();
    const { visitor, id } = await tokenVisitor(server, owner, { scopes: ["plugin:admin"] });
    await move(owner, "installed");
    const armed = Promise.withResolvers<void>();
    const arming = Promise.withResolvers<void>();
    runner.waitFor(() => {
      arming.resolve();
      return armed.promise;
    });
    const first = move(visitor, "active");
    await arming.promise;
    const waiting = move(visitor, "disabled");
    expect((await owner.call("DELETE", `/api/tokens/${id}`)).status).toBe(204);
    armed.resolve();
    expect((await first).code, "also the one whose plugin is armed and not yet active").toBe("auth.credential_refused");
    expect((await waiting).status).not.toBe(200);
    expect([...runner.armed.keys()]).toEqual([]);
    const listed = await owner.call<{ items: { status: string }[] }>("GET", "/api/plugins/lifecycle");
    expect(listed.body.items.map(({ status }) => status)).toEqual(["installed"]);
    expect((await server.actions()).filter((action) => action.startsWith("plugin."))).toEqual([
      "plugin.verified",
      "plugin.installed",
      // It was armed when the right to was lost.
      "plugin.armed",
      "plugin.detached",
    ]);
  });

  test("and signs in elsewhere meanwhile is not refused for it", async () => {
    const { server, owner, move } = await setUp();
    await move(owner, "installed");
    const moves = Array.from({ length: 40 }, (_, i) => move(owner, i % 2 === 0 ? "active" : "disabled"));
    // One after the other: of more than three at once the fourth is slowed down, however good its password is.
    for (let i = 0; i < 10; i += 1) await server.visitor().signIn();
    const answers = await Promise.all(moves);
    expect(answers.filter(({ status, code }) => status !== 200 && code !== "plugin.transition_rejected")).toEqual([]);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  });
});
