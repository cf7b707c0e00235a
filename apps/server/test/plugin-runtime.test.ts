import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fault } from "@gatehouse/contract";
import { pluginQuestionKind } from "@gatehouse/contract/records";
import type { Store } from "@gatehouse/store";
import { describe, expect, test } from "vitest";
import { seedFleet } from "../../../tests/support/seed-fleet.ts";
import { until } from "../../../tests/support/until.ts";
import { lastingStore, pluginFolder, startPluginServer } from "./plugin-server.ts";
import { activate, hello, shell } from "./shell-plugin.ts";

const healthy = shell(`case "$1" in
  describe) answer '{"name":"Hello","version":"1.0.0","summary":"Says hello."}' ;;
  health) answer '{"status":"ok"}' ;;
esac`);

describe("an active plugin", () => {
  test("answers describe and health, each in a process of its own, and each action is audited", async () => {
    const { server } = await activate(healthy);
    expect((await server.ask("plugin-hello", "describe")).body).toMatchObject({
      action: "describe",
      version: "1.0.0",
      calls: [],
      plan: null,
      result: { name: "Hello", version: "1.0.0", summary: "Says hello." },
    });
    expect((await server.ask("plugin-hello", "health")).body.result).toEqual({ status: "ok" });
    const told = (await server.audit()).filter(({ action }) => /^plugin\.(asked|answered)$/.test(action));
    const subject = "plugin/plugin-hello";
    expect(told).toMatchObject([
      { action: "plugin.asked", actor: "token:invoker", subject, outcome: "done", detail: { action: "describe" } },
      { action: "plugin.answered", actor: "token:invoker", subject, outcome: "done", detail: { calls: [] } },
      { action: "plugin.asked", detail: { action: "health" } },
      { action: "plugin.answered", outcome: "done", detail: { action: "health" } },
    ]);
    expect(told.map(({ detail, requestId }) => [detail?.["question"], requestId])).toEqual(
      [0, 0, 2, 2].map((index) => [told[index]?.detail?.["question"], told[index]?.requestId]),
    );
    expect(await server.store.list(pluginQuestionKind), "no question is left without its end").toEqual([]);
    expect((await server.plugin("plugin-hello")).runtime).toMatchObject({
      state: "armed",
      breaker: "closed",
      actions: 2,
      lastErrors: [],
      capabilityUse: [{ name: "log:write", calls: 0 }],
    });
  });

  test("reaches its own values and its log through the broker, and every call is counted and named", async () => {
    const artifact =
      shell(`call() { printf '{"jsonrpc":"2.0","id":%s,"method":"%s","params":%s}\\n' "$1" "$2" "$3"; read -r got; }
call 1 kv.put '{"key":"greeting","value":"good morning"}'
call 2 log.write '{"level":"info","message":"stored it"}'
call 3 http.fetch '{"url":"https://example.com/"}'
call 4 kv.get '{"key":"greeting"}'
case "$got" in *"good morning"*) answer '{"status":"ok"}' ;; *) answer '{"status":"failing"}' ;; esac`);
    const { server } = await activate(artifact, { ...hello, capabilities: ["kv:read", "kv:write", "log:write"] });
    const { body } = await server.ask("plugin-hello", "health");
    expect(body).toMatchObject({
      result: { status: "ok" },
      calls: [
        { method: "http.fetch", count: 1, refused: 1 },
        { method: "kv.get", count: 1, refused: 0 },
        { method: "kv.put", count: 1, refused: 0 },
        { method: "log.write", count: 1, refused: 0 },
      ],
    });
    expect(server.logLines.join("")).toContain("stored it");
    expect((await server.plugin("plugin-hello")).runtime.capabilityUse).toEqual([
      { name: "kv:read", calls: 1 },
      { name: "kv:write", calls: 1 },
      { name: "log:write", calls: 1 },
    ]);
    expect(JSON.stringify(await server.audit())).not.toContain("good morning");
  });

  test("reads of nodes what is public, with the capability for it, and the record names the call", async () => {
    const store = lastingStore();
    const [node] = await seedFleet(store, { nodes: 1, seed: 5, now: Date.UTC(2026, 0, 1) });
    const artifact = shell(`printf '{"jsonrpc":"2.0","id":1,"method":"node.list","params":{}}\\n'; read -r got
name=$(printf '%s' "$got" | sed 's/.*"name":"\\([^"]*\\)".*/\\1/')
case "$got" in *hostKey*|*ceiling*) name=leaked ;; esac
answer "{\\"status\\":\\"ok\\",\\"message\\":\\"$name\\"}"`);
    const { server } = await activate(artifact, { ...hello, capabilities: ["node:read"] }, store);
    const { body } = await server.ask("plugin-hello", "health");
    expect(body).toMatchObject({
      result: { status: "ok", message: node?.name },
      calls: [{ method: "node.list", count: 1, refused: 0 }],
    });
    const answered = (await server.audit()).find(({ action }) => action === "plugin.answered");
    expect(answered?.detail).toMatchObject({ calls: [{ method: "node.list", count: 1 }] });
  });

  test("is asked only by whoever holds plugin:invoke, only what exists, and only while it is active", async () => {
    const { server } = await activate(healthy);
    expect((await server.ask("plugin-hello", "health", undefined, "automation")).status).toBe(403);
    expect((await server.ask("plugin-hello", "apply")).status).toBe(400);
    expect((await server.ask("plugin-hello", "health", { a: 1 })).status).toBe(400);
    expect((await server.ask("plugin-hello", "plan")).status).toBe(400);
    expect((await server.ask("plugin-other", "health")).body.code).toBe("plugin.unknown");
    await server.move("plugin-hello", "disabled");
    expect(await server.ask("plugin-hello", "health")).toMatchObject({
      status: 409,
      body: { code: "plugin.not_active" },
    });
  });

  test("leaves no process and no copy behind when it is disabled in the middle of an action", async () => {
    const { server } = await activate(shell("sleep 60"));
    const asked = server.ask("plugin-hello", "health");
    while ((await server.plugin("plugin-hello")).runtime.actions === 0);
    expect((await server.move("plugin-hello", "disabled")).status).toBe(200);
    expect(await asked).toMatchObject({ status: 422, body: { code: "plugin.action_failed" } });
    expect((await server.plugin("plugin-hello")).runtime).toMatchObject({ state: "absent", breaker: null });
  });
});

describe("a question", () => {
  const wrote =
    shell(`printf '{"jsonrpc":"2.0","id":1,"method":"log.write","params":{"level":"info","message":"it acted"}}\\n'
read -r got
case "$1" in
  describe) answer '{"name":"Hello","version":"1.0.0","summary":"Says hello."}' ;;
  *) answer '{"status":"ok"}' ;;
esac`);

  /** A store that can be told to be full. */
  function fillable() {
    const inner = lastingStore();
    const told = { isFull: false };
    const refusal = fault("store.disk_full", "no space is left");
    const store: Store = {
      ...inner,
      commit: (...given) => (told.isFull ? Promise.reject(refusal) : inner.commit(...given)),
      health: () => (told.isFull ? { writable: false, reason: "the disk is full" } : inner.health()),
    };
    return { store, told };
  }

  test("is put to nobody when it cannot be recorded, whoever asks", async () => {
    const { store, told } = fillable();
    const { server } = await activate(wrote, hello, store);
    told.isFull = true;
    expect(await server.ask("plugin-hello", "health")).toMatchObject({
      status: 507,
      body: { code: "store.disk_full" },
    });
    expect((await server.look("plugin-hello")).body.health.state).toBe("unknown");
    await until("the server gave up asking", async () => !(await server.look("plugin-hello")).body.health.asking);
    expect(server.logLines.join("")).not.toContain("it acted");
    expect((await server.plugin("plugin-hello")).runtime).toMatchObject({ actions: 0, failuresInARow: 0 });
    told.isFull = false;
    expect((await server.ask("plugin-hello", "health")).status).toBe(200);
  });

  test("that was asked and whose end cannot be written says so, and its end comes before the next question", async () => {
    const { store, told } = fillable();
    const { server } = await activate(shell("read -r never"), hello, store);
    const asked = server.ask("plugin-hello", "health");
    await until("it runs", async () => (await server.plugin("plugin-hello")).runtime.actions === 1);
    told.isFull = true;
    expect((await server.move("plugin-hello", "disabled")).status, "access has ended all the same").toBe(507);
    expect(await asked).toMatchObject({ status: 507, body: { code: "store.disk_full" } });
    told.isFull = false;
    expect((await server.move("plugin-hello", "disabled")).status).toBe(200);
    expect((await server.move("plugin-hello", "active")).status).toBe(200);
    expect((await server.audit()).slice(3).map(({ action }) => action)).toEqual([
      "plugin.activated",
      "plugin.asked",
      "plugin.disabled",
      expect.stringMatching(/^plugin\.(detached|answered)$/),
      expect.stringMatching(/^plugin\.(detached|answered)$/),
      "plugin.armed",
      "plugin.activated",
    ]);
    expect(await store.list(pluginQuestionKind)).toEqual([]);
  });

  test("that the server asks because somebody looks is its own: at its pace, and on the record when the answer changes", async () => {
    const mute = shell(`case "$1" in
  describe) answer '{"name":"Hello","version":"1.0.0","summary":"Says hello."}' ;;
  *) exit 3 ;;
esac`);
    const { server } = await activate(mute);
    const known = async () => {
      await until("nothing is being asked", async () => {
        const { body } = await server.look("plugin-hello");
        return !body.health.asking && !body.describe.asking && body.health.state !== "unknown";
      });
      return (await server.look("plugin-hello")).body;
    };
    const told = async () => (await server.audit()).filter(({ action }) => /^plugin\.(asked|answered)$/.test(action));
    expect(await known()).toMatchObject({
      id: "plugin-hello",
      describe: { state: "answered", result: { name: "Hello" } },
      health: { state: "failed", reason: "it ended with 3" },
    });
    const news = {
      actor: "system",
      detail: { action: "health", was: "ok", is: "no answer", reason: "it ended with 3" },
    };
    expect(await told()).toMatchObject([news]);
    const { actions } = (await server.plugin("plugin-hello")).runtime;
    expect(actions).toBe(2);
    server.clock.advance(59_000);
    await known();
    expect((await server.plugin("plugin-hello")).runtime.actions, "not before its time").toBe(2);
    for (let minute = 0; minute < 7; minute += 1) {
      server.clock.advance(60_000);
      await server.look("plugin-hello");
      await known();
    }
    const { runtime } = await server.plugin("plugin-hello");
    expect(runtime).toMatchObject({ actions: 16, failuresInARow: 0, breaker: "closed" });
    expect(await told(), "the same answer is no news").toHaveLength(1);
    expect((await server.look("plugin-hello", "viewer")).status).toBe(403);
    await server.move("plugin-hello", "disabled");
    expect((await server.look("plugin-hello")).body.code).toBe("plugin.not_active");
  });

  test("of a plugin that can reach the network or keep values is on the record also when the server asks", async () => {
    const { server } = await activate(wrote, { ...hello, capabilities: ["kv:write", "log:write"] });
    await until("it is known and on the record", async () => {
      const { state, asking } = (await server.look("plugin-hello")).body.health;
      return state === "answered" && !asking;
    });
    const told = async () => (await server.audit()).filter(({ action }) => /^plugin\.(asked|answered)$/.test(action));
    expect((await told()).map(({ action, actor, detail }) => [action, actor, detail?.["action"]])).toEqual([
      ["plugin.asked", "system", "describe"],
      ["plugin.answered", "system", "describe"],
      ["plugin.asked", "system", "health"],
      ["plugin.answered", "system", "health"],
    ]);
    server.clock.advance(599_000);
    expect((await server.look("plugin-hello")).body.describe.asking, "seldom, since each is kept for good").toBe(false);
  });
});

describe("a plugin that fails", () => {
  test("is answered with 422 and the reason, which its page and the audit log keep", async () => {
    const { server } = await activate(shell("echo 'no table' >&2; exit 3"));
    const { status, body } = await server.ask("plugin-hello", "health");
    expect([status, body.code, body.detail]).toEqual([422, "plugin.action_failed", "it ended with 3"]);
    expect((await server.plugin("plugin-hello")).runtime).toMatchObject({
      failuresInARow: 1,
      lastErrors: [{ action: "health", reason: "it ended with 3", stderr: expect.stringContaining("no table") }],
    });
    expect((await server.audit()).at(-1)).toMatchObject({ outcome: "failed", detail: { reason: "it ended with 3" } });
  });

  test("five times in a row opens its breaker; after thirty seconds one trial call decides", async () => {
    const { server } = await activate(shell("exit 1"));
    for (let time = 0; time < 5; time += 1) expect((await server.ask("plugin-hello", "health")).status).toBe(422);
    const refused = await server.ask("plugin-hello", "health");
    expect([refused.status, refused.body.code]).toEqual([429, "plugin.breaker_open"]);
    expect((await server.plugin("plugin-hello")).runtime.breaker).toBe("open");
    server.clock.advance(30_000);
    expect((await server.plugin("plugin-hello")).runtime.breaker).toBe("half-open");
    expect((await server.ask("plugin-hello", "health")).status).toBe(422);
    expect((await server.plugin("plugin-hello")).runtime.breaker).toBe("open");
    const turns = async () => (await server.audit()).filter(({ action }) => action.startsWith("plugin.breaker_"));
    expect(await turns(), "a trial that fails leaves it open").toMatchObject([
      {
        action: "plugin.breaker_opened",
        actor: "system",
        subject: "plugin/plugin-hello",
        detail: { failuresInARow: 5, reason: "it ended with 1" },
      },
    ]);
    // Others are not kept waiting by it, and disabling and enabling begins anew.
    await server.move("plugin-hello", "disabled");
    await server.move("plugin-hello", "active");
    expect((await server.plugin("plugin-hello")).runtime).toMatchObject({ breaker: "closed", actions: 0 });
  });

  test("and then answers its trial closes its breaker, which is on the record as well", async () => {
    const { server } = await activate(healthy.replace('answer \'{"status":"ok"}\'', "exit 1"));
    for (let time = 0; time < 5; time += 1) expect((await server.ask("plugin-hello", "health")).status).toBe(422);
    server.clock.advance(30_000);
    expect((await server.ask("plugin-hello", "describe")).status).toBe(200);
    const turns = (await server.audit()).filter(({ action }) => action.startsWith("plugin.breaker_"));
    expect(turns.map(({ action, actor }) => [action, actor])).toEqual([
      ["plugin.breaker_opened", "system"],
      ["plugin.breaker_closed", "system"],
    ]);
    expect(server.logLines.join("")).toMatch(/breaker of a plugin is opened[^]*breaker of a plugin is closed/);
  });

  test.each([
    ["says what is no answer", shell('answer \'{"status":"splendid"}\''), /not one: \/status/],
    ["writes what is no JSON", shell("echo hello"), /not strict JSON/],
    ["answers twice", shell('answer \'{"status":"ok"}\'; answer \'{"status":"ok"}\''), /after its answer/],
    ["says nothing", shell("exit 0"), /gave no answer/],
    ["floods", shell("yes '{}'"), /neither a broker call nor an answer|wrote more than/],
  ])("because it %s is ended and told so", async (_, artifact, reason) => {
    const { server } = await activate(artifact);
    const { status, body } = await server.ask("plugin-hello", "health");
    expect([status, body.detail]).toEqual([422, expect.stringMatching(reason)]);
  });
});

describe("activation", () => {
  test("checks the digest again: bytes that changed behind the judgement are never staged", async () => {
    const folder = pluginFolder();
    folder.place(hello, healthy);
    const server = await startPluginServer({ directory: folder.directory });
    await server.move("plugin-hello", "installed");
    writeFileSync(join(folder.directory, "plugin-hello/artifact"), healthy.replace("Hello", "Hallo"));
    const refused = await server.move("plugin-hello", "active");
    expect([refused.status, refused.body.detail]).toEqual([422, expect.stringMatching(/^artifact digest mismatch/)]);
  });

  test("where no plugin can run is refused with the reason, and the server serves everything else", async () => {
    const folder = pluginFolder();
    folder.place(hello, healthy);
    const runtimeDir = join(folder.directory, "plugin-hello/manifest.json");
    const server = await startPluginServer({ directory: folder.directory, config: { runtimeDir } });
    expect((await server.list()).sandbox).toMatchObject({
      level: null,
      isTried: true,
      message: expect.stringContaining(runtimeDir),
    });
    await server.move("plugin-hello", "installed");
    const refused = await server.move("plugin-hello", "active");
    expect([refused.status, refused.body.detail]).toEqual([422, expect.stringContaining(runtimeDir)]);
    expect((await server.plugin("plugin-hello")).status).toBe("disabled");
  });
});
